"""sdy-populate-op-sharding-rules: puts the rule that propagation would use on every op that has one.

    %0 = stablehlo.slice %a [0:9, 1:3] : (tensor<9x6xf32>) -> tensor<9x2xf32>
==> %0 = stablehlo.slice %a [0:9, 1:3]
        {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=9, j=6} permutation={j}>}
        : (tensor<9x6xf32>) -> tensor<9x2xf32>

Meant for tests and for looking at rules. A rule that is there already stays (spec: sharding-rules, 10.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ops.notation import check_rule
from sdy.dialect.ops.rules import rule_of
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.options import option
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class PopulateOpShardingRulesOptions:
    conservative_propagation: bool = option(
        False, "keep axes that do not divide a dimension from passing through an op"
    )


@pass_("sdy-populate-op-sharding-rules", on="func.func", options=PopulateOpShardingRulesOptions)
def populate_op_sharding_rules(func: ir.Operation, options: PopulateOpShardingRulesOptions) -> None:
    for op in pre_order(func):
        if SHARDING_RULE in op.attributes:
            continue
        rule = rule_of(op, options.conservative_propagation)
        if rule is not None:
            check_rule(op, rule)
            attributes.put(op, SHARDING_RULE, rule)
