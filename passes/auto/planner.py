"""From an annotated program, a mesh and a machine to the plan that is best when it has been carried out.

The search works on a copy without calls; what it finds is written into copies of the program itself, which are
partitioned and priced. So a plan is never only predicted, unless that is asked for.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from sdy.dialect import builders
from sdy.dialect.op_names import op_name
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_survey import shardings_in
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function, module_body, symbol_name, top_level
from sdy.mlir.walk import pre_order
from sdy.passes.auto.annotating import Annotations, annotations_of, write
from sdy.passes.auto.callees import constrain_callees
from sdy.passes.auto.fewest import fewest
from sdy.passes.auto.hiding import hide
from sdy.passes.auto.limited_search import LimitedSearch
from sdy.passes.auto.memory_model import MemoryModel
from sdy.passes.auto.op_numbers import forget_numbers, number_ops
from sdy.passes.auto.plan_costs import Measured, PlanCost, measured
from sdy.passes.auto.problem import Plan, Problem
from sdy.passes.auto.program_graph import ProgramGraph, read_program
from sdy.passes.auto.reshard_prices import ReshardPrices
from sdy.passes.auto.tables import PICOSECOND
from sdy.passes.costs.machine import Machine
from sdy.passes.manager import run_nested
from sdy.passes.registry import step

AS_GIVEN = "as given"
"""What is written if propagation does better with what the user has said."""

MESH = "mesh"
"""The name of a mesh that the program has not declared."""

_LENIENT = 1.1
"""A plan may be predicted to take that much of the limit, if it is measured not to."""

_ATTEMPTS = 5
"""How often the limit is lowered by what the partitioned program takes too much."""

ALTERNATIVES = 3
"""How many other plans are told of."""

_TRIES = 40
"""How many programs are partitioned to find out which values need not be written down."""

_SAME = 1e-6
"""Two steps that are so close are the same."""

_LISTED = 5
"""How many tensors are named if a plan does not fit."""

_BEST = ("values", "full")
"""The ways to write a plan down of which the better one is taken."""

_CLOSE = 1.02
"""A measured step that is so close to the predicted one need not be written down in another way."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    `axes` are those of the mesh that may be used, `limit` the bytes that a device may hold, infinite for any number.
    `annotate` is one of `auto_options.ANNOTATE`: "best" measures "values", and "full" if that is not as predicted.
    `verify` is how many of the best plans are partitioned and measured. If the limit `is_soft`, and no plan fits, the
    one of least memory is taken. After `time_limit` seconds the search ends with what it has found.
    `overlap` is the part of what can be hidden that is; if it is not 0, programs are measured with it hidden.
    """

    mesh: Mesh
    machine: Machine
    axes: tuple[str, ...]
    limit: float = math.inf
    effort: str = "default"
    annotate: str = "best"
    verify: int = 1
    is_soft: bool = False
    time_limit: float = math.inf
    overlap: float = 0.0

    def measured(self, module: ir.Operation) -> Measured:
        """What an annotated module takes when it has been partitioned."""
        return measured(module, self.mesh, self.machine, overlaps=self.overlap > 0)


@dataclass(slots=True)
class Found:
    """The plan: the annotated copy of the program, what was predicted and, if that was asked for, measured.

    `annotations` are of the program, or, if it `is_inlined`, of its copy without calls. `others` are plans that were
    found on the way, the best first. `is_complete` is false if the time was over before the search was.
    `replicated` is the predicted cost of everything everywhere. `without_rule` counts ops without a rule by name.
    `solves` is how often one axis was solved for.
    """

    module: ir.Operation
    annotate: str
    annotations: Annotations
    predicted: PlanCost
    measured: Measured | None
    replicated: PlanCost
    without_rule: dict[str, int]
    solves: int
    is_exact: bool
    problem: Problem
    plan: Plan
    is_inlined: bool = False
    others: list[tuple[Plan, PlanCost]] = field(default_factory=list)
    is_complete: bool = True


def find_plan(module: ir.Operation, request: Request) -> Found:
    """The best plan for a module, which is not changed.

    Raises `DiagnosticError` if no plan fits, and at what cannot be partitioned automatically.
    """
    planner = _Planner(module, request)
    return planner.best()


def mesh_of_program(module: ir.Operation) -> tuple[str, Mesh] | None:
    """The mesh that a program is written for.

    Raises `DiagnosticError` where there are several that are used, or inlined ones.
    """
    meshes = MeshTable(module)
    used = {sharding.mesh_or_ref for sharding in shardings_in(module)}
    if any(isinstance(mesh, Mesh) for mesh in used):
        raise DiagnosticError(module, "has shardings with inlined meshes; run 'sdy-lift-inlined-meshes' first")
    found = {mesh: ref for ref in sorted(map(str, used)) if (mesh := meshes.resolve(ref)) is not None and mesh.axes}
    if len(found) > 1:
        raise DiagnosticError(
            module, f"uses the meshes {', '.join(sorted(found.values()))}, and is planned for one only"
        )
    if found:
        mesh, name = next(iter(found.items()))
        return name, mesh
    return meshes.global_mesh()


def without_calls(module: ir.Operation) -> ir.Operation:
    """A copy of a module in which all calls are inlined that can be; what functions say of their values stays."""
    copy = module.clone().operation
    constrain_callees(copy)
    run_nested(copy, [step("inline")])
    return copy


def written(module: ir.Operation, program: ir.Operation, said: Annotations, amount: str, mesh: Mesh) -> ir.Operation:
    """A copy of `program` with a plan for `mesh` in it; it is `module`, or that without calls."""
    known = mesh_of_program(module)
    copy = program.clone().operation
    name = _new_name(copy) if known is None else known[0]
    write(copy, name, said, amount)
    forget_numbers(pre_order(copy))
    if known is None:
        with ir.Location.unknown(copy.context):
            builders.mesh(name, mesh, ip=ir.InsertionPoint.at_block_begin(module_body(copy)))
    return copy


@dataclass(slots=True)
class _Planner:
    module: ir.Operation
    request: Request
    graph: ProgramGraph = field(init=False)
    problem: Problem = field(init=False)
    memory: MemoryModel = field(init=False)
    copy: ir.Operation = field(init=False)

    def best(self) -> Found:
        request = self.request
        ends_at = time.monotonic() + request.time_limit
        self.copy = self._copy_without_calls()
        self.graph = read_program(self.copy)
        if request.overlap:
            hide(self.graph, request.overlap)
        self.problem = Problem(self.graph, ReshardPrices(request.mesh, request.machine), request.axes)
        self.memory = MemoryModel(self.graph)
        if not request.is_soft:
            self._check_bound()
        search = LimitedSearch(self.problem, self.memory, request.effort, ends_at)
        # The model leaves out some of what the partitioner spares; what counts is what is measured.
        limit = request.limit * (_LENIENT if request.verify else 1)
        for attempt in range(_ATTEMPTS):
            fitting = search.within(limit)
            plans = fitting.plans or ([fitting.least] if request.verify else [])
            found = [self._carried_out(plan, search, is_tight=attempt > 0) for plan in self._finalists(plans)]
            good = [one for one in found if one.measured is None or one.measured.cost.memory <= request.limit]
            if good:
                best = self._or_as_given(min(good, key=_step))
                return self._told(best, fitting.plans, search)
            if not fitting.plans:
                break
            excess = min(one.measured.cost.memory for one in found if one.measured is not None) - request.limit
            limit = min(limit, self._largest_peak(plans, search)) - excess
        if request.is_soft:
            return self._told(self._carried_out(search.within(request.limit).least, search), [], search)
        raise self._too_large(search)

    def _told(self, best: Found, plans: list[Plan], search: LimitedSearch) -> Found:
        """With the next best plans that fit and say something else."""
        different = [plan for plan in plans if plan.states != best.plan.states][:ALTERNATIVES]
        others = [(plan, self._predicted(plan, search)) for plan in different]
        return replace(best, others=others, is_complete=search.found.is_complete)

    def _or_as_given(self, found: Found) -> Found:
        """The plan, or the program as it is if what propagation makes of it is measured to be better."""
        request = self.request
        if found.measured is None or mesh_of_program(self.module) is None:
            return found
        given = request.measured(self.module)
        if given.cost.memory > request.limit or given.cost.step >= found.measured.cost.step:
            return found
        module = self.module.clone().operation
        return replace(
            found, module=module, annotate=AS_GIVEN, annotations=Annotations(), predicted=given.cost, measured=given
        )

    def _largest_peak(self, plans: list[Plan], search: LimitedSearch) -> float:
        return max(search.peak(plan).bytes for plan in self._finalists(plans))

    # The program ---------------------------------------------------------------------------------

    def _copy_without_calls(self) -> ir.Operation:
        """A copy in which ops have the numbers of those of the program."""
        numbered = number_ops(self.module)
        copy = without_calls(self.module)
        forget_numbers(numbered)
        return copy

    def _finalists(self, plans: list[Plan]) -> Iterator[Plan]:
        yield from plans[: max(1, self.request.verify)]

    def _carried_out(self, plan: Plan, search: LimitedSearch, *, is_tight: bool = False) -> Found:
        """A plan as it is written down, in the way in which it is best.

        Where memory `is_tight`, what is written in full comes first, which is closest to what was found; if that does
        not fit, nothing else is tried.
        """
        request = self.request
        best = _BEST[::-1] if is_tight else _BEST
        amounts = best if request.annotate == "best" else (request.annotate,)
        predicted, said = self._predicted(plan, search), annotations_of(self.problem, plan.states)
        replicated = self._predicted(self.problem.plan(self.problem.replicated()), search)
        names = [self.graph.snapshot.names[op] for op in self.graph.without_rule]
        without = {name: names.count(name) for name in sorted(set(names))}
        program = self.module
        if not said.agrees:
            program, said = self.copy, annotations_of(self.problem, plan.states, of_copy=True)
        if request.annotate == "minimal":
            said = self._minimal(program, said)
        found: list[Found] = []
        for amount in amounts if request.verify else amounts[:1]:
            module = written(self.module, program, said, amount, request.mesh)
            real = request.measured(module) if request.verify else None
            found.append(
                Found(
                    module, amount, said, predicted, real, replicated, without,
                    self.problem.solves, self.graph.is_exact, self.problem, plan, program is self.copy,
                )
            )  # fmt: skip
            if real is None or self._is_enough(predicted, real.cost, is_tight=is_tight):
                break
        return min(found, key=lambda one: (self._excess(one), _step(one)))

    def _is_enough(self, predicted: PlanCost, real: PlanCost, *, is_tight: bool) -> bool:
        """Whether it would not help to write the plan down in another way."""
        limit = self.request.limit
        if real.memory > limit:
            return is_tight or predicted.memory > limit
        return real.step <= _CLOSE * predicted.step

    def _minimal(self, program: ir.Operation, said: Annotations) -> Annotations:
        """The plan with those values only without which the program of a device takes longer, or more memory."""
        request = self.request

        def cost(keys: Sequence[tuple[int, int]]) -> PlanCost:
            some = replace(said, values={key: said.values[key] for key in keys})
            return request.measured(written(self.module, program, some, "values", request.mesh)).cost

        whole = cost(list(said.values))

        def is_enough(keys: Sequence[tuple[int, int]]) -> bool:
            found = cost(keys)
            return found.step <= whole.step * (1 + _SAME) and found.memory <= whole.memory

        keys = fewest(sorted(said.values), is_enough, _TRIES)
        return replace(said, values={key: said.values[key] for key in keys})

    def _excess(self, found: Found) -> float:
        return 0.0 if found.measured is None else max(0.0, found.measured.cost.memory - self.request.limit)

    # Costs ---------------------------------------------------------------------------------------

    def _predicted(self, plan: Plan, search: LimitedSearch) -> PlanCost:
        problem = self.problem
        rows = list(zip(problem.options(plan.states), problem.graph.variables, strict=True))
        compute = sum(option.compute * variable.times for option, variable in rows) * PICOSECOND
        sent = sum(option.sent * variable.times for option, variable in rows)
        total = plan.cost
        for use, have, want, cost in problem.moves(plan.states):
            if use.is_tied:  # everything everywhere need not be as the user wants it
                total -= cost
                continue
            layouts = problem.layouts[have], problem.layouts[want]
            sent += use.times * problem.prices.bytes_sent(use.tensor.shape, use.tensor.bytes, *layouts)
        peak, total = search.peak(plan), total * PICOSECOND
        return PlanCost(total, compute, total - compute, sent, round(peak.bytes), round(peak.arguments))

    # Limits --------------------------------------------------------------------------------------

    def _check_bound(self) -> None:
        devices = self.request.mesh.size
        least = self.memory.least(devices)
        if least.bytes > self.request.limit:
            raise DiagnosticError(
                main_function(self.module),
                f"needs at least {least.bytes:,.0f} bytes on each of {devices} devices at {self._where(least.at)}, in "
                f"equal parts, and the limit of memory is {self.request.limit:,.0f}; the whole is "
                f"{self._listed(self.memory.whole(least.at))}",
            )

    def _too_large(self, search: LimitedSearch) -> DiagnosticError:
        plan = search.within(self.request.limit).least
        peak = search.peak(plan)
        largest = self._listed(self.memory.held(self.problem.options(plan.states), self.problem.shards, peak.at))
        return DiagnosticError(
            main_function(self.module),
            f"fits in no plan that was found: that of least memory takes {peak.bytes:,.0f} bytes at "
            f"{self._where(peak.at)}, {peak.arguments:,.0f} of them arguments, and the limit of memory is "
            f"{self.request.limit:,.0f}; largest besides arguments: {largest}",
        )

    def _where(self, at: int) -> str:
        ops = self.graph.snapshot.ops
        return op_name(ops[min(at, len(ops) - 1)].location)

    def _listed(self, held: Sequence[tuple[float, int]]) -> str:
        """The largest of what is held, by name; what else there is as a sum."""
        texts = [f"{size:,.0f} of {self._name(variable)}" for size, variable in held[:_LISTED]]
        rest = sum(size for size, _ in held[_LISTED:])
        return "; ".join([*texts, *([f"{rest:,.0f} of {len(held) - _LISTED} others"] if rest else ())])

    def _name(self, variable: int) -> str:
        op = self.graph.variables[variable].op
        if op is not None:
            return op_name(self.graph.snapshot.ops[op].location)
        number = self.graph.arguments.index(variable)
        argument = main_function(self.module).regions[0].blocks[0].arguments[number]
        name = op_name(argument.location)
        return f"argument {number}" if name == "unknown" else name


def _new_name(module: ir.Operation) -> str:
    """A name for a mesh that no symbol of the module has."""
    taken = {symbol_name(op) for op in top_level(module) if "sym_name" in op.attributes}
    return next(name for number in itertools.count() if (name := f"{MESH}_{number}" if number else MESH) not in taken)


def _step(found: Found) -> float:
    return found.predicted.step if found.measured is None else found.measured.cost.step
