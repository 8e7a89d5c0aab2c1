"""Ways to divide the work of one op: assignments of axes to the factors of its rule, with their costs.

An assignment gives the layouts of operands and results, the axes along which the results are partial, and the seconds
that a device computes. Candidates come from existing layouts: those of the operands, and those that users of the
results need. Plain values; nothing here changes a program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import any_model
from sdy.dialect.values.axes import AxisList, AxisSizes, any_overlap, merged, product, truncate
from sdy.dialect.values.rule import FactorSharding, ShardingRule, TensorMapping, from_factors, to_factors
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import product_operations
from sdy.passes.op_axes.common_axes import Assignment
from sdy.stablehlo.idioms.loops import combining_ops

_PRODUCTS = frozenset({"stablehlo.dot", "stablehlo.dot_general"})
_REDUCE = "stablehlo.reduce"
_SHAPES = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose"))

_MOVABLE = _PRODUCTS | _SHAPES | {_REDUCE}

_FUSED = 0.1
"""Part of what ops that are no products write that comes to memory: most are fused into their users."""

_MOST_OFFERS = 4
"""Layouts that candidates are made of; each order of them is tried."""


@dataclass(frozen=True)
class Offer:
    """An existing or needed layout of operand or result number `tensor` of the rule."""

    tensor: int
    layout: Layout


@dataclass(frozen=True, eq=False)
class Placed:
    """Layouts of all tensors under an assignment; the results are partial sums along `partial`."""

    assignment: Assignment
    operands: tuple[Layout, ...]
    result: Layout
    partial: AxisList
    seconds: float


class OpKind:
    """Assignments of all ops of one name, rule and types, made on demand."""

    def __init__(self, op: ir.Operation, rule: ShardingRule, ref: MeshRef, layouts: Layouts, machine: Machine) -> None:
        self.rule = rule
        self.adds_up = adds_up(op)
        self._types = [value.type for value in (*op.operands, *op.results)]
        self._ref = ref
        self._layouts = layouts
        self._machine = machine
        self._operations = product_operations(op, machine.tile)
        self._placed: dict[Assignment, Placed | None] = {}
        self._following: dict[tuple[int, int, Placed], Placed | None] = {}
        self._pinned = {*rule.need_replication, *rule.permutation, *rule.blocked_propagation}
        self._has_multi_factor_dims = rule.has_multi_factor_dims
        self._is_elementwise = all(rule.is_in_all_non_scalars(factor) for factor in range(rule.num_factors))
        self._pinned |= set() if self.adds_up else set(rule.reduction)
        self._pinned |= any_model(op, "unshardable_factors").unshardable_factors(op, rule)
        mesh = layouts.mesh(TensorSharding.closed(ref, 0))
        assert mesh is not None
        self._mesh = mesh
        self.sizes: AxisSizes = mesh.axis_sizes

    def placed(self, assignment: Assignment) -> Placed | None:
        """Return the layouts under an assignment; None if the op cannot have them."""
        if assignment not in self._placed:
            self._placed[assignment] = self._place(assignment)
        return self._placed[assignment]

    def assignment_of(self, layouts: Sequence[Layout | None], before: Assignment | None = None) -> Assignment | None:
        """Return the assignment that gives these layouts, completed by `before` for tensors without a layout.

        None if there is none, as where the axes of a dimension overflow a factor.
        """
        out: list[AxisList | None] = [None] * self.rule.num_factors
        for number, layout in enumerate(layouts):
            axes = None if layout is None else self._factors(Offer(number, layout))
            for factor, given in enumerate(axes or ()):
                if given is not None and out[factor] is None:
                    out[factor] = given
            if layout is not None and axes is None:
                return None
        used = [axis for axes in out if axes for axis in axes]
        rest = before or ((),) * self.rule.num_factors
        return tuple(truncate(rest[f], used) if axes is None else axes for f, axes in enumerate(out))

    def following(self, tensor: int, layout: Layout, before: Placed) -> Placed | None:
        """Return the layouts with one tensor in this layout, completed by those of `before`; None if there are none."""
        key = (tensor, layout.number, before)
        if key not in self._following:
            layouts: list[Layout | None] = [None] * len(self.rule.tensors)
            layouts[tensor] = layout
            found = self.assignment_of(layouts, before.assignment)
            self._following[key] = None if found is None else self.placed(found)
        return self._following[key]

    def candidates(self, offers: Sequence[Offer]) -> Iterator[Assignment]:
        """Yield assignments combined from existing layouts, in each order of precedence, without repetition."""
        seen: set[Assignment] = set()
        axes: list[list[AxisList | None]] = []
        for each in offers:
            found = self._factors(each)
            if found is not None and found not in axes:
                axes.append(found)
        length = 1 if self._is_elementwise else None
        for order in permutations(axes[:_MOST_OFFERS], length):
            for keeps_whole in (True, False):
                made = self._merged(order, keeps_whole)
                for each in (made, *self._without_one(made), *self._moved_sums(made)):
                    if each not in seen:
                        seen.add(each)
                        yield each

    def _merged(self, offers: Sequence[Sequence[AxisList | None]], keeps_whole: bool) -> Assignment:
        """Take the axes of each factor from the first offer that includes the factor, or that shards it."""
        out: list[AxisList | None] = [None] * self.rule.num_factors
        used: list = []
        for offer in offers:
            for factor, axes in enumerate(offer):
                if axes is None or out[factor] is not None or not (axes or keeps_whole) or factor in self._pinned:
                    continue
                kept = out[factor] = truncate(axes, used)
                used += kept
        return tuple(axes or () for axes in out)

    def _without_one(self, assignment: Assignment) -> Iterator[Assignment]:
        """Yield assignments with one factor replicated."""
        for factor, axes in enumerate(assignment):
            if axes:
                yield (*assignment[:factor], (), *assignment[factor + 1 :])

    def _moved_sums(self, assignment: Assignment) -> Iterator[Assignment]:
        """Yield assignments with the axes of a sum on a factor of the result instead."""
        for summed in self.rule.reduction:
            axes = assignment[summed]
            if not axes:
                continue
            for factor in (each for dim in self.rule.results[0] for each in dim):
                both = merged((*assignment[factor], *axes), self.sizes)
                if self.rule.factor_sizes[factor] % product(both, self.sizes) == 0 and factor not in self._pinned:
                    moved = list(assignment)
                    moved[summed], moved[factor] = (), both
                    yield tuple(moved)

    def _factors(self, offer: Offer) -> list[AxisList | None] | None:
        mapping, layout = self.rule.tensors[offer.tensor], offer.layout
        if layout.mesh not in (None, self._mesh) or (layout.sharding and layout.sharding.rank != len(mapping)):
            return None
        return _factor_axes(layout.sharding, mapping, self.rule.factor_sizes, _items(self.sizes))

    def _place(self, assignment: Assignment) -> Placed | None:
        rule, used = self.rule, []
        for axes in assignment:
            if axes and used and any_overlap(axes, used):
                return None
            used += axes
        if any(assignment[factor] for factor in self._pinned):
            return None
        layouts = []
        for type_, mapping in zip(self._types, rule.tensors, strict=True):
            sharding = self._sharding(assignment, mapping)
            if sharding is None:
                return None
            layouts.append(self._layouts.of(type_, sharding))
        if self._has_multi_factor_dims and not all(layout.divides for layout in layouts):
            return None
        partial = tuple(axis for factor in rule.reduction for axis in assignment[factor])
        seconds = self._seconds(layouts, product(used, self.sizes))
        return Placed(assignment, tuple(layouts[:-1]), layouts[-1], partial, seconds)

    def _sharding(self, assignment: Assignment, mapping: TensorMapping) -> TensorSharding | None:
        """Return the sharding of a tensor; None if axes would lie behind a factor that is not full."""
        if not self._has_multi_factor_dims:
            return TensorSharding.from_axes(self._ref, [assignment[factor] for (factor,) in mapping])
        factors = [FactorSharding(axes, True) for axes in assignment]
        sharding = from_factors(factors, mapping, self.rule.factor_sizes, self.sizes, self._ref)
        found = _factor_axes(sharding, mapping, self.rule.factor_sizes, _items(self.sizes))
        needed = [factor for dim in mapping for factor in dim]
        return sharding if found and all(found[factor] == assignment[factor] for factor in needed) else None

    def _seconds(self, layouts: Sequence[Layout], shards: int) -> float:
        if self._operations is None:
            return _FUSED * layouts[-1].local_bytes / self._machine.memory_bandwidth
        return self._operations / shards / (self._machine.flops * self._machine.efficiency)


def adds_up(op: ir.Operation) -> bool:
    """Return whether the results are sums along the reduction factors of the rule."""
    if op.name != _REDUCE:
        return op.name in _PRODUCTS
    return len(op.results) == 1 and combining_ops(op.regions[0]) == ["stablehlo.add"]


def kind_key(op: ir.Operation, rule: ShardingRule, ref: MeshRef) -> tuple:
    """Return a key that is equal for ops of one kind."""
    return (op.name, adds_up(op), rule, ref, *(value.type for value in op.operands))


def may_be_laid_out(op: ir.Operation) -> bool:
    """Return whether ops of that name may get another layout."""
    return op.name in _MOVABLE or (is_elementwise(op) and not op.name.startswith("sdy."))


def is_movable(op: ir.Operation, rule: ShardingRule) -> bool:
    """Return whether the rule and types of an op allow another layout."""
    return not rule.is_custom and all(map(_is_static, (*op.operands, *op.results)))


def _is_static(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and value.type.has_static_shape and 0 not in value.type.shape


def _items(sizes: AxisSizes) -> tuple[tuple[str, int], ...]:
    return tuple(sizes.items())


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
