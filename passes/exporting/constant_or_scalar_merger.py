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

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.op_properties import CONSTANTS, is_scalar
from sdy.mlir import address, ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_

_BROADCAST = "stablehlo.broadcast_in_dim"
_OWN = {_BROADCAST: "broadcast_dimensions", **dict.fromkeys(CONSTANTS, "value")}
"""The one attribute that these ops have of their own."""


@pass_("sdy-constant-or-scalar-merger", on="func.func")
def constant_or_scalar_merger(func: ir.Operation) -> None:
    """Keeps the first of equal constants and of equal broadcasts of a scalar (spec: export-passes, 3.2).

    Equal are ops of one block that agree in all but their names.
    """
    first: dict[Hashable, ir.Value] = {}
    scalars: dict[int, bool] = {}  # by the address of the operand
    for op in ops_named(func, *_OWN):
        name, operand = op.name, None
        if name == _BROADCAST:
            value = op.operands[0]
            operand = address(value)
            is_known_scalar = scalars.get(operand)
            if is_known_scalar is None:
                is_known_scalar = scalars[operand] = is_scalar(value)
            if not is_known_scalar:
                continue
        result = op.result
        key = address(op.block), operand, address(result.type), _attributes(op, name)
        kept = first.setdefault(key, result)
        if kept is not result:
            result.replace_all_uses_with(kept)
            op.erase()


def _attributes(op: ir.Operation, name: str) -> Hashable:
    """What tells the attributes of an op from those of others; to list them all takes longer."""
    stored = op.attributes
    own, sharding = stored.get(_OWN[name]), stored.get(SHARDING)
    if len(stored) == (own is not None) + (sharding is not None):
        return None if own is None else address(own), None if sharding is None else address(sharding)
    return tuple(sorted((name, address(attr)) for name, attr in stored.items()))
