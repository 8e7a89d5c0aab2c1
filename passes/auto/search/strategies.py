"""Strategies of ops along each mesh axis, and their costs without reshards.

A strategy assigns axes to the factors of the rule of an op. An axis on a reduction factor leaves partial results, which
are summed on all devices (all_reduce), or so that each keeps a part along a dimension of the result (reduce_scatter).
Ops with equal rule, types and price share their strategies.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import field

from sdy.dialect.values.axes import AxisList, AxisRef, product
from sdy.dialect.values.rule import FactorType, ShardingRule, TensorMapping
from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.search.elimination import Cost, cost_of
from sdy.passes.auto.search.reshard_prices import Exchange, Exchanges, ReshardPrices
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.costs.op_cost import OpWork
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes


@dataclass(frozen=True, slots=True)
class TensorSize:
    """A tensor as prices need it: global shape, bytes of an element, and whether ops read it from memory."""

    shape: tuple[int, ...]
    element_bytes: float
    is_in_memory: bool = True

    @property
    def bytes(self) -> float:
        return math.prod(self.shape) * self.element_bytes


@dataclass(frozen=True, slots=True)
class CollectiveWork:
    """Work of a collective in a manual computation along manual axes."""

    kind: str
    group_size: int
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """Inputs of an op's strategies. `can_reduce` permits partial results.

    Along `exchanged` factors devices exchange parts of the first operand of the op, which is that of the module `text`.
    The share `hidden` of the time for summing partial results costs nothing. A collective `sends` operands.
    """

    rule: ShardingRule
    operands: tuple[TensorSize, ...]
    results: tuple[TensorSize, ...]
    work: OpWork
    can_reduce: bool = True
    exchanged: tuple[int, ...] = ()
    text: str = ""
    hidden: float = 0.0
    sends: CollectiveWork | None = None


@dataclass(frozen=True, slots=True)
class Strategy:
    """Axes of each factor, and by dimension the axes of reduction factors that scatter partial results."""

    factors: tuple[AxisList, ...]
    scattered: tuple[AxisList, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A strategy, the numbers of its operand and result layouts, and the cost of one run.

    Of the cost, `compute` is for computation; the rest is for partial results and for exchanges along windows, which
    send `sent` bytes. While it runs, `held` bytes are needed besides operands and results.
    """

    strategy: Strategy
    operands: tuple[int, ...]
    results: tuple[int, ...]
    cost: Cost
    compute: Cost = 0
    sent: float = 0.0
    held: float = 0.0


@dataclass(frozen=True, slots=True)
class Sum:
    """Partial results in layout `partial`, summed along `axes` in place of the strategy's scatter.

    The strategy scatters along `said`; the sum scatters along `scattered`, which leaves `layout`.
    """

    axes: AxisList
    said: AxisList
    scattered: AxisList
    partial: DimAxes
    layout: DimAxes
    hidden: float


@dataclass(slots=True)
class LayoutNumbers:
    """Layouts by number; the first one is a placeholder."""

    layouts: list[DimAxes] = field(default_factory=list)
    _numbers: dict[DimAxes, int] = field(default_factory=dict)

    def of(self, layout: DimAxes) -> int:
        found = self._numbers.get(layout)
        if found is None:
            found = self._numbers[layout] = len(self.layouts)
            self.layouts.append(layout)
        return found

    def __getitem__(self, number: int) -> DimAxes:
        return self.layouts[number]


