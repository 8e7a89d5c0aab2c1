"""sdy-empty-constants: what has no elements is a constant.

    %1 = stablehlo.slice %0 [0:0, 0:4] : (tensor<8x4xf32>) -> tensor<0x4xf32>
==> %1 = stablehlo.constant dense<> : tensor<0x4xf32>

Shardings do not travel through it then. XLA does the same before it propagates. Ops that have effects stay. Cost model:
none, nothing is computed.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.walk import pre_order
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder


@pass_("sdy-empty-constants", on="func.func")
def empty_constants(func: ir.Operation) -> object:
    found = [op for op in pre_order(func) if any(_is_empty(result.type) for result in op.results)]
    changed = [op for op in found if op.name != "stablehlo.constant" and is_effect_free(op)]
    for op in reversed(changed):
        for result in op.results:
            if _is_empty(result.type) and _is_used(result):
                result.replace_all_uses_with(_constant(op, result.type))
        if not any(map(_is_used, op.results)):
            op.erase()
    return None if changed else UNCHANGED


def _is_empty(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and 0 in type_.shape


def _is_used(result: ir.Value) -> bool:
    return any(True for _ in result.uses)


def _constant(op: ir.Operation, type_: ir.Type) -> ir.Value:
    return Builder.before(op).constant(ir.Attribute.parse(f"dense<> : {type_}"))
