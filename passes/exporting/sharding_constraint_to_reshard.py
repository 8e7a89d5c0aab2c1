"""sdy-sharding-constraint-to-reshard: after propagation a constraint is a reshard.

    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
==> %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-sharding-constraint-to-reshard", on="func.func")
def sharding_constraint_to_reshard(func: ir.Operation) -> None:
    """The sharding and all other attributes are taken over as they are (spec: export-passes, 3.7)."""
    for op in ops_named(func, "sdy.sharding_constraint"):
        value = op.results[0]
        reshard = ir.Operation.create(
            "sdy.reshard",
            results=[value.type],
            operands=[op.operands[0]],
            attributes=dict(op.attributes.items()),
            loc=op.location,
            ip=ir.InsertionPoint(op),
        )
        value.replace_all_uses_with(reshard.results[0])
        op.erase()
