"""sdy-populate-chlo-sharding-rules: gives ops of CHLO a sharding rule, so that they need not gather their operands.

    %0 = chlo.square %a : tensor<9x6xf32> -> tensor<9x6xf32>
==> %0 = chlo.square %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=9, j=6}>} : ...

Propagation knows nothing of CHLO, as in the reference: without a rule such an op gets the whole of its operands on
every device. Ops on each element by itself get one, and `chlo.top_k`, along all but its last dimension. A rule that is
there stays.
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.rules.chlo_rules import CHLO_OPS, chlo_rule
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-populate-chlo-sharding-rules", on="func.func")
def populate_chlo_sharding_rules(func: ir.Operation) -> None:
    for op in ops_named(func, *CHLO_OPS):
        if SHARDING_RULE not in op.attributes:
            rule = chlo_rule(op)
            if rule is not None:
                attributes.put(op, SHARDING_RULE, rule)
