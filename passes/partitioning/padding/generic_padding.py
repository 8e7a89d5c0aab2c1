"""Padding of an op, by its model or its sharding rule."""

from __future__ import annotations

from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.pad_op import Padding, PadOp
from sdy.dialect.lowering.partial_results import unshardable_factors
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import any_model, model_with, target_of
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.mlir import ir


def choose(op: PadOp) -> Padding:
    """Choose the padding of an op with a padded operand or result; all types are still unpadded."""
    name, target = op.op.name, target_of(op.op)
    model = model_with("pad", name, target)
    if model is not None:
        return model.pad
    if is_data_flow_op(name) or any_model(op.op, "grows").grows(op) or any_model(op.op, "grows_alike").grows_alike:
        return PadOp.grow
    if is_elementwise(op.op) or any_model(op.op, "is_elementwise").is_elementwise:
        return PadOp.grow if op.is_padded_alike else PadOp.compute_unpadded
    layouts = (*op.operand_layouts, *op.result_layouts)
    rule = rule_of(op.op)
    if rule is not None and _padding_passes_through(op.op, rule, layouts):
        return PadOp.grow
    return PadOp.compute_unpadded


def _padding_passes_through(op: ir.Operation, rule: ShardingRule, tensors: tuple[Layout, ...]) -> bool:
    """Return whether the op neither mixes nor repeats elements along every padded dimension.

    All tensors have to be padded to one size along it.
    """
    whole = unshardable_factors(op, rule)
    in_results = {factor for mapping in rule.results for factors in mapping for factor in factors}
    sizes: dict[tuple[int, ...], int] = {}
    for layout, mapping in zip(tensors, rule.tensors, strict=True):
        for dim, factors in enumerate(mapping):
            size = layout.padded_shape[dim]
            passes = all(
                rule.factor_types[factor] is FactorType.PASS_THROUGH and factor not in whole and factor in in_results
                for factor in factors
            )
            if size != layout.shape[dim] and not (factors and passes):
                return False
            if factors and passes and sizes.setdefault(factors, size) != size:
                return False
    return True
