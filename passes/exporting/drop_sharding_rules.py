"""sdy-drop-sharding-rules: removes the sharding rules that are not custom.

    %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=4}>} : tensor<4xf32>
==> %0 = stablehlo.add %a, %a : tensor<4xf32>

Such rules follow from the op; a custom one is known from nowhere else (spec: sharding-rules, 10.2).
"""

from __future__ import annotations

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING_RULE
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.passes.registry import pass_


@pass_("sdy-drop-sharding-rules", on="func.func")
def drop_sharding_rules(func: ir.Operation) -> None:
    for op in pre_order(func):
        rule = attributes.get(op, SHARDING_RULE)
        if rule is not None and not rule.is_custom:
            attributes.put(op, SHARDING_RULE, None)