class Strategies:
    """Strategies of one profile, made on request; numbered in order of appearance."""

    def __init__(self, profile: Profile, prices: ReshardPrices, layouts: LayoutNumbers, exchanges: Exchanges) -> None:
        self.profile = profile
        self.prices = prices
        self._exchanges = exchanges
        self.layouts = layouts
        self.options: list[Option] = []
        self._numbers: dict[Strategy, int | None] = {}
        self._domains: dict[tuple[int, str], tuple[int, ...]] = {}
        self._using: dict[tuple[int, str], bool] = {}
        rule = profile.rule
        self._usable = [self._is_usable(factor) for factor in range(rule.num_factors)]
        rank = len(profile.results[0].shape) if profile.results else 0
        replicated = Strategy(((),) * rule.num_factors, ((),) * rank)
        number = self.number(replicated)
        assert number is not None, "full replication is always possible"
        self.replicated = number

    def number(self, strategy: Strategy) -> int | None:
        """Return the number of a strategy; None if it is invalid."""
        if strategy not in self._numbers:
            option = self._priced(strategy)
            self._numbers[strategy] = None if option is None else len(self.options)
            if option is not None:
                self.options.append(option)
        return self._numbers[strategy]

    def domain(self, current: int, axis: str) -> tuple[int, ...]:
        """Return the strategies that differ from the current one in the use of one axis, those that use it first."""
        key = (current, axis)
        found = self._domains.get(key)
        if found is None:
            numbers = map(self.number, self._variants(self.options[current].strategy, AxisRef(axis)))
            found = self._domains[key] = tuple(dict.fromkeys(n for n in (*numbers, current) if n is not None))
        return found

    def uses(self, number: int, axis: str) -> bool:
        """Return whether a strategy hands out an axis to a factor."""
        key = (number, axis)
        found = self._using.get(key)
        if found is None:
            factors = self.options[number].strategy.factors
            found = self._using[key] = any(each.name == axis for listed in factors for each in listed)
        return found

    def is_beside(self, number: int, axis: str, other: str) -> bool:
        """Return whether a strategy assigns an axis exactly where it assigns another one."""
        strategy = self.options[number].strategy
        names = ({each.name for each in listed} for listed in (*strategy.factors, *strategy.scattered))
        return all((axis in of) == (other in of) for of in names)

    def waiting(self, option: Option) -> float:
        """Return the latency of an option: its seconds without anything to compute or send."""
        work = self.profile.work
        starting = 0.0 if work.is_free or work.is_fused else self.prices.machine.memory_seconds(0.0)
        axes, scattered = self._partial_axes(option.strategy), _scattered_axes(option.strategy)
        adding = self.prices.reduce_seconds(axes, scattered, 0.0) if axes else 0.0
        return starting + (1 - self.profile.hidden) * adding

    def sum_for(self, number: int, want: DimAxes) -> Sum | None:
        """Return the reduction if all users of a scattered result need the layout `want`.

        Then only axes that scatter the layout, too, are scattered. None if the strategy scatters nothing.
        """
        strategy = self.options[number].strategy
        if not any(strategy.scattered):
            return None
        counts = [product(listed, self.prices.mesh.axis_sizes) for listed in strategy.factors]
        partial = self._layout(self.profile.rule.results[0], strategy, counts)
        assert partial is not None, "it is a strategy"
        axes = self._partial_axes(strategy)
        kept = [_kept(have, wanted, axes) for have, wanted in zip(partial, want, strict=True)]
        layout = tuple(have + more for have, more in zip(partial, kept, strict=True))
        again = tuple(axis for more in kept for axis in more)
        return Sum(axes, _scattered_axes(strategy), again, partial, layout, self.profile.hidden)

    def fixed(self, layout: DimAxes) -> int:
        """Return the strategy that puts a tensor that is not computed into `layout`, even with unequal parts."""
        strategy = Strategy(layout, ((),) * len(layout))
        number = self.number(strategy)
        if number is None:
            of = self.layouts.of(layout)
            number = self._numbers[strategy] = len(self.options)
            self.options.append(Option(strategy, (of,), (of,), 0))
        return number

    # Enumeration ---------------------------------------------------------------------------------

    def _is_usable(self, factor: int) -> bool:
        rule = self.profile.rule
        kind = rule.factor_types[factor]
        if kind is FactorType.REDUCTION:
            return self.profile.can_reduce
        if kind is FactorType.PERMUTATION and factor not in self.profile.exchanged:
            return False
        return kind is not FactorType.NEED_REPLICATION and factor not in rule.blocked_propagation

    def _variants(self, strategy: Strategy, axis: AxisRef) -> Iterator[Strategy]:
        """The strategies that agree with this one on all other axes."""
        order = self.prices.mesh.axis_positions
        rest = Strategy(
            tuple(tuple(each for each in listed if each.name != axis.name) for listed in strategy.factors),
            tuple(tuple(each for each in listed if each.name != axis.name) for listed in strategy.scattered),
        )
        reduction, sizes = self.profile.rule.reduction, self.profile.rule.factor_sizes
        shape = self.profile.results[0].shape if self.profile.results else ()
        for factor in self._roomiest_first(rest.factors, sizes):
            listed = rest.factors[factor]
            if not self._usable[factor]:
                continue
            for longer in _insertions(listed, axis, order):
                factors = _replaced(rest.factors, factor, longer)
                if factor in reduction:
                    for dim in self._roomiest_first(rest.scattered, shape):
                        other = rest.scattered[dim]
                        for scattered in _insertions(other, axis, order):
                            yield Strategy(factors, _replaced(rest.scattered, dim, scattered))
                yield Strategy(factors, rest.scattered)
        yield rest

    def _roomiest_first(self, sharded: Sequence[AxisList], sizes: Sequence[int]) -> list[int]:
        """Return the positions of `sharded`, ordered by the number of remaining elements, largest first.

        Of strategies with equal cost the first one wins, which leaves most room for later axes.
        """
        room = [size // product(axes, self.prices.mesh.axis_sizes) for size, axes in zip(sizes, sharded, strict=True)]
        return sorted(range(len(room)), key=lambda place: -room[place])

    # Layouts and costs ---------------------------------------------------------------------------

    def _priced(self, strategy: Strategy) -> Option | None:
        """Return the strategy with its layouts and its cost; None if it is invalid."""
        profile, sizes = self.profile, self.prices.mesh.axis_sizes
        counts = [product(listed, sizes) for listed in strategy.factors]
        if any(size % count for size, count in zip(profile.rule.factor_sizes, counts, strict=True)):
            return None
        operands = [self._layout(mapping, strategy, counts) for mapping in profile.rule.operands]
        partial = [self._layout(mapping, strategy, counts) for mapping in profile.rule.results]
        results = [layout and self._scattered(layout, strategy, place) for place, layout in enumerate(partial)]
        if None in operands or None in results:
            return None
        exchange = self._exchange(strategy, (*operands, *partial))
        if exchange is None:
            return None
        of = self.layouts.of
        needed, given = (tuple(of(each) for each in listed if each is not None) for listed in (operands, results))
        share, machine = self._share(strategy), self.prices.machine
        own = 0.0 if exchange.replaces else self._compute(strategy, operands, partial)
        compute = cost_of(own + exchange.local_seconds(machine, share))
        reduce, reduced = self._reduce(strategy, partial)
        sending, sent = self._send(operands)
        summed = sum(map(self._local_bytes, profile.results, partial)) if reduce else 0.0
        sending += (1 - profile.hidden) * reduce + exchange.sending_seconds(machine, share)
        sent += reduced + exchange.bytes_sent(share)
        return Option(
            strategy, needed, given, compute + cost_of(sending), compute, sent, share * exchange.held + summed
        )

    def _exchange(self, strategy: Strategy, tensors: Sequence[DimAxes | None]) -> Exchange | None:
        """Return the exchange along windows; None if parts are uneven, or dimensions would be gathered."""
        profile, sizes = self.profile, self.prices.mesh.axis_sizes
        exchanged = profile.exchanged
        if not any(strategy.factors[factor] for factor in exchanged):
            return Exchange()
        factors = tuple(axes if factor in exchanged else () for factor, axes in enumerate(strategy.factors))
        alone = Strategy(factors, ((),) * len(strategy.scattered))
        counts = [product(listed, sizes) for listed in factors]
        read, made = (
            tuple(self._layout(mapping, alone, counts) or () for mapping in mappings)
            for mappings in (profile.rule.operands, profile.rule.results)
        )
        for tensor, layout in zip((*profile.operands, *profile.results), tensors, strict=True):
            if any(size % product(axes, sizes) for size, axes in zip(tensor.shape, layout or (), strict=False)):
                return None
        unreduced = tuple(axis for factor in profile.rule.reduction for axis in factors[factor])
        return self._exchanges.of(profile.text, read, made, unreduced)

    def _share(self, strategy: Strategy) -> float:
        """Return the share of the first operand that remains when the other factors are sharded, too."""
        if not self.profile.exchanged:
            return 1.0
        in_first = {factor for dim in self.profile.rule.operands[0] for factor in dim}
        others = in_first - set(self.profile.exchanged)
        return 1 / math.prod(product(strategy.factors[factor], self.prices.mesh.axis_sizes) for factor in others)

    def _layout(self, mapping: TensorMapping, strategy: Strategy, counts: Sequence[int]) -> DimAxes | None:
        """Return the axes of each dimension.

        Returns None if a factor is sharded whose major factors in the dimension are not fully sharded.
        """
        dims: list[AxisList] = []
        for dim in mapping:
            axes: AxisList = ()
            is_whole = True
            for factor in dim:
                if strategy.factors[factor] and not is_whole:
                    return None
                axes += strategy.factors[factor]
                is_whole &= counts[factor] == self.profile.rule.factor_sizes[factor]
            dims.append(axes)
        return tuple(dims)

    def _scattered(self, layout: DimAxes, strategy: Strategy, place: int) -> DimAxes | None:
        """The layout of a result behind the reduction; None if the parts would not be equal."""
        if not any(strategy.scattered):
            return layout
        shape, sizes = self.profile.results[place].shape, self.prices.mesh.axis_sizes
        if len(self.profile.results) != 1:
            return None
        found = tuple(axes + more for axes, more in zip(layout, strategy.scattered, strict=True))
        if any(size % product(axes, sizes) for size, axes in zip(shape, found, strict=True)):
            return None
        return found

    def _local_bytes(self, tensor: TensorSize, layout: DimAxes | None) -> float:
        shards = math.prod(product(axes, self.prices.mesh.axis_sizes) for axes in layout or ())
        return tensor.bytes / shards

    def _compute(
        self, strategy: Strategy, operands: Sequence[DimAxes | None], results: Sequence[DimAxes | None]
    ) -> float:
        profile = self.profile
        if profile.work.is_free:
            return 0.0
        read = list(map(self._local_bytes, profile.operands, operands))
        written = sum(map(self._local_bytes, profile.results, results))
        in_memory = [tensor.is_in_memory for tensor in profile.operands]
        shards = math.prod(product(axes, self.prices.mesh.axis_sizes) for axes in strategy.factors)
        return profile.work.seconds(self.prices.machine, read, written, in_memory, shards)

    def _reduce(self, strategy: Strategy, partial: Sequence[DimAxes | None]) -> tuple[float, float]:
        """Seconds and bytes that adding up partial results takes."""
        axes = self._partial_axes(strategy)
        if not axes:
            return 0.0, 0.0
        scattered = _scattered_axes(strategy)
        sizes = list(map(self._local_bytes, self.profile.results, partial))
        seconds = sum(self.prices.reduce_seconds(axes, scattered, size) for size in sizes)
        return seconds, sum(self.prices.reduce_bytes(axes, scattered, size) for size in sizes)

    def _send(self, operands: Sequence[DimAxes | None]) -> tuple[float, float]:
        """Return the seconds and bytes of the op itself if it is a collective."""
        sends = self.profile.sends
        if sends is None:
            return 0.0, 0.0
        size = sum(map(self._local_bytes, self.profile.operands, operands))
        seconds = self.prices.machine.collective_seconds(sends.kind, sends.group_size, size, sends.axes)
        return seconds, moved_bytes(sends.kind, sends.group_size, size)

    def _partial_axes(self, strategy: Strategy) -> AxisList:
        return tuple(axis for factor in self.profile.rule.reduction for axis in strategy.factors[factor])


def _scattered_axes(strategy: Strategy) -> AxisList:
    return tuple(axis for listed in strategy.scattered for axis in listed)


def _kept(have: AxisList, want: AxisList, summed: AxisList) -> AxisList:
    """Return the axes of a dimension that a reduce-scatter adds between two layouts."""
    if want[: len(have)] != have:
        return ()
    return tuple(itertools.takewhile(lambda axis: axis in summed, want[len(have) :]))


def _insertions(listed: AxisList, axis: AxisRef, order: dict[str, int]) -> Iterator[AxisList]:
    """Return the list with one more axis, at any position; first at that of the mesh order."""
    places = range(len(listed) + 1)
    first = sum(order[each.name] < order[axis.name] for each in listed)
    for place in sorted(places, key=lambda place: (place != first, place)):
        yield (*listed[:place], axis, *listed[place:])


def _replaced(lists: tuple[AxisList, ...], at: int, new: AxisList) -> tuple[AxisList, ...]:
    return (*lists[:at], new, *lists[at + 1 :])
