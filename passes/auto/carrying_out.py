"""Plans in written form, partitioned to measure their cost; each is written in its cheapest form."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias, TypeVar

from sdy.dialect.value_numbers import op_key
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import RefusedByUser
from sdy.mlir.effects import is_effect_free
from sdy.passes.auto.annotating import Annotations, annotations_of
from sdy.passes.auto.plan_costs import AS_GIVEN, Found, ManualCost, Measured, PlanCost, Request, Tally, tally
from sdy.passes.auto.search.elimination import NEVER, PICOSECOND
from sdy.passes.auto.search.limited_search import LimitedSearch
from sdy.passes.auto.search.problem import Plan
from sdy.passes.auto.search.program_graph import Use
from sdy.passes.auto.search.reshard_prices import NOT_OF_OP
from sdy.passes.auto.search.strategies import Option
from sdy.passes.auto.written_plans import written
from sdy.passes.propagation.engine.snapshot import Snapshot


def equal_subgraphs(snapshot: Snapshot) -> dict[int, int]:
    """Map ops to the first op of their block that computes the same value from the same, or equal, operands.

    Loops, branches and calls are never equal.
    """
    found: dict[int, int] = {}
    same: dict[int, int] = {}
    """By value the equal one of the first op."""
    first: dict[Hashable, int] = {}
    blocks = [members for regions in snapshot.regions.values() for members in regions]
    block_of = {op: number for number, members in enumerate(blocks) for op in members}
    for op, view in enumerate(snapshot.ops):
        if not len(snapshot.results[op]) or op in snapshot.data_flow_ops or snapshot.names[op] == "func.call":
            continue
        key = op_key(view, NOT_OF_OP, [same.get(value, value) for value in snapshot.operands[op]])
        equal = op if key is None else first.setdefault((block_of.get(op), key), op)
        if equal != op and is_effect_free(view):
            found[op] = equal
            same.update(zip(snapshot.results[op], snapshot.results[equal], strict=True))
    return found


def spared(snapshot: Snapshot, equal_to: Mapping[int, int], does: Mapping[int, object]) -> set[int]:
    """Return the ops of `equal_to` that merge under the shardings of `does`: equal shardings, with merged operands.

    Values made of constants alone are duplicated as needed, and are not in `does`.
    """
    found: set[int] = set()
    for op, equal in equal_to.items():
        pairs = zip(snapshot.operands[op], snapshot.operands[equal], strict=True)
        operands_merge = all(one == other or snapshot.definers[one] in found for one, other in pairs)
        if does.get(op) == does.get(equal) and operands_merge:
            found.add(op)
    return found


_TRIES = 40
"""Number of programs that are partitioned to find values that need no annotation."""

SAME_COST_RATIO = 1e-6
"""Two steps that are so close are the same."""

FULL = "full"

_BEST = ("values", FULL)
"""The ways to write a plan down of which the better one is taken."""

_MAY_BE_LEFT_OUT = ("values", "steps")
"""Parts of a plan that minimal annotations omit unless they save time."""

_Place: TypeAlias = tuple[str, tuple[int, int]]

SMALL = 200
"""The variables of a program that is small."""

_CLOSE = 1.01
"""A measured step that is so close to the predicted one need not be written down in another way."""


@dataclass(frozen=True, slots=True)
class CarryingOut:
    """Writes plans into `module`, or into its `copy` without calls, in which `search` found them.

    `manual` is the cost that all plans share. `equal_to` maps ops to equal ones; `refusals` are errors of users'
    functions, by message.
    """

    module: ir.Operation
    copy: ir.Operation
    request: Request
    search: LimitedSearch
    manual: ManualCost
    equal_to: Mapping[int, int]
    refusals: dict[str, RefusedByUser] = field(default_factory=dict)

    @property
    def is_small(self) -> bool:
        """Return whether one more partitioning of the program is cheap."""
        return len(self.search.problem.strategies) <= SMALL

    def found(self, plan: Plan) -> Found:
        """Return the plan in its best written form."""
        request, problem = self.request, self.search.problem
        amounts = _BEST if request.annotate == "best" else (request.annotate,)
        predicted, said = self.predicted(plan), annotations_of(problem, plan.states)
        replicated = self.predicted(problem.plan(problem.replicated()))
        graph = problem.graph
        names = [graph.snapshot.names[op] for op in graph.without_rule]
        without = {name: names.count(name) for name in sorted(set(names))}
        program = self.module
        if not said.agrees:
            program, said = self.copy, annotations_of(problem, plan.states, of_copy=True)
        if request.annotate == "minimal":
            said = self._minimal(program, said)
        found: list[Found] = []
        for amount in amounts if request.verify else amounts[:1]:
            module = written(self.module, program, said, amount, request.mesh)
            real, refused = self._measured(module) if request.verify else (None, None)
            found.append(
                Found(
                    module, amount, said, predicted, real, replicated, without,
                    problem.solves, graph.is_exact, problem, plan, request, program is self.copy, refused=refused,
                )
            )  # fmt: skip
            if not request.verify or (real is not None and self._is_enough(predicted, real.cost)):
                break
        return min(found, key=lambda one: (one.excess, one.step))

    def in_full(self, found: Found) -> Found | None:
        """Measure a plan with full annotations; None if not requested, or already measured."""
        real = found.measured
        if self.request.annotate != "best" or found.annotate == FULL or real is None:
            return None
        if not self._is_enough(found.predicted, real.cost):
            return None
        program = self.copy if found.is_inlined else self.module
        module = written(self.module, program, found.annotations, FULL, self.request.mesh)
        real, refused = self._measured(module)
        return replace(found, module=module, annotate=FULL, measured=real, refused=refused)

    def as_given(self, found: Found) -> Found:
        """Return the given program, with propagation, as a plan."""
        (given, refused), module = self._measured(self.module), self.module.clone().operation
        return replace(
            found,
            module=module,
            annotate=AS_GIVEN,
            annotations=Annotations(),
            predicted=found.predicted if given is None else given.cost,
            measured=given,
            is_inlined=False,
            refused=refused,
        )

    def _measured(self, module: ir.Operation) -> tuple[Measured | None, RefusedByUser | None]:
        """Measure an annotated module; remark why a user's function refuses it."""
        try:
            return self.request.measured(module), None
        except RefusedByUser as error:
            self.refusals.setdefault(str(error), error)
            return None, error

    def _is_enough(self, predicted: PlanCost, real: PlanCost) -> bool:
        """Return whether it would not help to write the plan down in another way."""
        limit = self.request.limit
        if real.memory > limit:
            return not self.is_small and predicted.memory > limit
        return real.step <= _CLOSE * predicted.step

    def _minimal(self, program: ir.Operation, said: Annotations) -> Annotations:
        """Return the plan reduced to the values that time or memory depend on."""
        request = self.request

        def some(places: Sequence[_Place]) -> Annotations:
            values, steps = (
                {key: getattr(said, kind)[key] for one, key in places if one == kind} for kind in _MAY_BE_LEFT_OUT
            )
            return replace(said, values=values, steps=steps)

        def cost(places: Sequence[_Place]) -> PlanCost | None:
            found, _ = self._measured(written(self.module, program, some(places), "values", request.mesh))
            return None if found is None else found.cost

        places = [(kind, key) for kind in _MAY_BE_LEFT_OUT for key in sorted(getattr(said, kind))]
        whole = cost(places)
        if whole is None:
            return said

        def is_enough(places: Sequence[_Place]) -> bool:
            found = cost(places)
            return (
                found is not None and found.step <= whole.step * (1 + SAME_COST_RATIO) and found.memory <= whole.memory
            )

        return some(fewest(places, is_enough, _TRIES))

    def predicted(self, plan: Plan) -> PlanCost:
        """Return the cost of a plan by the model of the search."""
        found = tally(self.search.problem.graph.snapshot, self._parts(plan))
        peak, manual = self.search.peak(plan), self.manual
        waiting = (found.total - found.compute) * PICOSECOND + manual.communication
        compute, sent = found.compute * PICOSECOND + manual.compute, found.sent + manual.bytes_sent
        return PlanCost(compute + waiting, compute, waiting, sent, round(peak.bytes), round(peak.arguments))

    def _made_by(self) -> Iterator[tuple[int, int]]:
        """Return the ops of `equal_to`, and the given ones, that have a choice, with their first results."""
        snapshot, values = self.search.problem.graph.snapshot, self.search.problem.graph.values
        for op in dict.fromkeys((*self.equal_to, *self.equal_to.values())):
            if snapshot.results[op][0] in values:
                yield op, snapshot.results[op][0]

    def _before_said(self) -> dict[int, tuple[int, int]]:
        """Return, by variable of a user's sharding, the value that it shards, as variable and result."""
        graph = self.search.problem.graph
        said = {number for number, variable in enumerate(graph.variables) if variable.given is not None}
        return {use.target: (use.source, use.result) for use in graph.uses if use.target in said and not use.is_tied}

    def _parts(self, plan: Plan) -> Iterator[tuple[int | None, Tally]]:
        """Return the seconds of each op, and of the reshards for it."""
        problem = self.search.problem
        graph, options = problem.graph, problem.options(plan.states)
        does = {op: options[graph.values[value][0]] for op, value in self._made_by()}
        merged = spared(graph.snapshot, self.equal_to, does)
        for option, variable in zip(options, graph.variables, strict=True):
            times = 0 if variable.op in merged else variable.times
            yield variable.op, Tally(option.cost * times, option.compute * times, option.sent * times)
        before = self._before_said()
        for use, move in problem.moves(plan.states):
            # Everything everywhere need not be as the user wants it.
            if not use.is_tied and use.op not in merged and not _is_there(use, options, graph.copies, before):
                cost, stored, sent = (use.times * each for each in (move.cost, move.stored / PICOSECOND, move.sent))
                yield use.op, Tally(min(cost, NEVER), stored, sent)


