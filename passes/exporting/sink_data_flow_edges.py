"""sdy-sink-data-flow-edges: moves the shardings of data-flow edges to the ops they belong to, and removes the edges.

    %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
    %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
==> %0 = stablehlo.optimization_barrier %arg0
           {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.data_flow import DataFlowOp, edge_of_owner, interface
from sdy.dialect.definition.attributes import attr_of
from sdy.dialect.values.rule import PropagationEdges
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes.exporting.sinking import erase_forwarding, shardings_on_edges
from sdy.passes.options import option
from sdy.passes.registry import pass_

_ORIGINS = "sharding_origins"
_EDGES = "propagation_edges"


@dataclass(frozen=True)
class Options:
    sink_debug_sharding_origins: bool = option(
        False, "move the origins of shardings too, into arrays on the data-flow ops"
    )
    sink_debug_propagation_edge_sharding: bool = option(
        False, "move the propagation edges too, into arrays on the data-flow ops"
    )


@pass_("sdy-sink-data-flow-edges", on="func.func", options=Options)
def sink_data_flow_edges(func: ir.Operation, options: Options) -> None:
    """Once an edge of an op has a sharding, owners whose edge has none become open (spec: export-passes, 3.10)."""
    edges = ops_named(func, "sdy.data_flow_edge")
    debug = [
        name
        for name, wanted in (
            (_ORIGINS, options.sink_debug_sharding_origins),
            (_EDGES, options.sink_debug_propagation_edge_sharding),
        )
        if wanted
    ]
    if edges or debug:
        for op in pre_order(func):
            flow = interface(op)
            if flow is not None:
                _sink(flow, debug)
    for edge in edges:
        erase_forwarding(edge)


def _sink(flow: DataFlowOp, debug: Sequence[str]) -> None:
    block_args, results = flow.block_arg_owners(), flow.result_owners()
    shardings = shardings_on_edges(block_args)
    if shardings is not None:
        flow.set_block_arg_shardings(shardings)
    shardings = shardings_on_edges(results)
    if shardings is not None:
        flow.set_result_shardings(shardings)
    for name in debug:
        flow.op.attributes[f"sdy.block_arg_{name}"] = _notes(block_args, name)
        flow.op.attributes[f"sdy.result_{name}"] = _notes(results, name)


def _notes(owners: Sequence[ir.Value], name: str) -> ir.Attribute:
    """What the edges of `owners` note under `name`: one entry per edge, empty where an edge has no note."""
    nothing = ir.DictAttr.get({}) if name == _ORIGINS else attr_of(PropagationEdges(()))
    notes = []
    for owner in owners:
        edge = edge_of_owner(owner)
        if edge is not None:
            notes.append(edge.attributes.get(f"sdy.{name}", nothing))
    return ir.ArrayAttr.get(notes)
