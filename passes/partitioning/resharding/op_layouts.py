"""Ways to divide the work of one op: assignments of axes to the factors of its rule, with their costs.

An assignment gives the layouts of operands and results, the axes along which the results are partial, and the seconds
that a device computes. Candidates come from existing layouts: those of the operands, and those that users of the
results need. Plain values; nothing here changes a program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from sdy.dialect.definition.attributes import shared
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import Window
from sdy.dialect.values.axes import AxisList, AxisSizes, any_overlap, merged, product, truncate
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import FactorSharding, ShardingRule, TensorMapping, from_factors, to_factors
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import is_tensor
from sdy.passes.costs.machine import Machine, moved_bytes
from sdy.passes.costs.op_cost import product_operations
from sdy.passes.op_axes.common_axes import Assignment
from sdy.passes.partitioning.analysis.intervals import Access, Halo
from sdy.passes.partitioning.reshard_planning.reshard_search import padded_merges
from sdy.stablehlo import op_table
from sdy.stablehlo.idioms.loops import combining_ops

_PRODUCTS = frozenset({"stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general"})
_REDUCE, _GATHER, _SCATTER = "stablehlo.reduce", "stablehlo.gather", "stablehlo.scatter"
LOOKUPS = frozenset({_GATHER, _SCATTER})

_MOVABLE = op_table.ops_of(op_table.OpKind.MOVES) | op_table.ops_of(op_table.OpKind.COMPUTES)
_UNFUSED = op_table.ops_of(op_table.OpKind.COMPUTES) - {_REDUCE} | {"stablehlo.sort"}

FUSED = 0.1
"""Part of what elementwise ops, reductions and ops that move elements write that comes to memory: most are fused."""

_MOST_OFFERS = 4
"""Layouts that candidates are made of; each order of them is tried."""


class Offer(NamedTuple):
    """An existing or needed layout of operand or result number `tensor` of the rule."""

    tensor: int
    layout: Layout


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """Layouts of all tensors under an assignment; the results are partial sums along `partial`.

    `seconds` are those of a device, `exchange` is the part of them in which windows, and reshapes of
    uneven parts, get elements of other devices.
    """

    assignment: Assignment
    layouts: tuple[Layout, ...]
    partial: AxisList
    seconds: float
    exchange: float = 0.0

    @property
    def result(self) -> Layout:
        """Return the layout of the result, which comes last."""
        return self.layouts[-1]


class OpKind:
    """Layouts of all ops of equal work, rule and types, made on demand."""

    def __init__(
        self,
        op: ir.Operation,
        types: Sequence[ir.Type],
        factors: Factors,
        windows: Mapping[int, Window],
        wide: Mapping[int, Window],
        before: Assignment,
        layouts: Layouts,
        machine: Machine,
    ) -> None:
        self.rule = factors.rule
        self.factors = factors
        self._types = types
        self._windows = windows
        self._wide = wide
        self._before = before
        self._layouts = layouts
        self._machine = machine
        self._operations = product_operations(op, machine.tile) if op.name in _PRODUCTS else None
        self._is_fused = not work_name(op)
        self._placed: dict[Assignment, Placed | None] = {}
        self._following: dict[tuple[int, Layout, Placed, bool], Placed | None] = {}
        self._ways: dict[tuple, list[Placed]] = {}

    @property
    def is_product(self) -> bool:
        """Return whether the op multiplies matrices or slides a kernel."""
        return self._operations is not None

    def placed(self, assignment: Assignment, pins: Pins = (), free: Collection[int] = ()) -> Placed | None:
        """Return the layouts under an assignment; None if the op cannot have them, beside the factors pinned now.

        Factors in `free` may be sharded anew.
        """
        found = self.given(assignment)
        if found is None or (found.exchange and self.factors.reshapes):
            return None
        return found if self.factors.pins(assignment, free) in ((), pins) else None

    def given(self, assignment: Assignment) -> Placed | None:
        """Return the layouts under an assignment that exists: parts of a reshape may be uneven, or factors pinned."""
        try:
            return self._placed[assignment]
        except KeyError:
            divided = _divided(self.factors, assignment)
            found = self._placed[assignment] = None if divided is None else self._place(assignment, *divided)
            return found

    def _place(
        self, assignment: Assignment, shardings: Sequence[TensorSharding], partial: AxisList, shards: int
    ) -> Placed:
        layouts = tuple(map(self._layouts.of, self._types, shardings))
        exchange = self._exchange(assignment, layouts, shards)
        seconds = self._seconds(layouts, shards) + exchange
        return Placed(assignment, layouts, partial, seconds, exchange)

    def following(self, tensor: int, layout: Layout, before: Placed, *, slides: bool = False) -> Placed | None:
        """Return the layouts with one tensor in another layout, completed by those of `before`.

        Dimensions along which windows get elements of other devices may be sharded anew if it `slides`. None if there
        are none, or if the tensor is in this layout.
        """
        key = (tensor, layout, before, slides)
        if key not in self._following:
            self._following[key] = self._followed(*key)
        return self._following[key]

    def _followed(self, tensor: int, layout: Layout, before: Placed, slides: bool) -> Placed | None:
        if before.layouts[tensor].placement == layout.placement:
            return None
        found = _assignment(self.factors, (_offered(self.factors, tensor, layout),), before.assignment)
        free = frozenset(self._windows) if slides else ()
        placed = None if found is None else self.placed(found, self.factors.pins(before.assignment, free), free)
        return None if placed is before else placed

    def ways(self, offers: Sequence[Offer], before: Placed) -> list[Placed]:
        """Return the layouts under all assignments combined from existing layouts, with and without pinned factors."""
        pins = self.factors.pins(before.assignment)
        key = (*offers, pins)
        if key not in self._ways:
            given = tuple(_offered(self.factors, *each) for each in offers)
            combined = [each for kept in dict.fromkeys((pins, ())) for each in _combined(self.factors, given, kept)]
            found = [self.placed(each, pins) for each in combined]
            if free := frozenset(self._windows):
                found += [self.placed(each, (), free) for each in _combined(self.factors, given, (), free)]
            self._ways[key] = [each for each in dict.fromkeys(found) if each is not None]
        return self._ways[key]

    def moved(self, assignment: Assignment) -> Iterator[Placed]:
        """Yield layouts with the axes of one factor on a factor of all tensors instead."""
        for target in self.factors.common:
            for source in range(self.rule.num_factors):
                found = self.factors.moved(assignment, source, target) if source != target else None
                if found is not None and (placed := self.placed(found)) is not None:
                    yield placed

    def _exchange(self, assignment: Assignment, layouts: Sequence[Layout], shards: int) -> float:
        """Return the seconds in which windows get elements of other devices, and reshapes rows of uneven parts.

        Windows of one element cost a part of it where they are sharded as before, and wider ones only where a dimension
        is gathered for them: other exchanges around the op may be joined. A reshape permutes uneven parts, and gathers
        them to merge dimensions other than `padded_merges`.
        """
        sent = 0.0
        for factor, window in self._windows.items():
            if assignment[factor]:
                part = _JOINED if assignment[factor] == self._before[factor] else 1.0
                sent += part * _window_bytes(window, layouts[0])
        sent += sum(_gathered_bytes(each, layouts[0]) for factor, each in self._wide.items() if assignment[factor])
        if self.factors.reshapes and any(map(self.factors.splits_unevenly, self.rule.tensors, layouts)):
            have, want = layouts[0], layouts[-1]
            gathers = have.rank > want.rank and padded_merges(have, want)[1] == want.shape
            sent += moved_bytes("all_gather" if gathers else "collective_permute", shards, have.local_bytes)
        return sent / (self._machine.bandwidth * self._machine.directions)

    def _seconds(self, layouts: Sequence[Layout], shards: int) -> float:
        if self._is_fused:
            return FUSED * layouts[-1].local_bytes / self._machine.memory_bandwidth
        if self._operations is None:
            return sum(layout.local_bytes for layout in layouts) / self._machine.memory_bandwidth
        return self._operations / shards / (self._machine.flops * self._machine.efficiency)


_JOINED = 0.25
"""Part of the bytes of an exchange that counts where its dimension is sharded as before.

