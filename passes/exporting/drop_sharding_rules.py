"""sdy-drop-sharding-rules: removes the sharding rules that are not custom.

    %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=4}>} : tensor<4xf32>
==> %0 = stablehlo.add %a, %a : tensor<4xf32>

Such rules follow from the op; a custom one is known from nowhere else (spec: sharding-rules, 10.2). With `custom` those
go as well: in a local program their factors have global sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition.attributes import SHARDING_RULE, value_of
from sdy.mlir import address, ir
from sdy.mlir.search import for_each_with
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    custom: bool = option(False, "remove custom rules as well")


@pass_("sdy-drop-sharding-rules", on="func.func", options=Options)
def drop_sharding_rules(func: ir.Operation, options: Options) -> object:
    is_custom: dict[int, bool] = {}  # by the address of the rule

    def drop(op: ir.Operation) -> None:
        stored = op.attributes
        rule = stored[SHARDING_RULE]
        key = address(rule)
        if key not in is_custom:
            is_custom[key] = not options.custom and value_of(rule).is_custom
        if not is_custom[key]:
            del stored[SHARDING_RULE]

    for_each_with(func, SHARDING_RULE, drop)
    return None if is_custom else UNCHANGED
