"""The search: one mesh axis after the other, exactly, until none helps any more; then the best mixture of all plans.

With all other axes as they are an op has a handful of strategies, and the whole program is optimised at once
(`elimination`). The next axis sees what the first one does.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.auto.elimination import LIMIT, Elimination, total_cost
from sdy.passes.auto.memory_model import Shards
from sdy.passes.auto.program_graph import ProgramGraph, Use, Variable
from sdy.passes.auto.reshard_prices import ReshardPrices
from sdy.passes.auto.strategies import LayoutNumbers, Option, Profile, Strategies
from sdy.passes.auto.tables import NEVER, Cost, Tables, cost_of
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes

States = tuple[int, ...]
"""What each variable does: the number of its strategy."""

ORDERS = 6
"""Of the orders of the mesh axes, how many are tried."""

_SHARES = (0.1, 0.5, 2.0)
"""Prices of memory to explore at: what a plan's memory costs, in times of what it takes."""

ROUNDS = 8
"""How often all axes are gone through at most; it mostly ends after two or three."""


@dataclass(slots=True)
class Plan:
    """States of all variables, and what they cost."""

    states: States
    cost: Cost


@dataclass(slots=True)
class _Domain:
    """The states that a variable may take in one solve, with the layouts of each result and operand."""

    states: tuple[int, ...]
    results: list[tuple[int, ...]]
    operands: list[tuple[int, ...]]