With all of it 2 of 62 programs send 2 and 4 % more, since exchanges of neighbours are joined; with none of it 4 of
100 pieces of models send 7 to 61 % more.
"""


def _window_bytes(window: Window, source: Layout) -> float:
    """Return the bytes that a device sends so that windows along a sharded dimension have their elements."""
    access = Access.slide(window, source)
    halo = Halo.of(window.source_dim, access.needed)
    rows = min(halo.sent_rows, halo.gathered_rows, access.needed.most_of_others)
    return rows * source.local_bytes / access.part


def _gathered_bytes(window: Window, source: Layout) -> float:
    """Return the bytes that a device sends if windows along a sharded dimension reach so far that it is gathered."""
    access = Access.slide(window, source)
    halo = Halo.of(window.source_dim, access.needed)
    return halo.gathered_rows * source.local_bytes / access.part if halo.is_too_far else 0.0


def windows_by_factor(rule: ShardingRule, windows: Sequence[Window]) -> dict[int, Window]:
    """Return the windows by factors that may be sharded anew: devices send what the windows need along them."""
    read, made = rule.tensors[0], rule.tensors[-1]
    dims = [(read[each.source_dim], each) for each in windows if read[each.source_dim] == made[each.result_dim]]
    return {dim[0]: each for dim, each in dims if len(dim) == 1 and dim[0] in rule.permutation}


# Assignments, as plain values ------------------------------------------------------------------------

_Offered = tuple[int, "TensorSharding | None", bool]
"""Number and sharding of a tensor, and whether it is on the mesh of the factors."""

Pins = tuple[tuple[int, AxisList], ...]
"""Sharded factors that keep their axes."""


class Factors:
    """The factors of a rule on a mesh: which may be sharded, and how."""

    def __init__(self, rule: ShardingRule, adds_up: bool, ref: MeshRef, mesh: Mesh) -> None:
        self.rule = rule
        self.ref = ref
        self.mesh = mesh
        self.sizes: AxisSizes = mesh.axis_sizes
        self.is_elementwise = all(map(rule.is_in_all_non_scalars, range(rule.num_factors)))
        self.pinned = {*rule.need_replication, *rule.permutation, *rule.blocked_propagation}
        self.pinned |= set() if adds_up else set(rule.reduction)
        self.common = [each for each in rule.batching_factors if each not in self.pinned]
        self.reshapes = {factor for tensor in rule.tensors for dim in tensor if len(dim) > 1 for factor in dim}

    def pins(self, assignment: Assignment, free: Collection[int] = ()) -> Pins:
        """Return the sharded factors whose axes may not change while they are sharded, without those in `free`."""
        return tuple([(each, assignment[each]) for each in self.pinned if assignment[each] and each not in free])

    def of(self, offered: _Offered) -> list[AxisList | None] | None:
        """Return the axes of each factor in a tensor; None if some overflow a factor."""
        tensor, sharding, is_here = offered
        mapping = self.rule.tensors[tensor]
        if not is_here or (sharding and sharding.rank != len(mapping)):
            return None
        return _factor_axes(sharding, mapping, self.rule.factor_sizes, tuple(self.sizes.items()))

    def merged(
        self, offers: Sequence[Sequence[AxisList | None]], keeps_whole: bool, pins: Pins, free: Collection[int]
    ) -> Assignment:
        """Take the axes of each factor from the first offer that includes the factor, or that shards it.

        Pinned factors get those of `pins`, unless they are in `free`.
        """
        out: list[AxisList | None] = [None] * self.rule.num_factors
        used: list = []
        for factor, axes in pins:
            out[factor] = axes
            used += axes
        for offer in offers:
            for factor, axes in enumerate(offer):
                if axes is None or out[factor] is not None or not (axes or keeps_whole):
                    continue
                if factor in self.pinned and factor not in free:
                    continue
                kept = out[factor] = truncate(axes, used)
                used += kept
        return tuple(axes or () for axes in out)

    def without_some(self, assignment: Assignment) -> Iterator[Assignment]:
        """Yield assignments with one factor sharded along fewer of its axes, or replicated."""
        for factor, axes in enumerate(assignment):
            for count in range(len(axes)):
                yield (*assignment[:factor], axes[:count], *assignment[factor + 1 :])

    def moved_sums(self, assignment: Assignment) -> Iterator[Assignment]:
        """Yield assignments with the axes of a sum on a factor of the result instead."""
        for summed in self.rule.reduction:
            for factor in (each for dim in self.rule.results[0] for each in dim if each not in self.pinned):
                if (moved := self.moved(assignment, summed, factor)) is not None:
                    yield moved

    def moved(self, assignment: Assignment, source: int, target: int) -> Assignment | None:
        """Return the assignment with the axes of one factor behind those of another; None if they do not divide it."""
        if not assignment[source]:
            return None
        both = merged((*assignment[target], *assignment[source]), self.sizes)
        if self.rule.factor_sizes[target] % product(both, self.sizes):
            return None
        moved = list(assignment)
        moved[source], moved[target] = (), both
        return tuple(moved)

    def sharding(self, assignment: Assignment, mapping: TensorMapping) -> TensorSharding | None:
        """Return the sharding of a tensor; None if axes would lie behind a factor that is not full."""
        if not self.reshapes:
            return shared(TensorSharding.from_axes(self.ref, [assignment[factor] for (factor,) in mapping]))
        factors = [FactorSharding(axes, True) for axes in assignment]
        sharding = from_factors(factors, mapping, self.rule.factor_sizes, self.sizes, self.ref)
        found = _factor_axes(sharding, mapping, self.rule.factor_sizes, tuple(self.sizes.items()))
        needed = [factor for dim in mapping for factor in dim]
        return shared(sharding) if found and all(found[factor] == assignment[factor] for factor in needed) else None

    def splits_unevenly(self, mapping: TensorMapping, layout: Layout) -> bool:
        """Return whether a dimension that the op splits or merges does not divide into its shards."""
        if layout.divides:
            return False
        dims = zip(mapping, layout.shape, layout.shards, strict=True)
        return any(size % count and not self.reshapes.isdisjoint(dim) for dim, size, count in dims)


factors_of = lru_cache(maxsize=2048)(Factors)


@lru_cache(maxsize=8192)
def _combined(
    factors: Factors, offers: tuple[_Offered, ...], pins: Pins, free: frozenset[int] = frozenset()
) -> tuple[Assignment, ...]:
    """Return assignments combined from existing layouts, in each order of precedence, without repetition."""
    seen: dict[Assignment, None] = {}
    axes: list[list[AxisList | None]] = []
    for each in offers:
        found = factors.of(each)
        if found is not None and found not in axes:
            axes.append(found)
    length = 1 if factors.is_elementwise else None
    for order in permutations(axes[:_MOST_OFFERS], length):
        for keeps_whole in (True, False):
            made = factors.merged(order, keeps_whole, pins, free)
            seen |= dict.fromkeys((made, *factors.without_some(made), *factors.moved_sums(made)))
    return tuple(seen)


@lru_cache(maxsize=8192)
def _assignment(factors: Factors, tensors: tuple[_Offered, ...], before: Assignment | None = None) -> Assignment | None:
    """Return the assignment that gives these layouts, completed by `before` for factors that they lack.

    None if there is none, as where the axes of a dimension overflow a factor.
    """
    count = factors.rule.num_factors
    out: list[AxisList | None] = [None] * count
    for tensor in tensors:
        axes = factors.of(tensor)
        if axes is None:
            return None
        for factor, given in enumerate(axes):
            if given is not None and out[factor] is None:
                out[factor] = given
    used = [axis for axes in out if axes for axis in axes]
    rest = before or ((),) * count
    return tuple(truncate(rest[f], used) if axes is None else axes for f, axes in enumerate(out))


@lru_cache(maxsize=8192)
def _divided(factors: Factors, assignment: Assignment) -> tuple[tuple[TensorSharding, ...], AxisList, int] | None:
    """Return the shardings of all tensors, the axes of sums, and the parts of the work; None if it cannot be so."""
    used: list = []
    for axes in assignment:
        if axes and any_overlap(axes, used):
            return None
        used += axes
    found = [factors.sharding(assignment, mapping) for mapping in factors.rule.tensors]
    shardings = tuple([each for each in found if each is not None])
    partial = tuple([axis for factor in factors.rule.reduction for axis in assignment[factor]])
    return (shardings, partial, product(used, factors.sizes)) if len(shardings) == len(found) else None


def assignment_of(factors: Factors, layouts: Sequence[Layout]) -> Assignment | None:
    """Return the assignment that gives operands and results these layouts; None if there is none."""
    return _assignment(factors, tuple(_offered(factors, *each) for each in enumerate(layouts)))


def _offered(factors: Factors, tensor: int, layout: Layout) -> _Offered:
    return tensor, layout.sharding, layout.mesh in (factors.mesh, None)


def adds_up(op: ir.Operation) -> bool:
    """Return whether the results are sums along the reduction factors of the rule."""
    if op.name not in (_REDUCE, _SCATTER):
        return op.name in _PRODUCTS or op.name == _GATHER
    return len(op.results) == 1 and combining_ops(op.regions[0]) == ["stablehlo.add"]


def may_be_laid_out(op: ir.Operation) -> bool:
    """Return whether ops of that name may get another layout."""
    return op.name in _MOVABLE or (is_elementwise(op) and not op.name.startswith("sdy."))


def work_name(op: ir.Operation) -> str:
    """Return the name of an op whose work depends on it; "" for ops that compilers fuse, which write their results."""
    return op.name if op.name in _UNFUSED else ""


def is_movable(rule: ShardingRule, layouts: Sequence[Layout]) -> bool:
    """Return whether the rule and types of an op allow another layout: tensors of static sizes that are not empty."""
    return not rule.is_custom and all(is_tensor(each.type) and min(each.shape, default=1) > 0 for each in layouts)


@lru_cache(maxsize=8192)
def _factor_axes(
    sharding: TensorSharding | None,
    mapping: TensorMapping,
    factor_sizes: tuple[int, ...],
    sizes: tuple[tuple[str, int], ...],
) -> list[AxisList | None] | None:
    """Return the axes of each factor in a tensor; None if some overflow a factor."""
    factors = to_factors(sharding, mapping, factor_sizes, dict(sizes), missing_is_closed=True)
    if any(each is not None and each.overflow for each in factors):
        return None
    return [None if each is None else each.axes for each in factors]
