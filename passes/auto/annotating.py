"""What a plan says, and how it is written into a program.

A plan speaks of the user's program, in which functions may be called from several places. Where the plan has different
shardings for what is one value there, it is written into the program without calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    result_shardings,
    set_arg_shardings,
    set_result_shardings,
)
from sdy.dialect.shardings.value_shardings import get_sharding, set_shardings
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.functions import main_function
from sdy.mlir.tensor_types import is_tensor
from sdy.mlir.walk import pre_order
from sdy.passes.auto.search.exchanges import number_of
from sdy.passes.auto.search.problem import Problem, States
from sdy.passes.auto.search.program_graph import NOWHERE, ProgramGraph
from sdy.passes.auto.search.strategies import Option, Strategies
from sdy.passes.op_axes.common_axes import common_axes
from sdy.passes.op_axes.op_plan import OpTensors, project
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes

_SOURCES_ARE_MATCHED = frozenset({"func.return", "stablehlo.return", "sdy.return"})
"""Ops whose operands are resharded to what the op that they belong to says."""


@dataclass(slots=True)
class Annotations:
    """Layouts by where they are: number of the argument or result of the main function; number of the op and the place.

    `sums` are layouts in which values are added up before they are scattered, which gives those of `values`. `uses` are
    operands that are needed in another layout than they have; `steps` are layouts that operands go through together
    with other uses of the same value, where some go on from there. `agrees` says that what is several values without
    calls has one layout. `block_arguments` are those of manual computations, as far as axes are left to shard them.
    """

    arguments: dict[int, DimAxes] = field(default_factory=dict)
    results: dict[int, DimAxes] = field(default_factory=dict)
    values: dict[tuple[int, int], DimAxes] = field(default_factory=dict)
    block_arguments: dict[tuple[int, int], DimAxes] = field(default_factory=dict)
    sums: dict[tuple[int, int], DimAxes] = field(default_factory=dict)
    uses: dict[tuple[int, int], DimAxes] = field(default_factory=dict)
    steps: dict[tuple[int, int], DimAxes] = field(default_factory=dict)
    agrees: bool = True


def annotations_of(problem: Problem, states: States, *, of_copy: bool = False) -> Annotations:
    """What a plan says of the program that the ops of the graph are numbered after, or of the copy that was read."""
    numbers = _numbers(problem.graph, of_copy=of_copy)
    graph, snapshot = problem.graph, problem.graph.snapshot
    chosen = [strategies.options[state] for strategies, state in zip(problem.strategies, states, strict=True)]
    found = Annotations()

    def layout(value: int) -> DimAxes | None:
        place = graph.values.get(value)
        return None if place is None else problem.layouts[chosen[place[0]].results[place[1]]]

    for number, variable in enumerate(graph.arguments):
        found.arguments[number] = problem.layouts[chosen[variable].results[0]]
    sums, values = WrittenSums(problem), dict[tuple[int, int], set[tuple[DimAxes, DimAxes | None]]]()
    for op, results in enumerate(snapshot.results):
        number = numbers[op]
        for place, value in enumerate(results):
            if number is not None and (there := layout(value)) is not None:
                values.setdefault((number, place), set()).add((there, sums.of(value, states)))
    inside: dict[tuple[int, int], set[DimAxes]] = {}
    for op in graph.opened:
        number = numbers[op]
        for place, value in enumerate(snapshot.arguments[op]):
            if number is not None and (there := layout(value)) is not None:
                inside.setdefault((number, place), set()).add(there)
    needed = _uses(problem, chosen, numbers)
    found.block_arguments = {key: next(iter(layouts)) for key, layouts in inside.items()}
    for key, layouts in values.items():
        found.values[key], partial = next(iter(layouts))
        if partial is not None:
            found.sums[key] = partial
    for key, layouts in needed.items():
        step, want = next(iter(layouts))
        if step is not None:
            found.steps[key] = step
        if want is not None:
            found.uses[key] = want
    found.agrees = all(len(layouts) == 1 for layouts in (*values.values(), *inside.values(), *needed.values()))
    _read_results(graph, found, layout, lambda variable: problem.layouts[chosen[variable].results[0]])
    return found


def _numbers(graph: ProgramGraph, *, of_copy: bool) -> list[int | None]:
    """By op of the graph, its number in the walk over the program, or over the copy."""
    return [number + 1 if of_copy else number_of(op) for number, op in enumerate(graph.snapshot.ops)]


def _read_results(
    graph: ProgramGraph,
    found: Annotations,
    layout: Callable[[int], DimAxes | None],
    layout_of: Callable[[int], DimAxes],
) -> None:
    """Results are as they are computed, unless they take the buffer of an argument, or the user has said something."""
    snapshot = graph.snapshot
    for place, value in enumerate(snapshot.returned(snapshot.main_function)):
        if (there := layout(value)) is not None:
            found.results[place] = there
    for place, variable in graph.asked.items():
        found.results[place] = layout_of(variable)
    for place, argument in graph.taken.items():
        found.results[place] = found.arguments[argument]


def _uses(
    problem: Problem, chosen: list[Option], numbers: list[int | None]
) -> dict[tuple[int, int], set[tuple[DimAxes | None, DimAxes | None]]]:
    """What operands go through, and what they are needed in, None for as they are."""
    graph, snapshot = problem.graph, problem.graph.snapshot
    rows = []
    for use in graph.uses:
        number = None if use.place == NOWHERE else numbers[use.op]
        if number is None or snapshot.names[use.op] in snapshot.data_flow_names | _SOURCES_ARE_MATCHED:
            continue
        source, result = graph.copies.get(use.source, (use.source, use.result))
        have, want = chosen[source].results[result], chosen[use.target].operands[use.operand]
        rows.append(((number, use.place), use.source, have, chosen[use.source].results[use.result], want))
    shared = {source for _, source, have, step, want in rows if step not in (have, want)}
    needed: dict[tuple[int, int], set[tuple[DimAxes | None, DimAxes | None]]] = {}
    for key, source, have, step, want in rows:
        through = problem.layouts[step] if source in shared else None
        needed.setdefault(key, set()).add((through, None if have == want else problem.layouts[want]))
    return needed


# Writing ---------------------------------------------------------------------------------------------


def write(module: ir.Operation, mesh: str, found: Annotations, amount: str) -> None:
    """Writes a plan into the program that it was made for; what the user has said stays."""
    ops = pre_order(module)
    main = main_function(module)
    given = arg_shardings(main)
    set_arg_shardings(
        main,
        {
            number: closed
            for number, layout in found.arguments.items()
            if (closed := _closed(mesh, layout, given[number])) is not None
        },
    )
    set_result_shardings(
        main,
        {
            number: closed
            for number, (layout, asked) in enumerate(_with_layouts(found, result_shardings(main)))
            if layout is not None and (closed := _closed(mesh, layout, asked)) is not None
        },
    )
    if amount == "arguments":
        return
    _write_values(ops, mesh, found)
    _write_steps(ops, mesh, found)
    if amount == "full":
        _write_uses(ops, mesh, found)


def _write_values(ops: list[ir.Operation], mesh: str, found: Annotations) -> None:
    """What is added up before it is scattered, and is as the user has said, is left to the partitioner."""
    new, scattered = {}, []
    for (number, place), layout in found.block_arguments.items():
        value = ops[number].regions[0].blocks[0].arguments[place]
        closed = _closed(mesh, layout, get_sharding(value)) if is_tensor(value.type) else None
        if closed is not None:
            new[value] = closed
    for key, layout in found.values.items():
        number, place = key
        value = ops[number].results[place]
        given = get_sharding(value)
        closed = _closed(mesh, layout, given) if is_tensor(value.type) else None
        if closed is None:
            continue
        if key in found.sums and given is None:
            closed = TensorSharding.from_axes(mesh, found.sums[key])
            scattered.append((ops[number], value, layout))
        new[value] = closed
    set_shardings(new)
    for op, value, layout in scattered:
        made = _constrained(value, layout, mesh, op, ir.InsertionPoint.after(op))
        value.replace_all_uses_except(made, [made.owner.operation])


def _with_layouts(
    found: Annotations, asked: list[TensorSharding | None]
) -> list[tuple[DimAxes | None, TensorSharding | None]]:
    return [(found.results.get(number), sharding) for number, sharding in enumerate(asked)]


def _closed(mesh: str, layout: DimAxes, given: TensorSharding | None) -> TensorSharding | None:
    """The sharding to write; None where the user has said everything."""
    if given is None:
        return TensorSharding.from_axes(mesh, layout)
    if given.is_fully_closed:
        return None
    # A priority says when propagation may extend a dimension, and there is nothing left to extend.
    return given.with_dims(DimensionSharding(axes, is_closed=True) for axes in layout)


def _write_steps(ops: list[ir.Operation], mesh: str, found: Annotations) -> None:
    """Once for all uses, where the first one is: straight to where they are needed may take longer."""
    shared: dict[tuple[int, DimAxes], list[tuple[int, int]]] = {}
    for (number, place), layout in found.steps.items():
        shared.setdefault((address(ops[number].operands[place]), layout), []).append((number, place))
    for (_, layout), uses in shared.items():
        number, place = min(uses)
        first = ops[number]
        value = first.operands[place]
        are_together = all(ops[number].block == first.block for number, _ in uses)
        ip = ir.InsertionPoint(first) if are_together else _behind(value)
        made = _constrained(value, layout, mesh, first, ip)
        for number, place in uses:
            ops[number].operands[place] = made


def _write_uses(ops: list[ir.Operation], mesh: str, found: Annotations) -> None:
    for (number, place), layout in found.uses.items():
        if found.steps.get((number, place)) != layout:
            op = ops[number]
            op.operands[place] = _constrained(op.operands[place], layout, mesh, op, ir.InsertionPoint(op))


def _constrained(value: ir.Value, layout: DimAxes, mesh: str, op: ir.Operation, ip: ir.InsertionPoint) -> ir.Value:
    """What `op` is to use instead of a value."""
    return builders.sharding_constraint(value, TensorSharding.from_axes(mesh, layout), loc=op.location, ip=ip)


def _behind(value: ir.Value) -> ir.InsertionPoint:
    """Where all ops that use a value see what is made of it, in whatever region they are."""
    if isinstance(value, ir.OpResult):
        return ir.InsertionPoint.after(value.owner.operation)
    return ir.InsertionPoint.at_block_begin(ir.BlockArgument(value).owner)


@dataclass(slots=True)
class WrittenSums:
    """The layouts in which the results of a problem are added up."""

    problem: Problem
    _found: dict[tuple[int, int], DimAxes | None] = field(default_factory=dict)
    """By the identity of strategies, which the problem keeps, and the number of one."""

    def of(self, value: int, states: States) -> DimAxes | None:
        """That of a value; None if it is not scattered, or explicit reshards do so anyway."""
        variable, _ = self.problem.graph.values[value]
        strategies, state = self.problem.strategies[variable], states[variable]
        key = id(strategies), state
        if key not in self._found:
            self._found[key] = None if self._is_carried_out(strategies, state) else self._partial(strategies, state)
        return self._found[key]

    def _partial(self, strategies: Strategies, state: int) -> DimAxes | None:
        (result,) = strategies.options[state].results
        sum_ = strategies.sum_for(state, self.problem.layouts[result])
        return None if sum_ is None else sum_.partial

    def _is_carried_out(self, strategies: Strategies, state: int) -> bool:
        """Whether explicit reshards do as a strategy says, given the layouts that it needs and gives."""
        option, profile = strategies.options[state], strategies.profile
        if not any(option.strategy.scattered):
            return True
        layouts = self.problem.layouts
        operands, results = (
            tuple(TensorSharding.from_axes("", layouts[number]) for number in numbers)
            for numbers in (option.operands, option.results)
        )
        shapes = tuple(tensor.shape for tensor in (*profile.operands, *profile.results))
        projection = project(OpTensors(profile.rule, operands, results, shapes), self.problem.prices.mesh)
        return common_axes(projection) == option.strategy.factors
