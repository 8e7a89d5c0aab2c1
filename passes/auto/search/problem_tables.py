"""The cost tables of a program: each state of a variable, and moves between two variables.

The states of a variable form a *domain*, a tuple of numbers of strategies, which has a number itself. Equal variables
and equal uses share tables, so a program of many layers has few tables, and all lookups are done at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field

import numpy as np

from sdy.dialect.values.axes import AxisRef
from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.search.elimination import NEVER, Cost, Tables, cost_of
from sdy.passes.auto.search.memory_model import Shards
from sdy.passes.auto.search.program_graph import Use, Variable
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.auto.search.strategies import LayoutNumbers, Option, Strategies, Sum
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes

# What it takes to bring the result of a variable to where another one needs it, in the layout that it needs.
#
# Partial results that are scattered, and then gathered by what uses them, are added up at once by the partitioner: of
# two reshards in a row it makes one, and who needs a part takes it from the whole. Over several axes that takes
# longer than one after the other, as more devices wait for one another, and never less.


_APART = NEVER >> 8
"""More than anything takes: an hour is four times that."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Cost of a delivery: seconds, the part of them for memory, and bytes that each device sends."""

    cost: Cost
    stored: float = 0.0
    sent: float = 0.0


NOTHING = Delivery(0)


@dataclass(slots=True)
class Deliveries:
    """Prices of deliveries, by the numbers of layouts."""

    prices: ReshardPrices
    layouts: LayoutNumbers
    _found: dict[tuple[object, ...], Delivery] = field(default_factory=dict)

    def of(self, use: Use, source: Strategies, state: int, want: int) -> Delivery:
        """Return the delivery from `source` in a state to a use."""
        have = source.options[state].results[use.result]
        if have == want:
            return NOTHING
        is_scattered = any(source.options[state].strategy.scattered)
        of_sum = use.of_sum or ((id(source), state) if is_scattered else False)
        key = (use.tensor, use.is_tied, use.hidden, have, want, of_sum)
        found = self._found.get(key)
        if found is None:
            layouts = self.layouts[have], self.layouts[want]
            sum_ = self._sum(use, source, state, *layouts) if of_sum else None
            found = self._found[key] = Delivery(_apart(*layouts)) if use.is_tied else self._priced(use, *layouts, sum_)
        return found

    def waiting(self, use: Use, source: Strategies, state: int, want: int) -> float:
        """Return the latency of a delivery: its seconds without bytes to send."""
        have = source.options[state].results[use.result]
        if use.is_tied or have == want:
            return 0.0
        layouts = self.layouts[have], self.layouts[want]
        sum_ = self._sum(use, source, state, *layouts)
        return self._seconds(use, 0.0, *layouts, sum_) + self._stored(use, 0.0, *layouts)

    def _sum(self, use: Use, source: Strategies, state: int, have: DimAxes, want: DimAxes) -> Sum | None:
        """Return the reduction in place of a reshard; for a copy, along all axes that do not shard it.

        So the copy is gathered, once for all uses, where the sum was not really scattered.
        """
        if not use.of_sum:
            return source.sum_for(state, want)
        wanted = {axis for axes in want for axis in axes}
        gathered = tuple(axis for axes in have for axis in axes if axis not in wanted)
        there = {axis for axes in have for axis in axes}
        rest = tuple(axis for axis in map(AxisRef, self.prices.mesh.axis_sizes) if axis not in there)
        if not gathered or not rest:
            return None
        left = tuple(tuple(axis for axis in axes if axis in wanted) for axes in have)
        return Sum((*gathered, *rest), gathered, (), left, left, use.hidden)

    def _priced(self, use: Use, have: DimAxes, want: DimAxes, sum_: Sum | None) -> Delivery:
        size = use.tensor.bytes
        stored = self._stored(use, size, have, want)
        cost = cost_of(self._seconds(use, size, have, want, sum_) + stored)
        return Delivery(cost, stored, self._sent(use, size, have, want, sum_))

    def _seconds(self, use: Use, size: float, have: DimAxes, want: DimAxes, sum_: Sum | None) -> float:
        """Return the seconds of collectives and slices. A sum that is faster without scattering is another strategy."""
        prices, shape = self.prices, use.tensor.shape
        moved = prices.seconds(shape, size, have, want, use.hidden)
        if sum_ is None:
            return moved
        part = size * prices.share(shape, sum_.partial)
        before, after = (prices.reduce_seconds(sum_.axes, over, part) for over in (sum_.said, sum_.scattered))
        rest = prices.seconds(shape, size, sum_.layout, want, use.hidden)
        return max(moved, (1 - sum_.hidden) * (after - before) + rest)

    def _sent(self, use: Use, size: float, have: DimAxes, want: DimAxes, sum_: Sum | None) -> float:
        prices, shape = self.prices, use.tensor.shape
        moved = prices.bytes_sent(shape, size, have, want)
        if sum_ is None:
            return moved
        part = size * prices.share(shape, sum_.partial)
        before, after = (prices.reduce_bytes(sum_.axes, over, part) for over in (sum_.said, sum_.scattered))
        return after - before + prices.bytes_sent(shape, size, sum_.layout, want)

    def _stored(self, use: Use, size: float, have: DimAxes, want: DimAxes) -> float:
        """Return the extra seconds if the tensor is computed at its use."""
        tensor = use.tensor
        return 0.0 if tensor.is_in_memory else self.prices.stored_seconds(tensor.shape, size, have, want)


