"""Sharding rules of custom calls on batches."""

from __future__ import annotations

from dataclasses import replace

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ops.op_signature import OpSignature, RuleBuilder, Shape
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.mlir.search import ops_with
from sdy.passes.interchange.sites import CUSTOM_CALL, FRONTEND, frontend_string


def import_batch_dimensions(module: ir.Operation) -> None:
    """Give custom calls that act on each element of a batch separately a sharding rule.

        %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.frontend_attributes = {num_batch_dims = "1"}}
            : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    ==> %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.frontend_attributes = {num_batch_dims = "1"},
            sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m]) {i=16, j=8, k=8, l=8, m=8}, custom>}
            : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>

    GSPMD's partitioner splits such calls along their first dimensions. For Shardy, JAX writes this rule itself.

    Spec: interchange, 5.3.
    """
    for op in ops_with(module, FRONTEND):
        rule = None if SHARDING_RULE in op.attributes else _rule(op)
        if rule is not None:
            attributes.put(op, SHARDING_RULE, rule)


def _rule(op: ir.Operation) -> ShardingRule | None:
    """Return the rule that shares batch dimensions among all values; other dimensions have separate factors."""
    text = frontend_string(op, "num_batch_dims") if op.name == CUSTOM_CALL else None
    count = int(text) if text is not None and text.isdecimal() and len(text) < 10 else 0
    signature = OpSignature(op)
    operands, results = ([shape or () for shape in listed] for listed in (signature.operands, signature.results))
    batches = {shape[:count] for shape in (*operands, *results) if len(shape) >= count}
    if count == 0 or len(batches) != 1:
        return None
    builder = RuleBuilder(signature)
    for dim, size in enumerate(batches.pop()):
        builder.factor(size, _at(dim, operands, count), _at(dim, results, count))
    for listed, is_result in ((operands, False), (results, True)):
        for number, shape in enumerate(listed):
            for dim in range(count if len(shape) >= count else 0, len(shape)):
                place = {number: dim}
                builder.factor(shape[dim], None if is_result else place, place if is_result else None)
    return replace(builder.build(), is_custom=True)


def _at(dim: int, shapes: list[Shape], count: int) -> dict[int, int]:
    """Return dimension `dim` of each value that has all batch dimensions."""
    return {number: dim for number, shape in enumerate(shapes) if len(shape) >= count}
