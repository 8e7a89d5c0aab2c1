"""Pads of what is resharded behind them: the reshard comes first, so that no padding is sent.

    %0 = stablehlo.pad %a, %zero, high = [16] ... : tensor<16xf32> -> tensor<32xf32>      // <@mesh, [{"x"}]>
    %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<32xf32>
==> %0 = sdy.reshard %a <@mesh, [{}]> : tensor<16xf32>
    %1 = stablehlo.pad %0, %zero, high = [16] ... : tensor<16xf32> -> tensor<32xf32>      // <@mesh, [{}]>

So it is where a sequence that is sharded is transformed at twice its length, as in long convolutions.
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.passes.partitioning.reshard_planning.reshard_cost import final_layout, reshard_bytes
from sdy.stablehlo.ops import Builder

LayoutOf = Callable[[ir.Value], Layout]


def pad_resharded(op: ir.Operation, layout_of: LayoutOf, layouts: Layouts) -> bool:
    """Rewrites a pad along whose dimensions no user has the result sharded, if that sends less."""
    source = _source(op.operands[0])
    layout, result = layout_of(source), layout_of(op.results[0])
    target = final_layout(op.results[0], layouts)
    if target is None or target.sharding is None or not all(map(_is_plain, (layout, result, target))):
        return False
    if not layout.mesh == result.mesh == target.mesh or any(target.is_sharded(dim) for dim in _padded_dims(op)):
        return False
    before = layouts.of(op.operands[0].type, target.sharding)
    otherwise = reshard_bytes(layout, layout_of(op.operands[0])) + reshard_bytes(result, target)
    if reshard_bytes(layout, before) >= otherwise:
        return False
    b = Builder.before(op)
    part = sdy_ops.reshard(source, target.sharding, loc=op.location, ip=b.ip)
    copy = op.clone(ip=b.ip).operation
    copy.operands[0] = part
    made = marked(copy.results[0], target.sharding)
    for user in [use.owner.operation for use in op.results[0].uses]:
        user.results[0].replace_all_uses_with(made)
        user.erase()
    op.erase()
    return True


def _source(value: ir.Value) -> ir.Value:
    """What a value is resharded from."""
    op = defining_op(value)
    return value if op is None or op.name != "sdy.reshard" else op.operands[0]


def _is_plain(layout: Layout) -> bool:
    return layout.mesh is not None and not layout.mesh.is_maximal and not layout.unreduced


def _padded_dims(op: ir.Operation) -> list[int]:
    amounts = zip(*(op.attributes[name] for name in _AMOUNTS), strict=True)
    return [dim for dim, each in enumerate(amounts) if any(each)]


_AMOUNTS = ("edge_padding_low", "edge_padding_high", "interior_padding")
