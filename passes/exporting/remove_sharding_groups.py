"""sdy-remove-sharding-groups: erases every `sdy.sharding_group`.

The members are sharded alike by now, so the groups have done their duty.

    sdy.sharding_group %0 group_id=0 : tensor<8xf32>
==> (nothing)
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-remove-sharding-groups")
def remove_sharding_groups(module: ir.Operation) -> None:
    """Spec: export-passes, 3.6."""
    for op in ops_named(module, "sdy.sharding_group"):
        op.erase()
