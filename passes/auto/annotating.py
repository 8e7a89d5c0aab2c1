"""Annotations of a plan, and how they are written into a program.

A plan refers to the user's program, in which functions may be called from several places. Where the plan gives several
shardings to one value there, it is written into the program without calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    result_shardings,
    set_arg_shardings,
    set_result_shardings,
)
from sdy.dialect.shardings.value_shardings import get_sharding, set_shardings
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import main_function
from sdy.mlir.tensor_types import is_tensor
from sdy.mlir.walk import pre_order
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.problem import Plan, Problem, States
from sdy.passes.auto.search.program_graph import NOWHERE, ProgramGraph
from sdy.passes.auto.search.reshard_prices import number_of
from sdy.passes.auto.search.strategies import Option, Strategies
from sdy.passes.op_axes.common_axes import common_axes
from sdy.passes.op_axes.op_plan import OpTensors, project
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes

_SOURCES_ARE_MATCHED = frozenset({"func.return", "stablehlo.return", "sdy.return"})
"""Ops whose operands are resharded to what the op that they belong to says."""


@dataclass(slots=True)
class Annotations:
    """Layouts by location: number of the argument or result of the main function; number of the op and the position.

    `sums` are layouts in which values are summed before they are scattered, which gives those of `values`. `uses` are
    operands needed in another layout; `steps` are intermediate layouts that several uses of a value share. `agrees`
    tells that the copies of a value in inlined calls have one layout. `block_arguments` are those of manual
    computations, where axes remain to shard them.
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
    """Return the annotations of the program after which ops are numbered, or of the copy that was read."""
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
    """Read the results, which keep their layouts unless they take an argument's buffer or are annotated."""
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
    """Return the path of operands, and the layout in which they are needed; None for their own layout."""
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
    """Writes a plan into its program; shardings of the user stay."""
    ops = pre_order(module)
    main = main_function(module)
    set_arg_shardings(main, _all_closed(mesh, found.arguments, arg_shardings(main)))
    set_result_shardings(main, _all_closed(mesh, found.results, result_shardings(main)))
    if amount == "arguments":
        return
    _write_values(ops, mesh, found)
    _write_steps(ops, mesh, found)
    if amount == "full":
        _write_uses(ops, mesh, found)


def _write_values(ops: list[ir.Operation], mesh: str, found: Annotations) -> None:
    """Write constraints on values; the partitioner handles sums before a scatter that the user has sharded."""
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


def _all_closed(
    mesh: str, layouts: dict[int, DimAxes], given: list[TensorSharding | None]
) -> dict[int, TensorSharding]:
    """Return the shardings to write of the arguments, or of the results, of the main function."""
    pairs = ((number, _closed(mesh, layout, given[number])) for number, layout in sorted(layouts.items()))
    return {number: closed for number, closed in pairs if closed is not None}


def _closed(mesh: str, layout: DimAxes, given: TensorSharding | None) -> TensorSharding | None:
    """Return the sharding to write; None where the user's sharding is complete."""
    if given is None:
        return TensorSharding.from_axes(mesh, layout)
    if given.is_fully_closed:
        return None
    # A priority says when propagation may extend a dimension, and there is nothing left to extend.
    return given.with_dims(DimensionSharding(axes, is_closed=True) for axes in layout)


def _write_steps(ops: list[ir.Operation], mesh: str, found: Annotations) -> None:
    """Write each step once for all uses, at the first one; direct moves may take longer."""
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
    """Return the constrained value that `op` uses instead."""
    return builders.sharding_constraint(value, TensorSharding.from_axes(mesh, layout), loc=op.location, ip=ip)


def _behind(value: ir.Value) -> ir.InsertionPoint:
    """Return an insertion point behind a value and before its users, in any region."""
    if isinstance(value, ir.OpResult):
        return ir.InsertionPoint.after(value.owner.operation)
    return ir.InsertionPoint.at_block_begin(ir.BlockArgument(value).owner)


@dataclass(slots=True)
class WrittenSums:
    """The layouts in which the results of a problem are summed."""

    problem: Problem
    _found: dict[tuple[int, int], DimAxes | None] = field(default_factory=dict)
    """By the identity of strategies, which the problem keeps, and the number of one."""

    def of(self, value: int, states: States) -> DimAxes | None:
        """Return the scattered layout of a value.

        Returns None if it is not scattered, or explicit reshards scatter it in any case.
        """
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
        """Return whether explicit reshards carry out a strategy, given its operand and result layouts."""
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


# What a plan comes down to: which values go along which mesh axis together, and what that saves.
#
# A decision is an axis and variables that use it and hand their values to one another without moving them: the
# colours of TOAST (arXiv 2508.15010), found after the search. What it saves is what the plan costs without it, with
# all else solved anew for that axis; decisions help one another, so what they save does not add up.


