"""What it takes to bring the result of a variable to where another one needs it, in the layout that it needs.

Partial results that are scattered, and then gathered by what uses them, are added up at once by the partitioner: of two
reshards in a row it makes one, and who needs a part takes it from the whole. Over several axes that takes longer than
one after the other, as more devices wait for one another, and never less.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.dialect.values.axes import AxisRef
from sdy.passes.auto.search.elimination import NEVER, Cost, cost_of
from sdy.passes.auto.search.program_graph import Use
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.auto.search.strategies import LayoutNumbers, Strategies, Sum
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes

_APART = NEVER >> 8
"""More than anything takes: an hour is four times that."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one takes: seconds altogether, and of them those for memory; bytes that each device sends."""

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

    def of(self, use: Use, source: Strategies, state: int, want: int, *, believed: bool = False) -> Delivery:
        """That of a use of what `source` returns in a state; what is said to be scattered is if that is `believed`."""
        have = source.options[state].results[use.result]
        if have == want:
            return NOTHING
        is_scattered = any(source.options[state].strategy.scattered)
        of_sum = not believed and (use.of_sum or ((id(source), state) if is_scattered else False))
        key = (use.tensor, use.is_tied, use.hidden, have, want, of_sum)
        found = self._found.get(key)
        if found is None:
            layouts = self.layouts[have], self.layouts[want]
            sum_ = self._sum(use, source, state, *layouts) if of_sum else None
            found = self._found[key] = Delivery(_apart(*layouts)) if use.is_tied else self._priced(use, *layouts, sum_)
        return found

    def waiting(self, use: Use, source: Strategies, state: int, want: int) -> float:
        """Of the seconds those that it would take if there were nothing to send."""
        have = source.options[state].results[use.result]
        if use.is_tied or have == want:
            return 0.0
        layouts = self.layouts[have], self.layouts[want]
        sum_ = self._sum(use, source, state, *layouts)
        return self._seconds(use, 0.0, *layouts, sum_) + self._stored(use, 0.0, *layouts)

    def _sum(self, use: Use, source: Strategies, state: int, have: DimAxes, want: DimAxes) -> Sum | None:
        """What is added up at once instead. Of a copy it is not known what was: all that it is not sharded along.

        So it is the copy that is gathered, where it was not scattered in earnest, and that once for all uses.
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
        """In collectives and slices. A sum that takes less at once is what another strategy says."""
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
        """What it takes besides if the tensor is computed where it is used."""
        tensor = use.tensor
        return 0.0 if tensor.is_in_memory else self.prices.stored_seconds(tensor.shape, size, have, want)


def _apart(first: DimAxes, second: DimAxes) -> Cost:
    """The cost of laying out in two ways what has to be alike: the more axes differ the more, as one is solved for."""
    places = [{axis: dim for dim, axes in enumerate(layout) for axis in axes} for layout in (first, second)]
    different = sum(places[0].get(axis) != places[1].get(axis) for axis in places[0] | places[1])
    return _APART * max(1, different)
