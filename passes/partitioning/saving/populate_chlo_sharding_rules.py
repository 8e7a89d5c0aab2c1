"""sdy-populate-chlo-sharding-rules: gives ops of CHLO, and calls of JAX, a sharding rule, so that they need not gather.

    %0 = chlo.square %a : tensor<9x6xf32> -> tensor<9x6xf32>
==> %0 = chlo.square %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=9, j=6}>} : ...

Propagation knows nothing of CHLO, as in the reference: without a rule such an op gets the whole of its operands on
every device. Ops on each element by itself get one, `chlo.top_k` along all but its last dimension, `chlo.scan` along
all but the scanned one, `chlo.ragged_dot` as a product; so does the custom call `LuDecomposition` along its batch. A
rule that is there stays. What has no operands is sharded as it is used.
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ops.rules import extended_ops, extension_rule
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-populate-chlo-sharding-rules", on="func.func")
def populate_chlo_sharding_rules(func: ir.Operation) -> None:
    for op in ops_named(func, *extended_ops(), "stablehlo.custom_call"):
        if SHARDING_RULE not in op.attributes and len(op.operands):
            rule = extension_rule(op)
            if rule is not None:
                attributes.put(op, SHARDING_RULE, rule)
