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
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_facts import of_module
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes
from sdy.passes.registry import pass_
from sdy.stablehlo.attribute_readers import read_ints

_RESHARD, _BROADCAST = "sdy.reshard", "stablehlo.broadcast_in_dim"


@pass_("sdy-reshard-before-broadcasts", on="func.func")
def reshard_before_broadcasts(func: ir.Operation) -> None:
    layouts: Layouts | None = None
    for reshard in ops_named(func, _RESHARD):
        broadcast = defining_op(reshard.operands[0])
        if broadcast is not None and broadcast.name == _BROADCAST:
            layouts = layouts or Layouts(of_module(MeshTable, func))
            _move_to_front(reshard, broadcast, layouts)


def _move_to_front(reshard: ir.Operation, broadcast: ir.Operation, layouts: Layouts) -> None:
    """Reshards the operand of the broadcast instead of its result, if that sends less."""
    have, want = (layouts.of_value(op.results[0]) for op in (broadcast, reshard))
    source = broadcast.operands[0]
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
    copy = broadcast.clone(ip=where).operation
    copy.operands[0] = source
    reshard.results[0].replace_all_uses_with(marked(copy.results[0], want.sharding))
    reshard.erase()
    erase_unused([broadcast.results[0]])


def _is_plain(layout: Layout) -> bool:
    return not layout.unreduced and (layout.mesh is None or not layout.mesh.is_maximal)


def _of_operand(broadcast: ir.Operation, sharding: TensorSharding) -> TensorSharding | None:
    """How the operand is sharded of which devices make parts with `sharding`; None if sizes are not known."""
    dims = read_ints(broadcast.attributes["broadcast_dimensions"])
    source, result = broadcast.operands[0].type, broadcast.results[0].type
    if dims is None or not source.has_static_shape or not result.has_static_shape:
        return None
    axes = [
        sharding.dim_axes[dim] if size == result.shape[dim] else ()
        for size, dim in zip(source.shape, dims, strict=True)
    ]
    return TensorSharding.from_axes(sharding.mesh_or_ref, axes)
