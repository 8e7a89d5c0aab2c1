"""sdy-add-data-flow-edges: one sdy.data_flow_edge per group of values that the same tensor flows through.

    %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
==> %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
    %1 = sdy.data_flow_edge %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
"""

from __future__ import annotations

from sdy.dialect.data_flow import data_flow_ops
from sdy.mlir import ir
from sdy.passes.importing.data_flow_edges import add_edges
from sdy.passes.registry import pass_


@pass_("sdy-add-data-flow-edges", on="builtin.module")
def add_data_flow_edges(module: ir.Operation) -> None:
    """Spec: import-passes, 4.7. No owner may have an edge yet."""
    for flow in data_flow_ops(module):
        add_edges(flow)
