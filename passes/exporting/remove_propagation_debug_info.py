"""sdy-remove-propagation-debug-info: removes what propagation noted about where axes came from.

    func.func @f(%arg0: tensor<8xf32> {sdy.sharding_origins = {x = "self"}}) { ... }
==> func.func @f(%arg0: tensor<8xf32>) { ... }
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.function_attributes import Entries, map_entries
from sdy.mlir.walk import pre_order
from sdy.passes.registry import pass_

_NAMES = tuple(
    f"sdy.{prefix}{name}"
    for prefix in ("", "block_arg_", "result_")
    for name in ("propagation_edges", "sharding_origins")
)


@pass_("sdy-remove-propagation-debug-info")
def remove_propagation_debug_info(module: ir.Operation) -> None:
    """Names of origins, `sdy.sharding_origin_name`, are the user's and stay (spec: export-passes, 3.5)."""
    for op in pre_order(module):
        if op.name == "func.func":
            map_entries(op, _without_debug_info)
        else:
            attributes = op.attributes
            for name in _NAMES:
                if name in attributes:
                    del attributes[name]


def _without_debug_info(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name not in _NAMES}
