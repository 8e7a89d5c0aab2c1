"""Ops without a padding of their own."""

from __future__ import annotations

from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.rules import rule_of
from sdy.dialect.rules.extension_rules import is_uninitialized
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.mlir import ir
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.facts.whole_factors import whole_factors
from sdy.passes.partitioning.padding.pad_op import Padding, PadOp
from sdy.stablehlo.idioms.callbacks import is_made_on_parts

_ALIKE = frozenset(
    """
    func.call func.return sdy.all_reduce sdy.collective_permute sdy.data_flow_edge sdy.func_data_flow_edge
    sdy.propagation_barrier sdy.replicated_to_unreduced
    sdy.reshard sdy.return sdy.sharding_constraint sdy.sharding_group
    stablehlo.iota stablehlo.return
    """.split()
)
"""Ops without a sharding rule that do the same with larger tensors."""


def grows_alike(name: str) -> bool:
    """Whether ops of that name do the same with larger tensors, whatever they are."""
    return name in _ALIKE or is_data_flow_op(name) or name == "stablehlo.map"


def choose(op: PadOp) -> Padding:
    """How to pad an op that has a padded operand or result; to be asked while all types are unpadded."""
    layouts = (*op.operand_layouts, *op.result_layouts)
    if op.op.name == "sdy.reshard" and not _are_padded_alike(layouts):
        op.fail("moves a value to devices among which it has to be padded in another way")
    if op.op.name in _ALIKE or is_data_flow_op(op.op.name):
        return PadOp.grow
    if is_uninitialized(op.op) or (op.op.name == "stablehlo.custom_call" and is_made_on_parts(op.op)):
        return PadOp.grow
    if is_elementwise(op.op) or op.op.name == "stablehlo.map":
        return PadOp.grow if _are_padded_alike(layouts) else PadOp.compute_unpadded
    rule = rule_of(op.op)
    if rule is not None and _padding_passes_through(op.op, rule, layouts):
        return PadOp.grow
    return PadOp.compute_unpadded


def _are_padded_alike(layouts: tuple[Layout, ...]) -> bool:
    """Whether all tensors with dimensions are padded to one shape; those without a sharding rule may differ."""
    return len({layout.padded_shape for layout in layouts if layout.rank}) <= 1


def _padding_passes_through(op: ir.Operation, rule: ShardingRule, tensors: tuple[Layout, ...]) -> bool:
    """Whether every padded dimension is one along which the op does not mix elements, nor repeats them.

    All tensors have to be padded to one size along it.
    """
    whole = whole_factors(op, rule)
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
