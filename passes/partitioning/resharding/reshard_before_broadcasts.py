"""sdy-reshard-before-broadcasts: what is repeated along dimensions is resharded before, while it is smaller.

    %1 = stablehlo.broadcast_in_dim %0, dims = [1] {... [{}, {"y"}]} : (tensor<8xf32>) -> tensor<64x8xf32>
    %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<64x8xf32>
==> %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] {... [{}, {"x"}]} : (tensor<8xf32>) -> tensor<64x8xf32>

So it is with distances between all pairs of two sets, or a bias, that are sharded otherwise than what they meet. Cost
model: fewer bytes are sent; that devices may repeat a value once more is free.
"""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes
from sdy.passes.registry import pass_
from sdy.stablehlo import views


@pass_("sdy-reshard-before-broadcasts", on="func.func")
def reshard_before_broadcasts(func: ir.Operation) -> None:
    layouts: Layouts | None = None
    for reshard in ops_named(func, "sdy.reshard"):
        broadcast = views.BroadcastInDim.defining(reshard.operands[0])
        if broadcast is not None:
            layouts = layouts or Layouts(of_module(MeshTable, func))
            _move_to_front(reshard, broadcast, layouts)


def _move_to_front(reshard: ir.Operation, broadcast: views.BroadcastInDim, layouts: Layouts) -> None:
    """Reshards the operand of the broadcast instead of its result, if that sends less."""
    have, want = (layouts.of_value(value) for value in (broadcast.result, reshard.results[0]))
    source = broadcast.operand
    layout = layouts.of_value(source)
    if want.sharding is None or not all(map(_is_plain, (have, want, layout))) or have.mesh != want.mesh:
        return
    sharding = _of_operand(broadcast, want.sharding)
    if sharding is None or layout.mesh not in (None, want.mesh):
        return
    target = layouts.of(source.type, sharding)
    if reshard_bytes(layout, target) >= reshard_bytes(have, want):
        return
    where, at = ir.InsertionPoint(reshard), reshard.location
    if layout.placement != target.placement:
        source = builders.reshard(source, sharding, loc=at, ip=where)
    copy = broadcast.op.clone(ip=where).operation
    copy.operands[0] = source
    reshard.results[0].replace_all_uses_with(marked(copy.results[0], want.sharding))
    reshard.erase()
    erase_unused([broadcast.result])


def _is_plain(layout: Layout) -> bool:
    return not layout.unreduced and (layout.mesh is None or not layout.mesh.is_maximal)


def _of_operand(broadcast: views.BroadcastInDim, sharding: TensorSharding) -> TensorSharding | None:
    """How the operand is sharded of which devices make parts with `sharding`; None if sizes are not known."""
    source, result = broadcast.operand.type, broadcast.result.type
    if not source.has_static_shape or not result.has_static_shape:
        return None
    sizes = zip(source.shape, broadcast.broadcast_dimensions, strict=True)
    axes = [sharding.dim_axes[dim] if size == result.shape[dim] else () for size, dim in sizes]
    return TensorSharding.from_axes(sharding.mesh_or_ref, axes)
