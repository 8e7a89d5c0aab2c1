"""The optimisation problem of a program on a mesh of a machine; one mesh axis is solved at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.search.elimination import LIMIT, NEVER, Cost, Elimination, Following, total_cost
from sdy.passes.auto.search.problem_tables import Delivery, Numbers, ProblemTables
from sdy.passes.auto.search.program_graph import ProgramGraph, Use, Variable
from sdy.passes.auto.search.reshard_prices import Exchanges, ReshardPrices
from sdy.passes.auto.search.strategies import LayoutNumbers, Option, Profile, Strategies
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes

States = tuple[int, ...]
"""Number of the chosen strategy, by variable."""

WIDE_LIMIT = 1 << 18
"""Entries of the largest table of a program that is too wide to be solved for exactly."""

_TURNS = 3
"""Number of solves of such a program, each with other variables fixed."""

_MANY = 1 << 32
"""More strategies than any variable has."""


@dataclass(slots=True)
class Plan:
    """States of all variables, and their cost."""

    states: States
    cost: Cost


class Problem:
    """A program on a mesh of a machine, in tables. `axes` are those that may be used.

    `solves` counts exact solutions; a problem with the same prices of memory is solved once.
    """

    def __init__(self, graph: ProgramGraph, prices: ReshardPrices, axes: Sequence[str]) -> None:
        self.graph = graph
        self.prices = prices
        self.axes = tuple(axis for axis in axes if prices.mesh.axis_sizes[axis] > 1)
        self.layouts = LayoutNumbers()
        self._exchanges = Exchanges(prices.mesh, prices.machine)
        made: dict[int, Strategies] = {}
        self.strategies = [self._strategies(made, variable.profile) for variable in graph.variables]
        self.uses = [use for use in graph.uses if use.times]
        self.edges = [(use.source, use.target) for use in self.uses]
        self._tables = ProblemTables(graph.variables, self.strategies, self.uses, prices, self.layouts)
        self.shards = self._tables.shards
        self.solves = 0
        given = [(variable.given, variable.manual) for variable in graph.variables]
        self._slots = Numbers().of_all(list(zip(self._tables.kinds.tolist(), given, strict=True)))
        self._variants: dict[tuple[int, int, str], int] = {}
        self._improved_for_free: dict[tuple[States, str], tuple[States, Cost]] = {}
        states = enumerate(self.replicated())
        sizes = [len(self.variants(number, state, self.axes[0])) if self.axes else 1 for number, state in states]
        self.elimination = Elimination(self._tables.tables, self.edges, sizes)
        self._sizes = sizes
        self.forget_weights()

    def _strategies(self, made: dict[int, Strategies], profile: Profile) -> Strategies:
        if id(profile) not in made:
            made[id(profile)] = Strategies(profile, self.prices, self.layouts, self._exchanges)
        return made[id(profile)]

    def weigh(self, price: float, own: Sequence[tuple[float, ...]], copies: Sequence[float]) -> None:
        """Add a price of memory, in picoseconds per byte, to the objective (see `MemoryModel.weights`)."""
        used = [price * each for each, use in zip(copies, self.graph.uses, strict=True) if use.times]
        self._tables.weigh([tuple(price * each for each in weights) if price else () for weights in own], used)
        self._improved = {} if price else self._improved_for_free

    def forget_weights(self) -> None:
        """Memory costs nothing."""
        self.weigh(0.0, [()] * len(self.graph.variables), [0.0] * len(self.graph.uses))

    def axis_kind(self, axis: str) -> Hashable:
        """Return the key of equal axes: size, link, and name if the user mentions it."""
        named = {one.name for variable in self.graph.variables for one in _named(variable.given)}
        named.update(*(variable.manual for variable in self.graph.variables))
        return self.prices.mesh.axis_sizes[axis], self.prices.machine.link([axis]), axis if axis in named else ""

    # Plans ---------------------------------------------------------------------------------------

    def options(self, states: Sequence[int]) -> list[Option]:
        """Return the chosen option of each variable."""
        return [strategies.options[state] for strategies, state in zip(self.strategies, states, strict=True)]

    def replicated(self) -> States:
        """Return the plan that replicates everything, except for the user's shardings and manual computations."""
        pairs = zip(self.graph.variables, self.strategies, strict=True)
        return tuple(self._first(variable, strategies) for variable, strategies in pairs)

    def _first(self, variable: Variable, strategies: Strategies) -> int:
        if variable.first is not None:
            number = strategies.number(variable.first)
            assert number is not None, "borders that are read have parts of equal size"
            return number
        if variable.given is None or not strategies.profile.results:
            return strategies.replicated
        return strategies.fixed(tuple(dim.axes for dim in variable.given.dims))

    def plan(self, states: Sequence[int]) -> Plan:
        """A plan with its cost, memory aside."""
        pairs = zip(self.options(states), self.graph.variables, strict=True)
        cost = sum(option.cost * variable.times for option, variable in pairs)
        cost += sum(min(move.cost * use.times, NEVER) for use, move in self.moves(states))
        return Plan(tuple(states), cost)

    def moves(self, states: Sequence[int]) -> Iterator[tuple[Use, Delivery]]:
        """Return the uses that need a value in another layout, and the cost of one move."""
        for place, use, state, want in self._moves(states):
            yield use, self._tables.delivery(place, state, want)

    def _moves(self, states: Sequence[int]) -> Iterator[tuple[int, Use, int, int]]:
        """Return the positions of the uses, the uses, the state of the value's maker, and the needed layout."""
        options = self.options(states)
        for place, use in enumerate(self.uses):
            want = options[use.target].operands[use.operand]
            if options[use.source].results[use.result] != want:
                yield place, use, states[use.source], want

    def waiting(self, states: Sequence[int]) -> float:
        """Return the latency of a plan: its seconds without anything to compute or send."""
        rows = zip(self.strategies, self.options(states), self.graph.variables, strict=True)
        found = sum(strategies.waiting(option) * variable.times for strategies, option, variable in rows)
        deliveries = self._tables.deliveries
        for _, use, state, want in self._moves(states):
            found += use.times * deliveries.waiting(use, self.strategies[use.source], state, want)
        return found

    def objective(self, states: Sequence[int]) -> Cost:
        """Return the objective: cost plus the price of memory."""
        each = [self._tables.domain(number, (state,)) for number, state in enumerate(states)]
        domains = np.array(each, dtype=np.int64)
        own, between = self._tables.of(domains)
        return total_cost(self._tables.tables, own, self.edges, between, [0] * len(states))

    # Solutions -----------------------------------------------------------------------------------

    def improve(self, states: States, axis: str) -> tuple[States, Cost]:
        """Return the best plan that differs in the use of one axis only, and its objective."""
        found = self._improved.get((states, axis))
        if found is None:
            domains = self._domains(states, axis)
            is_wide = self._is_wide(domains)
            start = self._like_another(states, axis) if is_wide else states
            found = self._improved[states, axis] = self._solve(domains, start)
            if not is_wide:
                self._improved[found[0], axis] = found
        return found

    def _like_another(self, states: States, axis: str) -> States:
        """Return `states`, or, if better, states that use one axis wherever they use another."""
        others = [other for other in self.axes if other != axis]
        alike = (
            tuple(self._beside(number, state, axis, other) for number, state in enumerate(states)) for other in others
        )
        return min((states, *alike), key=self.objective)

    def _beside(self, number: int, state: int, axis: str, other: str) -> int:
        strategies = self.strategies[number]
        variants = self.variants(number, state, axis)
        return next((one for one in variants if strategies.is_beside(one, axis, other)), state)

    def improve_with(self, states: States, axis: str, allowed: Mapping[int, tuple[int, ...]]) -> States:
        """Improve the states with some variables restricted to `allowed`; the result may be worse."""
        domains, start = self._domains(states, axis), list(states)
        for number, domain in allowed.items():
            domains[number] = self._tables.domain(number, domain)
            if states[number] not in domain:
                start[number] = domain[-1]
        return self._solve(domains, tuple(start))[0]

    def solve(self, domains: Sequence[tuple[int, ...]], incumbent: States) -> States:
        """Return the best plan with states from the domains.

        Where tables grow too large, some variables keep those of `incumbent`.
        """
        numbers = [self._tables.domain(number, domain) for number, domain in enumerate(domains)]
        return self._solve(np.array(numbers, dtype=np.int64), incumbent)[0]

    def _solve(self, domains: np.ndarray, incumbent: States) -> tuple[States, Cost]:
        self.solves += 1
        return self._solve_wide(domains, incumbent) if self._is_wide(domains) else self._exactly(domains)

    def _is_wide(self, domains: np.ndarray) -> bool:
        """Return whether a table would be too large."""
        return bool(self.elimination.oversized(self._tables.sizes(domains), LIMIT))

    def _exactly(self, domains: np.ndarray) -> tuple[States, Cost]:
        chosen, cost = self.elimination.solve(*self._tables.of(domains))
        return self._chosen(domains, chosen), cost

    def _chosen(self, domains: np.ndarray, places: Sequence[int]) -> States:
        pairs = zip(domains.tolist(), places, strict=True)
        return tuple(self._tables.states(domain)[place] for domain, place in pairs)

    def _solve_wide(self, domains: np.ndarray, incumbent: States) -> tuple[States, Cost]:
        """Solve with ops without sums following their operands, then from there in turns."""
        return self._solve_in_turns(domains, self._roughly(domains, incumbent))

    def _solve_in_turns(self, domains: np.ndarray, states: States) -> tuple[States, Cost]:
        """Solve in turns: in each, other variables keep their state, so that tables do not grow too large."""
        kept, cost = set[int](), 0
        for _ in range(_TURNS):
            fixed = self.elimination.oversized(self._tables.sizes(domains), WIDE_LIMIT, kept)
            states, cost = self._exactly(self._with_fixed(domains, fixed, states))
            kept.update(fixed)
        return states, cost

    def _roughly(self, domains: np.ndarray, incumbent: States) -> States:
        """Return the best plan in which some variables follow their operands; `incumbent` if it is better."""
        following = self._following
        fixed = following.oversized(self._tables.sizes(domains), WIDE_LIMIT)
        some = self._with_fixed(domains, fixed, incumbent)
        return min(incumbent, self._chosen(some, following.solve(*self._tables.of(some))), key=self.objective)

    @cached_property
    def _following(self) -> Following:
        """A coarser problem, in which ops without sums follow others."""
        rules = enumerate(variable.profile.rule for variable in self.graph.variables)
        followers = [number for number, rule in rules if not rule.reduction]
        sent = [use.tensor.bytes for use in self.uses]
        return Following(self._tables.tables, self.edges, sent, self._sizes, followers)

    def _with_fixed(self, domains: np.ndarray, fixed: Sequence[int], states: States) -> np.ndarray:
        """Return the domains with some variables fixed."""
        found = domains.copy()
        for number in fixed:
            found[number] = self._tables.domain(number, (states[number],))
        return found

    def _domains(self, states: States, axis: str) -> np.ndarray:
        """Return the numbers of the domains of all variables for changes along one axis."""
        keys = self._slots * _MANY + np.array(states, dtype=np.int64)
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        different = [self._variants_of(number, states[number], axis) for number in first.tolist()]
        return np.array(different, dtype=np.int64)[inverse]

    def variants(self, number: int, state: int, axis: str) -> tuple[int, ...]:
        """Return the options of a variable that differ along one axis only, and agree with the user's shardings."""
        return self._tables.states(self._variants_of(number, state, axis))

    def _variants_of(self, number: int, state: int, axis: str) -> int:
        """The number of the domain."""
        key = (int(self._slots[number]), state, axis)
        found = self._variants.get(key)
        if found is None:
            strategies, given = self.strategies[number], self.graph.variables[number].given
            is_chosen = axis not in self.graph.variables[number].manual
            states = strategies.domain(state, axis) if is_chosen else (state,)
            if given is not None:
                layouts = ((one, self.layouts[strategies.options[one].results[0]]) for one in states)
                states = tuple(one for one, layout in layouts if keeps(layout, given)) or (state,)
            found = self._variants[key] = self._tables.domain(number, states)
        return found


def _named(given: TensorSharding | None) -> Iterator[AxisRef]:
    """The axes that the user speaks of."""
    if given is not None:
        yield from (axis for dim in given.dims for axis in dim.axes)
        yield from given.replicated


def keeps(layout: DimAxes, given: TensorSharding) -> bool:
    """Return whether a layout respects the user's sharding: given axes come first, closed dimensions have no others."""
    if any(axis.overlaps(other) for axes in layout for axis in axes for other in given.replicated):
        return False
    return all(
        axes[: len(dim.axes)] == dim.axes and (not dim.is_closed or len(axes) == len(dim.axes))
        for axes, dim in zip(layout, given.dims, strict=True)
    )