def _is_there(
    use: Use,
    options: Sequence[Option],
    copies: Mapping[int, tuple[int, int]],
    before: Mapping[int, tuple[int, int]],
) -> bool:
    """Return whether the layout that a use needs existed before the user's constraint; the partitioner uses it."""
    source, _ = copies.get(use.source, (use.source, use.result))
    variable, result = before.get(source, (None, 0))
    return variable is not None and options[variable].results[result] == options[use.target].operands[use.operand]


T = TypeVar("T")


def fewest(things: Sequence[T], is_enough: Callable[[Sequence[T]], bool], tries: int) -> list[T]:
    """Drop parts of `things` as long as the rest is enough; return the rest.

    First all are left out, then halves, quarters and so on; with enough tries no value of the result can be left out.
    """
    left, size = list(things), len(things)
    while size and left:
        at, is_smaller = 0, False
        while at < len(left) and tries > 0:
            rest = left[:at] + left[at + size :]
            tries -= 1
            if is_enough(rest):
                left, is_smaller = rest, True
            else:
                at += size
        if tries <= 0:
            break
        size = size if is_smaller and size == 1 else size // 2
    return left


# Programs that mostly wait: of all plans that a search comes upon the one that is measured to be best.
#
# Where ops compute next to nothing, and collectives send next to nothing, a step takes as long as there are many of
# them in what the partitioner makes, which is not predicted well: some are merged, some moved, some spared. So plans
# are measured that are predicted to be far slower; the same ones whatever the limit of memory is, so that no limit
# leads to a faster plan than a looser one. It is so of programs of a few ops, too, where one slice more or less is
# much.


