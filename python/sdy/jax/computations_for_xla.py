"""Inlines named computations for a program that XLA partitions, since JAX's XLA accepts none.

    %1 = sdy.named_computation<"f">(%0) in_shardings=[S] (%arg1: tensor<8xf32>) {
      %2 = stablehlo.tanh %arg1 : tensor<8xf32>
      sdy.return %2 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
==> %1 = sdy.sharding_constraint %0 S : tensor<8xf32>
    %2 = stablehlo.tanh %1 : tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy as sdy_dialect

from sdy.jax.annotations.named_computations import COMPUTATION_OP, has_computations


def without_computations(module: ir.Module) -> ir.Module:
    """A module that JAX lowered, without named computations; a copy if it has some."""
    if not has_computations(module):
        return module
    with module.context:
        copied = ir.Module.parse(str(module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)))
        found: list[ir.Operation] = []

        def keep(op: ir.Operation) -> ir.WalkResult:
            if op.name == COMPUTATION_OP:
                found.append(op)
            return ir.WalkResult.ADVANCE

        copied.operation.walk(keep)  # inner ones come first
        for op in found:
            _inline(op)
    return copied


def _inline(op: ir.Operation) -> None:
    block = op.regions[0].blocks[0]
    with op.location, ir.InsertionPoint(op):
        for argument, operand in zip(block.arguments, _constrained(op, "in_shardings", op.operands), strict=True):
            argument.replace_all_uses_with(operand)
        *body, last = list(block.operations)
        for each in body:
            each.operation.move_before(op)
        for result, value in zip(op.results, _constrained(op, "out_shardings", last.operands), strict=True):
            result.replace_all_uses_with(value)
    op.erase()


def _constrained(op: ir.Operation, name: str, values: Iterable[ir.Value]) -> list[ir.Value]:
    """Return operands or results with the shardings that the computation has for them."""
    if name not in op.attributes:
        return list(values)
    shardings = sdy_dialect.TensorShardingPerValueAttr(op.attributes[name]).shardings
    return [
        sdy_dialect.ShardingConstraintOp(value, sharding).result if hasattr(value.type, "rank") else value
        for value, sharding in zip(values, shardings, strict=True)
    ]