class Problem:
    """A program on a mesh of a machine, in tables. `axes` are those that may be used."""

    def __init__(self, graph: ProgramGraph, prices: ReshardPrices, axes: Sequence[str]) -> None:
        self.graph = graph
        self.prices = prices
        self.axes = tuple(axes)
        self.layouts = LayoutNumbers()
        self.tables = Tables()
        made: dict[int, Strategies] = {}
        self.strategies = [self._strategies(made, variable.profile) for variable in graph.variables]
        self.uses = [use for use in graph.uses if use.times]
        self.edges = [(use.source, use.target) for use in self.uses]
        weights = [1 + len(each.profile.rule.factor_sizes) for each in self.strategies]
        self.elimination = Elimination(self.tables, self.edges, weights)
        self.solves = 0
        self._domains: dict[tuple[int, tuple[int, ...]], tuple[int, _Domain]] = {}
        self._own: dict[tuple[int, int, tuple[float, ...]], int] = {}
        self.shards = Shards(self.layouts, prices.mesh.axis_sizes)
        self.forget_weights()
        self._between: dict[tuple[float, ...], int] = {}
        self._prices: dict[tuple[int, int, int], Cost] = {}
        self._types: dict[object, int] = {}
        self._type_of_use = [self._types.setdefault(use.tensor, len(self._types)) for use in self.uses]
        self._allowed: dict[tuple[int, TensorSharding, int], bool] = {}
        self._number_of: dict[int, int] = {}
        for each in self.strategies:
            self._number_of.setdefault(id(each), len(self._number_of))
        self._kinds = [self._number_of[id(each)] for each in self.strategies]

    def _strategies(self, made: dict[int, Strategies], profile: Profile) -> Strategies:
        if id(profile) not in made:
            made[id(profile)] = Strategies(profile, self.prices, self.layouts)
        return made[id(profile)]

    def weigh(self, price: float, own: Sequence[tuple[float, ...]], copies: Sequence[float]) -> None:
        """Adds a price of memory, picoseconds for a byte, to what is minimised (see `MemoryModel.weights`)."""
        self.price_of_memory = price
        self._own_weights = [tuple(price * each for each in weights) if price else () for weights in own]
        weights = [price * each for each in copies]
        self._copy_weights = [weight for weight, use in zip(weights, self.graph.uses, strict=True) if use.times]

    def forget_weights(self) -> None:
        """Memory costs nothing."""
        self.weigh(0.0, [()] * len(self.graph.variables), [0.0] * len(self.graph.uses))

    # Plans ---------------------------------------------------------------------------------------

    def options(self, states: Sequence[int]) -> list[Option]:
        """What the variables do."""
        return [strategies.options[state] for strategies, state in zip(self.strategies, states, strict=True)]

    def replicated(self) -> States:
        """Everything everywhere, but for what the user says."""
        pairs = zip(self.graph.variables, self.strategies, strict=True)
        return tuple(self._first(variable, strategies) for variable, strategies in pairs)

    def _first(self, variable: Variable, strategies: Strategies) -> int:
        if variable.given is None or not strategies.profile.results:
            return strategies.replicated
        return strategies.fixed(tuple(dim.axes for dim in variable.given.dims))

    def plan(self, states: Sequence[int]) -> Plan:
        """A plan with its cost, memory aside."""
        cost = sum(
            option.cost * variable.times
            for option, variable in zip(self.options(states), self.graph.variables, strict=True)
        )
        for use, type_, have, want in self.moves(states):
            cost += min(self._price(use, type_, have, want) * use.times, NEVER)
        return Plan(tuple(states), cost)

    def moves(self, states: Sequence[int]) -> Iterator[tuple[Use, int, int, int]]:
        """The uses that need a value in another layout than it has, and the two layouts."""
        options = self.options(states)
        for use, type_ in zip(self.uses, self._type_of_use, strict=True):
            have, want = options[use.source].results[use.result], options[use.target].operands[use.operand]
            if have != want:
                yield use, type_, have, want

    def objective(self, states: Sequence[int]) -> Cost:
        """What is minimised: the cost, and the price of memory."""
        own, between = self._tables_of([(state,) for state in states])
        return total_cost(self.tables, own, self.edges, between, [0] * len(states))

    def improve(self, states: States, axis: str) -> States:
        """The best plan that differs in what is done with one axis only."""
        return self.solve([self.variants(number, state, axis) for number, state in enumerate(states)], states)

    def solve(self, domains: list[tuple[int, ...]], incumbent: States) -> States:
        """The best plan with states from the domains; where that is too much, some stay as in `incumbent`."""
        self.solves += 1
        for number in self.elimination.oversized(list(map(len, domains)), LIMIT):
            domains[number] = (incumbent[number],)
        own, between = self._tables_of(domains)
        chosen = self.elimination.solve(own, between)
        return tuple(domain[place] for domain, place in zip(domains, chosen, strict=True))

    def variants(self, number: int, state: int, axis: str) -> tuple[int, ...]:
        """What a variable may do with an axis, all else as it is; as the user has said."""
        found = self.strategies[number].domain(state, axis)
        given = self.graph.variables[number].given
        if given is None:
            return found
        return tuple(one for one in found if self._is_allowed(number, one, given)) or (state,)

    def _is_allowed(self, number: int, state: int, given: TensorSharding) -> bool:
        key = (self._kinds[number], given, state)
        if key not in self._allowed:
            layout = self.layouts[self.strategies[number].options[state].results[0]]
            self._allowed[key] = keeps(layout, given)
        return self._allowed[key]

    # Tables --------------------------------------------------------------------------------------

    def _tables_of(self, domains: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
        """The numbers of the tables of all variables and of all edges."""
        numbers, found = [], []
        for kind, strategies, domain in zip(self._kinds, self.strategies, domains, strict=True):
            key = (kind, domain)
            known = self._domains.get(key)
            if known is None:
                known = self._domains[key] = (len(self._domains), _domain(strategies.options, domain))
            numbers.append(known[0])
            found.append(known[1])
        own = []
        for place, number in enumerate(numbers):
            times, weights = self.graph.variables[place].times, self._own_weights[place]
            key = (number, times, weights)
            table = self._own.get(key)
            if table is None:
                options = [self.strategies[place].options[state] for state in found[place].states]
                table = self._own[key] = self.tables.row([self._own_cost(place, one, weights) for one in options])
            own.append(table)
        between = []
        for use, type_, weight in zip(self.uses, self._type_of_use, self._copy_weights, strict=True):
            source, target = use.source, use.target
            key = (type_, use.times, numbers[source], use.result, numbers[target], use.operand, weight)
            table = self._between.get(key)
            if table is None:
                have, want = found[source].results[use.result], found[target].operands[use.operand]
                table = self._between[key] = self._edge_table(use, type_, have, want, weight)
            between.append(table)
        return own, between

    def _own_cost(self, place: int, option: Option, weights: Sequence[float]) -> Cost:
        variable = self.graph.variables[place]
        held = zip(variable.profile.results, option.results, weights, strict=False)
        bytes_priced = sum(tensor.bytes / self.shards.of(layout) * weight for tensor, layout, weight in held)
        return min(option.cost * variable.times + round(bytes_priced), NEVER)

    def _edge_table(self, use: Use, type_: int, have: Sequence[int], want: Sequence[int], weight: float) -> int:
        """Prices of moves, and of the memory of copies; a part of what is there is no copy."""

        def price(first: int, second: int) -> Cost:
            is_copy = weight and first != second and not self.shards.are_parts(first, second)
            held = round(weight * use.tensor.bytes / self.shards.of(second)) if is_copy else 0
            return min(self._price(use, type_, first, second) * use.times + held, NEVER)

        prices = {(first, second): price(first, second) for first in set(have) for second in set(want)}
        rows = [[prices[first, second] for second in want] for first in have]
        return self.tables.number(np.array(rows, dtype=np.int64))

    def _price(self, use: Use, type_: int, have: int, want: int) -> Cost:
        if have == want:
            return 0
        key = (type_, have, want)
        found = self._prices.get(key)
        if found is None:
            seconds = self.prices.seconds(use.tensor.shape, use.tensor.bytes, self.layouts[have], self.layouts[want])
            found = self._prices[key] = cost_of(seconds)
        return found


def _domain(options: Sequence[Option], states: tuple[int, ...]) -> _Domain:
    chosen = [options[state] for state in states]
    results = zip(*(option.results for option in chosen), strict=True)
    operands = zip(*(option.operands for option in chosen), strict=True)
    return _Domain(states, list(results), list(operands))


def keeps(layout: DimAxes, given: TensorSharding) -> bool:
    """Whether a layout is as the user has said: given axes come first, closed dimensions have no others."""
    used = {axis.name for axes in layout for axis in axes}
    if any(axis.name in used for axis in given.replicated):
        return False
    return all(
        axes[: len(dim.axes)] == dim.axes and (not dim.is_closed or len(axes) == len(dim.axes))
        for axes, dim in zip(layout, given.dims, strict=True)
    )


# PlanSearch ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class PlanSearch:
    """All plans that have been found on the way, the best of which is `best`."""

    problem: Problem
    pool: list[Plan] = field(default_factory=list)

    @property
    def best(self) -> Plan:
        return min(self.pool, key=lambda plan: plan.cost)

    def descend(self, start: States, order: Sequence[str]) -> Plan:
        """Axis by axis in that order, round and round, until nothing changes."""
        problem, states = self.problem, start
        value, idle = problem.objective(states), 0
        for axis in itertools.chain.from_iterable(itertools.repeat(tuple(order), ROUNDS)):
            better = problem.improve(states, axis)
            cost = value if better == states else problem.objective(better)
            if cost < value:
                states, value, idle = better, cost, 0
            else:
                idle += 1
            if idle == len(order):
                break
        return self._found(states)

    def fuse(self, plans: Sequence[Plan]) -> Plan:
        """The best of all plans whose every state is that of one of `plans`, the first of which is the best of them."""
        domains = [tuple(dict.fromkeys(column)) for column in zip(*(plan.states for plan in plans), strict=True)]
        return self._found(self.problem.solve(domains, plans[0].states))

    def _found(self, states: States) -> Plan:
        plan = self.problem.plan(states)
        self.pool.append(plan)
        return plan


def search(problem: Problem, effort: str) -> PlanSearch:
    """Descends from everywhere replicated, and with more effort than "fast" in several orders of the axes."""
    found = PlanSearch(problem)
    start = problem.replicated()
    orders = list(itertools.permutations(problem.axes))[: 1 if effort == "fast" else ORDERS]
    for order in orders:
        found.descend(start, order)
    if len(found.pool) > 1:
        found.descend(found.fuse([found.best, *found.pool]).states, problem.axes)
    return found


def explore(found: PlanSearch, own: Sequence[tuple[float, ...]], copies: Sequence[float], peak: float) -> None:
    """Leaves the best plan by pricing memory, and comes back without: that may end in a better one."""
    problem = found.problem
    for share in _SHARES:
        problem.weigh(share * found.best.cost / peak, own, copies)
        other = found.descend(found.best.states, problem.axes)
        problem.forget_weights()
        found.descend(other.states, problem.axes)
    found.descend(found.fuse([found.best, *found.pool]).states, problem.axes)
