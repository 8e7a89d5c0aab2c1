"""own-fuse-sum-of-squares: a product of a value with itself, added up along its rows, is one op.

    %0 = stablehlo.multiply %x, %x : tensor<8x4xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
==> %1 = "own.sum_of_squares"(%x) : (tensor<8x4xf32>) -> tensor<8xf32>
"""

import sdy
from sdy import ir


@sdy.pass_("own-fuse-sum-of-squares", on="func.func")
def fuse_sum_of_squares(func):
    """Replaces each such sum in a function."""
    for op in [each.operation for each in func.regions[0].blocks[0].operations]:
        if op.name == "stablehlo.reduce" and _is_sum_over_rows(op):
            x = _squared(op.operands[0])
            if x is not None:
                fused = ir.Operation.create(
                    "own.sum_of_squares", [op.results[0].type], [x], loc=op.location, ip=ir.InsertionPoint(op)
                )
                op.results[0].replace_all_uses_with(fused.results[0])
                op.erase()


def _is_sum_over_rows(op):
    """Whether one value is added up along its last dimension, from zero."""
    if len(op.results) != 1 or list(op.attributes["dimensions"]) != [op.operands[0].type.rank - 1]:
        return False
    body = op.regions[0].blocks[0].operations
    return body[0].operation.name == "stablehlo.add" and _is_zero(op.operands[1])


def _is_zero(value):
    owner = value.owner.operation if isinstance(value, ir.OpResult) else None
    return owner is not None and owner.name == "stablehlo.constant" and not any(owner.attributes["value"])


def _squared(value):
    """What `value` is the square of, or None."""
    owner = value.owner.operation if isinstance(value, ir.OpResult) else None
    if owner is None or owner.name != "stablehlo.multiply" or owner.operands[0] != owner.operands[1]:
        return None
    return owner.operands[0]