_MOSTLY = 0.9
"""The part of a step in which a program waits, for ops to start and for collectives to begin, that mostly waits."""

MAX_LATENCY_BOUND_OPS = 40
"""The variables of a program of a few ops."""

_PLANS = 32
"""Number of plans that are looked at, fastest predictions first."""

_PLANS_OF_LARGE = 4
"""Number of plans that are looked at for a program that is not small."""

_LENIENT, _LENIENT_WITH_FEW = 1.1, math.inf
"""A plan may take so much less time than predicted, but for what it waits, and so much less memory."""


def is_latency_bound(carrying_out: CarryingOut) -> bool:
    """Return whether the fastest plan is latency-bound and its program is small, or has few ops."""
    search = carrying_out.search
    best = search.found.best
    if _has_few_ops(carrying_out) or not carrying_out.is_small:
        return carrying_out.is_small
    return search.problem.waiting(best.states) > _MOSTLY * best.cost * PICOSECOND


def best_of_all(carrying_out: CarryingOut, known: Iterable[Found]) -> Found | None:
    """Return the best of the `known` plans and those found so far; known plans win ties; None if none fits."""
    search, largest = carrying_out.search, _lenient(carrying_out) * carrying_out.request.limit
    given = best = min((one for one in known if not one.excess), key=lambda one: one.step, default=None)
    plans = {plan.states: plan for plan in search.found.pool}.values()
    for plan in sorted(plans, key=lambda plan: (plan.cost, search.peak(plan).bytes))[:_PLANS]:
        is_slower = best is not None and least_seconds(carrying_out, plan) > best.step
        if is_slower or search.peak(plan).bytes > largest:
            continue
        found = carrying_out.found(plan)
        is_as_fast = best is given and best is not None and found.step == best.step
        if not found.excess and (best is None or is_as_fast or found.step < best.step):
            best = found
    return best


def fitting_of_all(carrying_out: CarryingOut, known: Iterable[Found]) -> Found | None:
    """Return the best plan that fits when measured, among the `known` plans and the found ones of least memory.

    None if none fits.

    Predictions overestimate: the partitioner saves some of it, and some values are aliases.
    """
    search = carrying_out.search
    plans = {plan.states: plan for plan in search.found.pool}.values()
    count = _PLANS if carrying_out.is_small else _PLANS_OF_LARGE
    smallest = sorted(plans, key=lambda plan: (search.peak(plan).bytes, plan.cost))[:count]
    measured = (carrying_out.found(plan) for plan in smallest)
    fitting = (one for one in (*known, *measured) if not one.excess)
    return min(fitting, key=lambda one: one.step, default=None)


def least_seconds(carrying_out: CarryingOut, plan: Plan) -> float:
    """Return a lower bound of the seconds of a plan: no device waits."""
    waiting = carrying_out.search.problem.waiting(plan.states)
    return (plan.cost * PICOSECOND - waiting) / _lenient(carrying_out)


def _lenient(carrying_out: CarryingOut) -> float:
    return _LENIENT_WITH_FEW if _has_few_ops(carrying_out) else _LENIENT


def _has_few_ops(carrying_out: CarryingOut) -> bool:
    return len(carrying_out.search.problem.strategies) <= MAX_LATENCY_BOUND_OPS
