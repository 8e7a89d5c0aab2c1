"""sdy-sink-func-data-flow-edges: moves the shardings of function edges to arguments and calls, and removes the edges.

    %0 = sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
==> (nothing; `%arg0` has the sharding)
"""

from __future__ import annotations

from sdy.dialect.shardings.attribute_shardings import open_like
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.exporting.sinking import erase_forwarding
from sdy.passes.registry import pass_


@pass_("sdy-sink-func-data-flow-edges", on="func.func")
def sink_func_data_flow_edges(func: ir.Operation) -> None:
    """An edge without a sharding leaves its operand open, if that has one (spec: export-passes, 3.11)."""
    for edge in ops_named(func, "sdy.func_data_flow_edge"):
        operand = edge.operands[0]
        sharding, old = get_sharding(edge.results[0]), get_sharding(operand)
        if sharding is not None:
            set_sharding(operand, sharding)
        elif old is not None:
            set_sharding(operand, open_like(old.mesh_or_ref, operand.type))
        erase_forwarding(edge)
