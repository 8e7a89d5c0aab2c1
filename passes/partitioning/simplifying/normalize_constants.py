"""sdy-normalize-constants: writes constants of other dialects, and values without elements, as stablehlo.constant.

    %0 = arith.constant dense<1.0> : tensor<8xf32>
    %1 = stablehlo.slice %a [0:0, 0:4] : (tensor<8x4xf32>) -> tensor<0x4xf32>
==> %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    %1 = stablehlo.constant dense<> : tensor<0x4xf32>

A constant is split between its users, each device has its part of it, and XLA compiles it. Programs of torch-mlir have
`arith.constant`. Values without elements are replaced only with `empty`, as XLA does before it propagates: shardings do
not travel through them then. Ops that have effects stay. Cost model: none, nothing is computed.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder

FOREIGN_CONSTANTS = ("arith.constant", "chlo.constant")
"""Ops of other dialects that are constants."""


@dataclass(frozen=True)
class NormalizeConstantsOptions:
    """Options of sdy-normalize-constants."""

    empty: bool = option(False, "replace values without elements, too")


@pass_("sdy-normalize-constants", on="func.func", options=NormalizeConstantsOptions)
def normalize_constants(func: ir.Operation, options: NormalizeConstantsOptions) -> object:
    foreign = [op for op in ops_named(func, *FOREIGN_CONSTANTS) if isinstance(op.results[0].type, ir.RankedTensorType)]
    for op in foreign:
        constant = Builder.before(op).constant(op.attributes["value"])
        if SHARDING in op.attributes:
            constant.owner.attributes[SHARDING] = op.attributes[SHARDING]
        op.results[0].replace_all_uses_with(constant)
        op.erase()
    has_replaced = options.empty and _replace_empty(func)
    return None if foreign or has_replaced else UNCHANGED


def _replace_empty(func: ir.Operation) -> bool:
    """Replaces values without elements; returns whether there were any."""
    found = [op for op in pre_order(func) if any(_is_empty(result.type) for result in op.results)]
    changed = [op for op in found if op.name != "stablehlo.constant" and is_effect_free(op)]
    for op in reversed(changed):
        for result in op.results:
            if _is_empty(result.type) and _is_used(result):
                constant = Builder.before(op).constant(ir.Attribute.parse(f"dense<> : {result.type}"))
                result.replace_all_uses_with(constant)
        if not any(map(_is_used, op.results)):
            op.erase()
    return bool(changed)


def _is_empty(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and 0 in type_.shape


def _is_used(result: ir.Value) -> bool:
    return any(True for _ in result.uses)
