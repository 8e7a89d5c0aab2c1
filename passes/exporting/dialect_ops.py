"""Ops that propagation needed go, or become reshards."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sdy.dialect.data_flow import DataFlowOp, edge_of_owner, erase_forwarding, interface, shardings_on_edges
from sdy.dialect.definition.attributes import SHARDING, attr_of
from sdy.dialect.ir_builders.with_sharding import constraint_to_reshard
from sdy.dialect.op_properties import CONSTANTS, is_scalar
from sdy.dialect.shardings.attribute_shardings import open_like
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.rule import PropagationEdges
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes.options import option
from sdy.passes.registry import pass_

_ORIGINS = "sharding_origins"
_EDGES = "propagation_edges"


@dataclass(frozen=True)
class Options:
    sink_debug_sharding_origins: bool = option(
        False, "also move the origins of shardings, to arrays on the data-flow ops"
    )
    sink_debug_propagation_edge_sharding: bool = option(
        False, "also move the propagation edges, to arrays on the data-flow ops"
    )


@pass_("sdy-sink-data-flow-edges", on="func.func", options=Options)
def sink_data_flow_edges(func: ir.Operation, options: Options) -> None:
    """sdy-sink-data-flow-edges: Move the shardings of data-flow edges to their ops, and erase the edges.

        %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
        %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    ==> %0 = stablehlo.optimization_barrier %arg0
               {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>

    Spec: export-passes, 3.10. Once an edge of an op has a sharding, owners without a sharding on their edge become
    open.
    """
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
    """Return the entries `name` of the edges of `owners`; empty where an edge has none."""
    nothing = ir.DictAttr.get({}) if name == _ORIGINS else attr_of(PropagationEdges(()))
    notes = []
    for owner in owners:
        edge = edge_of_owner(owner)
        if edge is not None:
            notes.append(edge.attributes.get(f"sdy.{name}", nothing))
    return ir.ArrayAttr.get(notes)


@pass_("sdy-sink-func-data-flow-edges", on="func.func")
def sink_func_data_flow_edges(func: ir.Operation) -> None:
    """sdy-sink-func-data-flow-edges: Move the shardings of function edges to arguments and calls, and erase the edges.

        %0 = sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    ==> (nothing; `%arg0` has the sharding)

    Spec: export-passes, 3.11. An edge without a sharding leaves its operand open, if the operand has a sharding.
    """
    for edge in ops_named(func, "sdy.func_data_flow_edge"):
        operand = edge.operands[0]
        sharding, old = get_sharding(edge.results[0]), get_sharding(operand)
        if sharding is not None:
            set_sharding(operand, sharding)
        elif old is not None:
            set_sharding(operand, open_like(old.mesh_or_ref, operand.type))
        erase_forwarding(edge)


@pass_("sdy-remove-sharding-groups")
def remove_sharding_groups(module: ir.Operation) -> None:
    """sdy-remove-sharding-groups: Erase every `sdy.sharding_group`.

    The members already have equal shardings, so the groups are no longer needed.

        sdy.sharding_group %0 group_id=0 : tensor<8xf32>
    ==> (nothing)

    Spec: export-passes, 3.6.
    """
    for op in ops_named(module, "sdy.sharding_group"):
        op.erase()


@pass_("sdy-sharding-constraint-to-reshard", on="func.func")
def sharding_constraint_to_reshard(func: ir.Operation) -> None:
    """sdy-sharding-constraint-to-reshard: Replace sharding constraints by reshards.

        %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
    ==> %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>

    Spec: export-passes, 3.7. The sharding and all other attributes are kept.
    """
    for op in ops_named(func, "sdy.sharding_constraint"):
        constraint_to_reshard(op)


_BROADCAST = "stablehlo.broadcast_in_dim"
_OWN = {_BROADCAST: "broadcast_dimensions", **dict.fromkeys(CONSTANTS, "value")}
"""The one attribute that these ops have of their own."""


@pass_("sdy-constant-or-scalar-merger", on="func.func")
def constant_or_scalar_merger(func: ir.Operation) -> None:
    """sdy-constant-or-scalar-merger: Merge equal constants, and equal broadcasts of one scalar.

    Import gives every use of a constant its own copy, so that each can be sharded separately; copies with equal
    shardings are merged again.

        %0 = sdy.constant dense<1.0> : tensor<8xf32>
        %1 = sdy.constant dense<1.0> : tensor<8xf32>
        %2 = stablehlo.add %0, %1 : tensor<8xf32>
    ==> %0 = sdy.constant dense<1.0> : tensor<8xf32>
        %1 = stablehlo.add %0, %0 : tensor<8xf32>

    Spec: export-passes, 3.2. Keeps the first of equal constants and of equal broadcasts of a scalar.

    Ops of one block are equal if they differ only in their names.
    """
    first: dict[Hashable, ir.Value] = {}
    scalars: dict[int, bool] = {}  # by the address of the operand
    for op in ops_named(func, *_OWN):
        name, operand = op.name, None
        if name == _BROADCAST:
            value = op.operands[0]
            operand = address(value)
            is_known_scalar = scalars.get(operand)
            if is_known_scalar is None:
                is_known_scalar = scalars[operand] = is_scalar(value)
            if not is_known_scalar:
                continue
        result = op.result
        key = address(op.block), operand, address(result.type), _attributes(op, name)
        kept = first.setdefault(key, result)
        if kept is not result:
            result.replace_all_uses_with(kept)
            op.erase()


def _attributes(op: ir.Operation, name: str) -> Hashable:
    """Return a key of the attributes of an op; listing them all takes longer."""
    stored = op.attributes
    own, sharding = stored.get(_OWN[name]), stored.get(SHARDING)
    if len(stored) == (own is not None) + (sharding is not None):
        return None if own is None else address(own), None if sharding is None else address(sharding)
    return tuple(sorted((name, address(attr)) for name, attr in stored.items()))
