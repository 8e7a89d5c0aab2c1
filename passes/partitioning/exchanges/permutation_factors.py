"""Which factors of an op have to be gathered because devices would need each other's data (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_rules import rule_of_devices, whole_factors
from sdy.dialect.ops.convolution import feature_factors, group_factors, torn_group_factors
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir, stablehlo
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.exchanges.window_costs import adds_up_features
from sdy.passes.partitioning.facts.communication_free import is_free_pad, is_free_slice, is_free_update

LayoutOf = Callable[[ir.Value], Layout]


def factors_to_replicate(
    op: ir.Operation,
    rule: ShardingRule,
    layout_of: LayoutOf,
    *,
    local_updates: bool = False,
    local_windows: bool = False,
) -> frozenset[int]:
    """The factors of `rule` that must not be sharded, whether they are or not.

    With `local_updates` a dynamic_update_slice may stay sharded where it is updated; only the update is gathered. With
    `local_windows` so may a convolution where its windows are single elements, and where its groups are whole.
    """
    factors = frozenset((rule_of_devices(op, rule) if local_windows else rule).permutation)
    if local_updates and op.name == "stablehlo.dynamic_update_slice":
        return factors & {factor for dim in rule.operands[1] for factor in dim}
    if op.name == "stablehlo.convolution":
        groups = torn_group_factors(op, rule, layout_of) if local_windows else group_factors(op, rule)
        return factors | whole_factors(op, rule) | groups
    if op.name == "stablehlo.concatenate":
        return factors | _joined_factors(op, rule, layout_of)
    if local_windows and op.name == "stablehlo.custom_call":
        return factors | whole_factors(op, rule)
    if op.name in _FREE:
        layout = layout_of(op.operands[0])
        is_free = _FREE[op.name]
        free = {
            factor
            for dim, mapped in enumerate(rule.operands[0])
            for factor in mapped
            if not layout.is_sharded(dim) or is_free(op, layout, dim)
        }
        return factors - free
    return factors


_FREE = {
    "stablehlo.pad": is_free_pad,
    "stablehlo.slice": is_free_slice,
    "stablehlo.dynamic_update_slice": is_free_update,
}


def features_to_gather(op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf, machine: Machine) -> frozenset[int]:
    """The features of the groups of a convolution, if it is faster to compute with all of them than to add up parts."""
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    kernel = layout_of(op.operands[1])
    is_grouped = any(op.attributes[name].value > 1 for name in ("feature_group_count", "batch_group_count"))
    if not is_grouped or kernel.mesh is None or not kernel.is_sharded(numbers.kernel_input_feature_dimension):
        return frozenset()
    is_faster = adds_up_features(machine.on(kernel.mesh), op, layout_of)
    return frozenset() if is_faster else feature_factors(op, rule)


def _joined_factors(op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf) -> frozenset[int]:
    """The factors of the concatenated dimension where it is sharded.

    They are permutation factors as long as the operands are slices, but those may have been rewritten already.
    """
    dim = op.attributes["dimension"].value
    values = (*op.operands, *op.results)
    if len(op.operands) == 1 or not any(layout_of(value).is_sharded(dim) for value in values):
        return frozenset()
    return frozenset(factor for mapping in rule.tensors for factor in mapping[dim])
