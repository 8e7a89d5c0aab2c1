"""sdy-broadcasts-to-reshapes: a broadcast that adds nothing but dimensions of size 1 is a reshape.

    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
==> %1 = stablehlo.reshape %0 : (tensor<8xi32>) -> tensor<8x1xi32>

Propagation lets broadcasts pass shardings on last of all, and reshapes among the first. So the batch of the tokens that
are looked up in a table, say, would come too late for what is looked up. XLA does the same before it propagates. Cost
model: none, both are free.
"""

from __future__ import annotations

import math

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import address, ir
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.types.sizes import is_ascending


@pass_("sdy-broadcasts-to-reshapes", on="func.func")
def broadcasts_to_reshapes(func: ir.Operation) -> None:
    same_size: dict[tuple[int, int], bool] = {}  # by the addresses of types, of which few are distinct
    for broadcast in views.BroadcastInDim.all_in(func):
        op, before, after = broadcast.op, broadcast.operand.type, broadcast.result.type
        key = address(before), address(after)
        has_same_size = same_size.get(key)
        if has_same_size is None:
            has_same_size = same_size[key] = _have_same_size(before, after)
        if has_same_size and is_ascending(broadcast.broadcast_dimensions, strictly=False):
            made = Builder.before(op).reshape(broadcast.operand, after)
            if SHARDING in op.attributes:
                made.owner.operation.attributes[SHARDING] = op.attributes[SHARDING]
            broadcast.result.replace_all_uses_with(made)
            op.erase()


def _have_same_size(before: ir.RankedTensorType, after: ir.RankedTensorType) -> bool:
    """Whether tensors of these types, of which the first is no scalar, have as many elements."""
    if not before.rank or not before.has_static_shape or not after.has_static_shape:
        return False
    return math.prod(before.shape) == math.prod(after.shape)
