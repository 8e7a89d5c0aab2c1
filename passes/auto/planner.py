"""From an annotated program, a mesh and a machine to the plan that is best when it has been carried out.

The search works on a copy without calls; plans are written into copies of the program itself, which are partitioned and
priced. So plans are not only predicted, unless requested. The given program is partitioned as well, and so is full
replication, in a large program only if it is predicted to take little longer. By the reported costs no plan takes
longer than one of these that fits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sdy.dialect.surroundings import op_name
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import check_defined, main_function
from sdy.passes.auto.carrying_out import (
    SMALL,
    CarryingOut,
    best_of_all,
    equal_subgraphs,
    fitting_of_all,
    is_latency_bound,
)
from sdy.passes.auto.plan_costs import Found, Request, manual_cost
from sdy.passes.auto.search.elimination import PICOSECOND
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.limited_search import LimitedSearch
from sdy.passes.auto.search.memory_model import MemoryModel, Peak
from sdy.passes.auto.search.problem import Plan, Problem
from sdy.passes.auto.search.program_graph import ProgramGraph, hide
from sdy.passes.auto.search.reshard_prices import ReshardPrices, forget_numbers, number_ops
from sdy.passes.auto.written_plans import mesh_of_program, without_calls

_LENIENT = 1.1
"""A plan may be predicted to take that much of the limit, if it is measured not to."""

_ATTEMPTS = 5
"""Number of times the limit is lowered by the excess of the partitioned program."""

ALTERNATIVES = 3
"""Number of other plans in the report."""

NEAR_BEST_RATIO = 1.1
"""A plan beyond this ratio of the best predicted time is not measured."""

_NEAR_REPLICATED = 1.3
"""Nor is everything everywhere, beside a plan that was measured to take so much less, unless the program is small."""

_MESHES = 3
"""For how many meshes plans are measured, if there is a choice."""


def find_plan(module: ir.Operation, *requests: Request) -> Found:
    """Return the best plan for a module, which stays unchanged: of several requests, the one with the shortest step.

    They differ in the mesh. Plans are found for all of them; the best ones are measured. Raises `DiagnosticError` if no
    plan fits, and at ops that cannot be partitioned automatically.
    """
    program = _Program(module, requests[0])
    ends_at = time.monotonic() + requests[0].time_limit
    planners = [_Planner(program, request, ends_at) for request in requests]
    predicted = [(planner.predicted_step(), len(planner.request.axes)) for planner in planners]
    order = sorted(range(len(planners)), key=predicted.__getitem__)
    found: list[Found] = []
    errors: list[DiagnosticError] = []
    count = _MESHES if requests[0].verify else 1
    for number in order:
        if found and (len(found) == count or predicted[number][0] > NEAR_BEST_RATIO * predicted[order[0]][0]):
            break
        try:
            found.append(planners[number].best())
        except DiagnosticError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    return min(found, key=lambda one: (one.step, len(one.request.axes)))


class _Program:
    """Facts of a program that hold for any mesh."""

    def __init__(self, module: ir.Operation, request: Request) -> None:
        self.module = module
        check_defined(main_function(module))
        self.copy = _copy_without_calls(module)
        self.graph: ProgramGraph = read_program(self.copy)
        if request.overlap:
            hide(self.graph, request.overlap)
        self.memory = MemoryModel(self.graph)
        self.equal_to = equal_subgraphs(self.graph.snapshot)


def _copy_without_calls(module: ir.Operation) -> ir.Operation:
    """Return a copy without calls, whose ops keep their numbers."""
    numbered = number_ops(module)
    copy = without_calls(module)
    forget_numbers(numbered)
    return copy


class _Planner:
    """Looks for the plan for one request."""

    def __init__(self, program: _Program, request: Request, ends_at: float) -> None:
        self.program = program
        self.request = request
        self.refusals = Refusals(program.module, program.memory, request.limit)
        self._is_tried = request.verify > 0 and len(program.graph.variables) <= SMALL
        if not request.is_soft and not self._is_tried:
            self.refusals.check_bound(request.mesh.size)
        self.problem = Problem(program.graph, ReshardPrices(request.mesh, request.machine), request.axes)
        self.search = LimitedSearch(self.problem, program.memory, request.effort, ends_at)
        manual = manual_cost(program.copy, program.graph, request.mesh, request.machine)
        self.carrying_out = CarryingOut(program.module, program.copy, request, self.search, manual, program.equal_to)
        self._waits = is_latency_bound(self.carrying_out)
        self._replication: Found | None = None

    @property
    def _first_limit(self) -> float:
        """Return the first memory limit.

        The model overestimates part of the partitioner's savings; measurements decide.
        """
        return self.request.limit * (_LENIENT if self.request.verify else 1)

    def predicted_step(self) -> float:
        """Seconds of the best plan that is predicted to fit; infinite if there is none."""
        if self._waits:
            self.search.descend_limits(self.program.memory.least(self.request.mesh.size).bytes)
        plans = self.search.known(self._first_limit) if self._waits else []
        plans = plans or self.search.within(self._first_limit).plans
        return plans[0].cost * PICOSECOND if plans else math.inf

    def best(self) -> Found:
        """Return the best plan that fits when partitioned; call `predicted_step` before."""
        if self._waits and self.request.verify:
            of_all = best_of_all(self.carrying_out, self._given())
            if of_all is not None:
                return self._told(of_all, self.search.known(self._first_limit))
        request, limit = self.request, self._first_limit
        for _ in range(_ATTEMPTS):
            fitting = self.search.within(limit)
            # If none is predicted to fit, the plan of least memory still may.
            plans = fitting.plans or ([fitting.least] if request.verify else [])
            found = [self.carrying_out.found(plan) for plan in plans[: max(1, request.verify)]]
            if not request.verify and (full := self._replicated()).predicted.memory <= request.limit:
                found.append(full)
            good = [one for one in found if not one.excess]
            if good:
                best = min(good, key=_step)
                return self._told(min([best, *self._besides(best)], key=_step), fitting.plans)
            if not fitting.plans or not self.request.verify:
                break
            if all(one.refused for one in found):
                break
            largest = max(self.search.peak(one.plan).bytes for one in found if not one.refused)
            limit = min(limit, largest) - min(one.excess for one in found)
        least = self.search.within(self.request.limit).least
        is_tried = self._is_tried or len(self.carrying_out.refusals) > 0
        if is_tried and (fits := fitting_of_all(self.carrying_out, self._given())) is not None:
            return self._told(fits, [])
        if self.request.is_soft and not (smallest := self.carrying_out.found(least)).refused:
            return self._told(smallest, [])
        for refused in self.carrying_out.refusals.values():
            raise refused
        self.refusals.check_bound(self.request.mesh.size)
        raise self.refusals.too_large(self.problem, least, self.search.peak(least))

    def _besides(self, best: Found) -> Iterator[Found]:
        """Return alternatives to measure: the full plan, the program as given, all replicated."""
        if best.measured is None:
            return
        carrying_out = self.carrying_out
        full = carrying_out.in_full(best)
        others = [] if full is None else [full]
        if mesh_of_program(self.program.module) is not None:
            others.append(carrying_out.as_given(best))
        if carrying_out.is_small or best.replicated.step <= _NEAR_REPLICATED * best.step:
            others.append(self._replicated())
        yield from (one for one in others if not one.excess)

    def _given(self) -> Iterator[Found]:
        """Measure the candidates for a latency-bound program: all replicated, and the program as given."""
        replicated = self._replicated()
        yield replicated
        if mesh_of_program(self.program.module) is not None:
            yield self.carrying_out.as_given(replicated)

    def _replicated(self) -> Found:
        """Full replication, carried out."""
        if self._replication is None:
            plan = self.problem.plan(self.problem.replicated())
            self._replication = self.carrying_out.found(plan)
        return self._replication

    def _told(self, best: Found, plans: list[Plan]) -> Found:
        """Return the plan with the next best distinct plans that fit, and the measured cost of replication."""
        measured = None if self._replication is None else self._replication.measured
        different = [plan for plan in plans if plan.states != best.plan.states][:ALTERNATIVES]
        others = [(plan, self.carrying_out.predicted(plan)) for plan in different]
        return replace(
            best,
            replicated=best.replicated if measured is None else measured.cost,
            others=others,
            is_complete=self.search.found.is_complete,
            solves=self.problem.solves,
            refusals=tuple(self.carrying_out.refusals.values()),
        )


def _step(found: Found) -> float:
    return found.step


_LISTED = 5
"""Number of tensors that are named if a plan does not fit."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Errors of a program for which the limit of memory, in bytes on a device, is too low."""

    module: ir.Operation
    memory: MemoryModel
    limit: float

    def check_bound(self, devices: int) -> None:
        """Raises `DiagnosticError` if no plan can fit, whatever is searched for."""
        least = self.memory.least(devices)
        if least.bytes > self.limit:
            raise DiagnosticError(
                main_function(self.module),
                f"needs at least {least.bytes:,.0f} bytes on each of {devices} devices at {self._where(least.at)}, in "
                f"equal parts, and the limit of memory is {self.limit:,.0f}; the whole is "
                f"{self._listed(self.memory.whole(least.at))}",
            )

    def too_large(self, problem: Problem, plan: Plan, peak: Peak) -> DiagnosticError:
        """Return the error that the plan of least memory is too large, as predicted or as partitioned."""
        largest = self._listed(self.memory.held(problem.options(plan.states), problem.shards, peak.at))
        takes = "takes" if peak.bytes > self.limit else "is predicted to take, less than when it is partitioned,"
        return DiagnosticError(
            main_function(self.module),
            f"fits in no plan that was found: that of least memory {takes} {peak.bytes:,.0f} bytes at "
            f"{self._where(peak.at)}, {peak.arguments:,.0f} of them arguments, and the limit of memory is "
            f"{self.limit:,.0f}" + (f"; largest besides arguments: {largest}" if largest else ""),
        )

    def _where(self, at: int) -> str:
        ops = self.memory.graph.snapshot.ops
        return op_name(ops[min(at, len(ops) - 1)].location)

    def _listed(self, held: Sequence[tuple[float, int]]) -> str:
        """Return the largest tensors in memory by name, and the sum of the others."""
        texts = [f"{size:,.0f} of {self._name(variable)}" for size, variable in held[:_LISTED]]
        rest = sum(size for size, _ in held[_LISTED:])
        return "; ".join([*texts, *([f"{rest:,.0f} of {len(held) - _LISTED} others"] if rest else ())])

    def _name(self, variable: int) -> str:
        op = self.memory.graph.variables[variable].op
        if op is not None:
            return op_name(self.memory.graph.snapshot.ops[op].location)
        number = self.memory.graph.arguments.index(variable)
        argument = main_function(self.module).regions[0].blocks[0].arguments[number]
        name = op_name(argument.location)
        return f"argument {number}" if name == "unknown" else name
