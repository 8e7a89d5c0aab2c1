"""sdy-constant-or-scalar-merger: merges equal constants, and equal broadcasts of one scalar.

Import gives every use of a constant a copy of its own, so that each can be sharded its own way; copies that ended up
alike become one again.

    %0 = sdy.constant dense<1.0> : tensor<8xf32>
    %1 = sdy.constant dense<1.0> : tensor<8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8xf32>
==> %0 = sdy.constant dense<1.0> : tensor<8xf32>
    %1 = stablehlo.add %0, %0 : tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Hashable

from sdy.dialect.op_properties import CONSTANTS, is_scalar
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_

_BROADCAST = "stablehlo.broadcast_in_dim"


@pass_("sdy-constant-or-scalar-merger", on="func.func")
def constant_or_scalar_merger(func: ir.Operation) -> None:
    """Keeps the first of equal constants and of equal broadcasts of a scalar (spec: export-passes, 3.2).

    Equal are ops of one block that agree in all but their names.
    """
    first: dict[Hashable, ir.Value] = {}
    for op in ops_named(func, *CONSTANTS, _BROADCAST):
        operands = tuple(op.operands)
        if operands and not is_scalar(operands[0]):
            continue
        result = op.results[0]
        kept = first.setdefault((op.block, operands, result.type, *op.attributes.items()), result)
        if kept is not result:
            result.replace_all_uses_with(kept)
            op.erase()