def _apart(first: DimAxes, second: DimAxes) -> Cost:
    """Return the cost of different layouts for values that must have the same; it grows with the differing axes."""
    places = [{axis: dim for dim, axes in enumerate(layout) for axis in axes} for layout in (first, second)]
    different = sum(places[0].get(axis) != places[1].get(axis) for axis in places[0] | places[1])
    return _APART * max(1, different)


@dataclass(slots=True)
class Numbers:
    """Numbers of things, in order of appearance; the same thing has the same number for good."""

    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def of(self, thing: Hashable) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    def of_all(self, things: Sequence[Hashable]) -> np.ndarray:
        return np.array([self.of(thing) for thing in things], dtype=np.int64)


@dataclass(slots=True)
class _Domain:
    """The states that a variable may take in one solve, with the layouts of each result and operand."""

    states: tuple[int, ...]
    results: list[tuple[int, ...]]
    operands: list[tuple[int, ...]]


class ProblemTables:
    """Tables and domains of one problem; `kinds` groups variables with the same strategies."""

    def __init__(
        self,
        variables: Sequence[Variable],
        strategies: Sequence[Strategies],
        uses: Sequence[Use],
        prices: ReshardPrices,
        layouts: LayoutNumbers,
    ) -> None:
        self.tables = Tables()
        self.shards = Shards(layouts, prices.mesh.axis_sizes)
        self.kinds = Numbers().of_all([id(each) for each in strategies])
        self._variables = variables
        self._strategies = strategies
        self._uses = uses
        self._domains: list[_Domain] = []
        self._sizes = np.zeros(0, dtype=np.int64)
        self._domain_numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        self._types = Numbers().of_all([(use.tensor, use.is_tied, use.hidden, use.of_sum) for use in uses]).tolist()
        self._sources = np.array([use.source for use in uses], dtype=np.int64)
        self._targets = np.array([use.target for use in uses], dtype=np.int64)
        self._own_kinds, self._edge_kinds = Numbers(), Numbers()
        self._own: dict[tuple[int, int], int] = {}
        self._between: dict[tuple[int, int, int], int] = {}
        self.deliveries = Deliveries(prices, layouts)

    def weigh(self, own: Sequence[tuple[float, ...]], copies: Sequence[float]) -> None:
        """Return the price of a byte of each result and of the copy for each use, in picoseconds.

        The last number of a variable is that for temporary memory while it runs; a variable without any has no such
        cost.
        """
        self._weights, self._copy_weights = own, copies
        kinds = self.kinds.tolist()
        rows = zip(kinds, self._variables, own, strict=True)
        self._own_kind = self._own_kinds.of_all([(kind, one.times, weights) for kind, one, weights in rows])
        edges = zip(self._types, self._uses, copies, strict=True)
        self._edge_kind = self._edge_kinds.of_all(
            [(type_, use.result, use.operand, use.times, weight) for type_, use, weight in edges]
        )

    # Domains -------------------------------------------------------------------------------------

    def domain(self, variable: int, states: tuple[int, ...]) -> int:
        """Return the number of a domain for a variable, and for all others of its kind."""
        key = (int(self.kinds[variable]), states)
        found = self._domain_numbers.get(key)
        if found is None:
            found = self._domain_numbers[key] = len(self._domains)
            self._domains.append(_domain(self._strategies[variable].options, states))
        return found

    def states(self, domain: int) -> tuple[int, ...]:
        return self._domains[domain].states

    def sizes(self, domains: np.ndarray) -> np.ndarray:
        """Number of states of each domain."""
        if len(self._sizes) < len(self._domains):
            self._sizes = np.array([len(each.states) for each in self._domains], dtype=np.int64)
        return self._sizes[domains]

    # Tables --------------------------------------------------------------------------------------

    def of(self, domains: np.ndarray) -> tuple[list[int], list[int]]:
        """The numbers of the tables of all variables and of all edges, in these domains."""
        count = len(self._domains)
        own = _for_all(self._own_kind * count + domains, lambda place: self._own_table(place, int(domains[place])))
        if not len(self._sources):
            return own, []
        first, second = domains[self._sources], domains[self._targets]
        between = _for_all(
            (self._edge_kind * count + first) * count + second,
            lambda place: self._edge_table(place, int(first[place]), int(second[place])),
        )
        return own, between

    def _own_table(self, place: int, domain: int) -> int:
        key = (int(self._own_kind[place]), domain)
        table = self._own.get(key)
        if table is None:
            options = [self._strategies[place].options[state] for state in self._domains[domain].states]
            table = self._own[key] = self.tables.row([self._own_cost(place, one) for one in options])
        return table

    def _own_cost(self, place: int, option: Option) -> Cost:
        variable, weights = self._variables[place], self._weights[place]
        held = zip(variable.profile.results, option.results, weights, strict=False)
        bytes_priced = sum(tensor.bytes / self.shards.of(layout) * weight for tensor, layout, weight in held)
        bytes_priced += option.held * weights[-1] if weights else 0.0
        return min(option.cost * variable.times + round(bytes_priced), NEVER)

    def _edge_table(self, place: int, first: int, second: int) -> int:
        key = (int(self._edge_kind[place]), first, second)
        table = self._between.get(key)
        if table is None:
            want = self._domains[second].operands[self._uses[place].operand]
            table = self._between[key] = self._priced(place, self._domains[first].states, want)
        return table

    def _priced(self, place: int, states: Sequence[int], want: Sequence[int]) -> int:
        """Return the prices of moves and of memory for copies; a slice of the value is not a copy."""
        use, weight = self._uses[place], self._copy_weights[place]
        source = self._strategies[use.source]
        options = source.options

        def price(state: int, second: int) -> Cost:
            first = options[state].results[use.result]
            is_copy = weight and first != second and not self.shards.are_parts(first, second)
            held = round(weight * use.tensor.bytes / self.shards.of(second)) if is_copy else 0
            found = self.deliveries.of(use, source, state, second)
            return min(found.cost * use.times + held, NEVER)

        columns = {second: [price(state, second) for state in states] for second in set(want)}
        return self.tables.number(np.array([columns[second] for second in want], dtype=np.int64).T)

    def delivery(self, place: int, state: int, want: int) -> Delivery:
        """Return the exact cost of one reshard of the tensor of a use."""
        use = self._uses[place]
        return self.deliveries.of(use, self._strategies[use.source], state, want)


def _for_all(keys: np.ndarray, of: Callable[[int], int]) -> list[int]:
    """Apply `of` to the position of each key, once for equal keys."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return np.array([of(place) for place in first.tolist()], dtype=np.int64)[inverse].tolist()


def _domain(options: Sequence[Option], states: tuple[int, ...]) -> _Domain:
    chosen = [options[state] for state in states]
    results = zip(*(option.results for option in chosen), strict=True)
    operands = zip(*(option.operands for option in chosen), strict=True)
    return _Domain(states, list(results), list(operands))
