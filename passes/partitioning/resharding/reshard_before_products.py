"""Reshards what is multiplied, where that sends less than to add up parts of a sum.

    %0 = sdy.all_slice [{}, {"x"}] %x out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x32xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] {... [{}, {}], unreduced={"x"}} : ...
    %2 = sdy.reduce_scatter [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x32xf32>
==> %0 = sdy.reshard %w <@mesh, [{}, {"x"}]> : tensor<32x32xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] {... [{}, {"x"}]} : ...

where %w is sharded as [{"x"}, {}]: its parts have fewer elements than those of the sum. What all devices need is made
in parts along its major dimension, and gathered:

    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x32xf32>
==> %2 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<16x32xf32>

if no operand gets larger on a device by that. There may be transposes between the product and its sum.

Cost model: fewer bytes are sent, counting what operands went through on their way to the product, if nobody else needs
that. Operations are as many as before, since all axes of the sum are those of the result then. What is gathered for a
sum that was scattered takes less memory than its parts did.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import erase_unused, set_sharding, uses_of
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.ops.rules import create_rule
from sdy.dialect.values.axes import AxisList, merged
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.reshard_planning.reshard_search import reshard_bytes, sum_bytes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo import views

_PRODUCTS = frozenset({"stablehlo.dot", "stablehlo.dot_general"})
_SCATTER, _REDUCE = "sdy.reduce_scatter", "sdy.all_reduce"
_MOVING = COLLECTIVES - {_SCATTER, _REDUCE}


@function_pattern("reshard-before-products", *_PRODUCTS)
def reshard_before_products(func: ir.Operation, rewriter: Rewriter) -> bool:
    """Reshard the operands of a product where that sends less than to add up its parts."""
    has_changed = False
    for op in ops_named(func, _SCATTER, _REDUCE):
        sum_ = _sum_of_product(op)
        has_changed |= sum_ is not None and _reshard_operands(sum_, rewriter.layouts)
    return has_changed


@dataclass(frozen=True)
class _Sum:
    """A product, the transposes behind it, and what adds up its parts; nobody else uses what is in between."""

    product: ir.Operation
    transposes: tuple[views.Transpose, ...]
    op: ir.Operation

    @property
    def sharding(self) -> TensorSharding:
        """Return the sharding of the sum."""
        return attributes.get(self.op, "out_sharding")

    @property
    def axes(self) -> AxisList:
        """Return the axes along which it is partial."""
        if self.op.name == _REDUCE:
            return attributes.get(self.op, "reduction_axes").axes
        return tuple(axis for axes in attributes.get(self.op, "reduce_scatter_axes").lists for axis in axes)

    def in_parts(self, whole: Layout) -> TensorSharding:
        """Return the sharding of a sum that devices compute in whole elements: as scattered, or along the major
        dimension.

        Parts along that one lie one behind the other, so that they are gathered to where they stay.
        """
        if self.op.name == _SCATTER:
            return self.sharding
        assert whole.mesh is not None
        axes = list(self.sharding.dim_axes)
        major = next((dim for dim, size in enumerate(whole.local_shape) if size > 1), 0)
        axes[major] = merged((*axes[major], *self.axes), whole.mesh.axis_sizes)
        return TensorSharding.from_axes(self.sharding.mesh_or_ref, axes)

    def on_the_way(self, sharding: TensorSharding) -> list[TensorSharding]:
        """Return the shardings of the product and of each transpose, so that the last one is `sharding`."""
        found = [sharding]
        for transpose in reversed(self.transposes):
            dims = dict(zip(transpose.permutation, sharding.dims, strict=True))
            sharding = sharding.with_dims(dims[dim] for dim in range(len(dims)))
            found.append(sharding)
        return found[::-1]


@dataclass(frozen=True)
class _MovedFactors:
    """Layouts of operands, and shardings of what is made of them up to the sum; bytes that are sent then."""

    operands: tuple[Layout, ...]
    results: tuple[TensorSharding, ...]
    sent: float


def _sum_of_product(op: ir.Operation) -> _Sum | None:
    transposes: list[views.Transpose] = []
    value = op.operands[0]
    while (transpose := views.Transpose.defining(value)) is not None and len(uses_of(value)) == 1:
        transposes.append(transpose)
        value = transpose.operand
    made_by, is_sum = defining_op(value), op.attributes["reduction_op"].value == Reduction.SUM.value
    if made_by is None or made_by.name not in _PRODUCTS or not is_sum or len(uses_of(value)) != 1:
        return None
    is_static = all(each.type.has_static_shape for each in (*made_by.operands, value))
    return _Sum(made_by, tuple(reversed(transposes)), op) if is_static and value.type.rank else None


def _reshard_operands(sum_: _Sum, layouts: Layouts) -> bool:
    """Make devices compute whole elements of the sum, if that sends less; return whether it does."""
    operands = list(sum_.product.operands)
    sources = [_source(value) for value in operands]
    have = [layouts.of_value(value) for value in sources]
    partial = layouts.of_value(sum_.product.results[0])
    if not _is_summed_along(sum_.axes, partial, (*have, *map(layouts.of_value, operands))):
        return False
    whole = layouts.of(sum_.op.results[0].type, sum_.sharding)
    choice = _choice(sum_, whole, have, layouts)
    before = sum_bytes(partial, whole) + sum(_spared_bytes(value, layouts) for value in operands)
    if choice.sent >= before or not _may_be_taken(choice, sum_, have):
        return False
    _carry_out(sum_, choice, sources, have)
    return True


def _is_summed_along(axes: AxisList, partial: Layout, operands: Sequence[Layout]) -> bool:
    """Return whether the sum is partial along exactly `axes`, and all operands are on one mesh."""
    mesh = partial.mesh
    if mesh is None or mesh.sort_and_merge(axes) != mesh.sort_and_merge(partial.unreduced):
        return False
    return all(layout.mesh in (None, mesh) and not layout.unreduced for layout in operands)


def _choice(sum_: _Sum, whole: Layout, have: Sequence[Layout], layouts: Layouts) -> _MovedFactors:
    """Return the reshards with which devices compute whole elements of the sum, of layout `whole`."""
    sharding = sum_.in_parts(whole)
    results = sum_.on_the_way(sharding)
    want = _operands_for(sum_.product, results[0], layouts)
    behind = reshard_bytes(whole.with_sharding(sharding), whole)
    return _MovedFactors(want, tuple(results), behind + sum(map(reshard_bytes, have, want)))


def _may_be_taken(choice: _MovedFactors, sum_: _Sum, have: Sequence[Layout]) -> bool:
    """Return whether parts are even, and no operand is gathered for a sum that is not scattered."""
    pairs = zip(have, choice.operands, strict=True)
    is_small = sum_.op.name == _SCATTER or all(then.local_bytes <= now.local_bytes for now, then in pairs)
    return is_small and all(layout.divides for layout in choice.operands)


def _source(value: ir.Value) -> ir.Value:
    """Return the source that collectives have moved to `value`."""
    while (op := defining_op(value)) is not None and op.name in _MOVING:
        value = op.operands[0]
    return value


def _spared_bytes(value: ir.Value, layouts: Layouts) -> float:
    """Return the bytes saved if one user of `value` takes its source."""
    source, current = _source(value), value
    while current != source:
        if len(uses_of(current)) != 1:
            return 0.0
        current = current.owner.operation.operands[0]
    return reshard_bytes(layouts.of_value(source), layouts.of_value(value))


def _operands_for(op: ir.Operation, result: TensorSharding, layouts: Layouts) -> tuple[Layout, ...]:
    """Return the operand layouts from which devices compute whole elements of a result with that sharding."""
    rule = create_rule(op)
    assert rule is not None
    axes = {factor: axes for (factor,), axes in zip(rule.results[0], result.dim_axes, strict=True)}
    return tuple(
        layouts.of(
            value.type,
            TensorSharding.from_axes(result.mesh_or_ref, [axes.get(factor, ()) for (factor,) in mapping]),
        )
        for value, mapping in zip(op.operands, rule.operands, strict=True)
    )


def _carry_out(sum_: _Sum, choice: _MovedFactors, sources: Sequence[ir.Value], have: Sequence[Layout]) -> None:
    product, old = sum_.product, list(sum_.product.operands)
    for number, (source, now, then) in enumerate(zip(sources, have, choice.operands, strict=True)):
        value = source
        if now.placement != then.placement:
            assert then.sharding is not None
            value = builders.reshard(source, then.sharding, loc=product.location, ip=ir.InsertionPoint(product))
        product.operands[number] = value
    made = (product.results[0], *(transpose.result for transpose in sum_.transposes))
    for value, sharding in zip(made, choice.results, strict=True):
        set_sharding(value, sharding)
    total = sum_.op.operands[0]
    if sum_.op.name == _REDUCE:
        total = builders.reshard(total, sum_.sharding, loc=sum_.op.location, ip=ir.InsertionPoint(sum_.op))
    sum_.op.results[0].replace_all_uses_with(total)
    sum_.op.erase()
    erase_unused(old)