_MOST = 8
"""Number of decisions that are priced: those with the most variables."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An axis for some values.

    Attributes:
      axis: the mesh axis.
      values: how many variables of the graph use it together.
      arguments: the numbers of the arguments among them.
      products: how many contractions are among them.
      saves: seconds of a step that the plan would take longer without it; `compute` and `communication` are the parts.
    """

    axis: str
    values: int
    arguments: tuple[int, ...]
    products: int
    saves: float
    compute: float
    communication: float


def decisions(problem: Problem, plan: Plan) -> tuple[Decision, ...]:
    """The decisions of a plan, largest savings first."""
    groups = [(axis, group) for axis in problem.axes for group in _groups(problem, plan.states, axis)]
    groups.sort(key=lambda pair: (-len(pair[1]), pair[0], pair[1]))
    found = [_priced(problem, plan, axis, group) for axis, group in groups[:_MOST]]
    return tuple(sorted(found, key=lambda one: -one.saves))


def _groups(problem: Problem, states: States, axis: str) -> Iterator[list[int]]:
    """Variables that use an axis, and are connected by uses without a move."""
    rows = enumerate(zip(problem.graph.variables, problem.strategies, states, strict=True))
    using = {
        number
        for number, (variable, strategies, state) in rows
        if strategies.uses(state, axis) and axis not in variable.manual
    }
    parent = {number: number for number in using}

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    moved = {(use.source, use.target, use.operand) for use, *_ in problem.moves(states)}
    for use in problem.uses:
        if use.source in using and use.target in using and (use.source, use.target, use.operand) not in moved:
            first, second = sorted((root(use.source), root(use.target)))
            parent[second] = first
    groups: dict[int, list[int]] = {}
    for number in sorted(using):
        groups.setdefault(root(number), []).append(number)
    copies = problem.graph.copies.keys()
    yield from (members for members in groups.values() if not copies >= set(members))


def _priced(problem: Problem, plan: Plan, axis: str, group: list[int]) -> Decision:
    without = {}
    for number in group:
        domain, strategies = problem.variants(number, plan.states[number], axis), problem.strategies[number]
        without[number] = tuple(state for state in domain if not strategies.uses(state, axis)) or domain
    other = problem.plan(problem.improve_with(plan.states, axis, without))
    compute = (_compute(problem, other.states) - _compute(problem, plan.states)) * PICOSECOND
    saves = (other.cost - plan.cost) * PICOSECOND
    members = set(group)
    arguments = tuple(place for place, variable in enumerate(problem.graph.arguments) if variable in members)
    products = sum(problem.graph.variables[number].profile.work.operations is not None for number in group)
    values = sum(number not in problem.graph.copies for number in group)
    return Decision(axis, values, arguments, products, saves, compute, saves - compute)


def _compute(problem: Problem, states: States) -> int:
    pairs = zip(problem.options(states), problem.graph.variables, strict=True)
    return sum(option.compute * variable.times for option, variable in pairs)


_MOST_SHAPES = 3
"""For how many shapes of arguments it is said why they are not sharded."""


@dataclass(frozen=True, slots=True)
class Unsharded:
    """Arguments of one shape that the plan leaves replicated, or nearly so, and the price of sharding them.

    Attributes:
      arguments: their numbers.
      axis: the mesh axis to shard them by that costs least; empty if none divides a dimension.
      costs: seconds of a step that the plan would take longer.
    """

    arguments: tuple[int, ...]
    axis: str
    costs: float


def unsharded(problem: Problem, plan: Plan) -> tuple[Unsharded, ...]:
    """The largest arguments that no mesh axis shards, by shape, except those that the user replicated."""
    graph = problem.graph
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, variable in enumerate(graph.arguments):
        tensor = graph.variables[variable].profile.results[0]
        option = problem.strategies[variable].options[plan.states[variable]]
        if graph.variables[variable].given is None and tensor.shape and problem.shards.of(option.results[0]) == 1:
            groups.setdefault(tensor.shape, []).append(place)
    sizes = {shape: len(places) * graph.variables[graph.arguments[places[0]]].profile.results[0].bytes
             for shape, places in groups.items()}  # fmt: skip
    largest = sorted(groups, key=lambda shape: (-sizes[shape], groups[shape]))[:_MOST_SHAPES]
    return tuple(_unsharded(problem, plan, groups[shape]) for shape in largest)


def _unsharded(problem: Problem, plan: Plan, places: list[int]) -> Unsharded:
    """Try each axis for all of them, and solve the rest again."""
    members = [problem.graph.arguments[place] for place in places]
    found = []
    for axis in problem.axes:
        used = {}
        for number in members:
            domain, strategies = problem.variants(number, plan.states[number], axis), problem.strategies[number]
            used[number] = tuple(state for state in domain if strategies.uses(state, axis))
        if not all(used.values()):
            continue
        other = problem.plan(problem.improve_with(plan.states, axis, used))
        found.append(((other.cost - plan.cost) * PICOSECOND, axis))
    costs, axis = min(found, default=(0.0, ""))
    return Unsharded(tuple(places), axis, costs)
