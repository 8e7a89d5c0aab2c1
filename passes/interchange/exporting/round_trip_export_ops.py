"""xla-sdy-round-trip-export-ops: constraints, groups, barriers and constants become ops that XLA keeps.

    %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
    sdy.sharding_group %0 group_id=1 : tensor<8xf32>
==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
      mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8xf32>) -> ()

Reshards and collectives, which a propagated program has, are constraints as well: that is what they come back as.
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.interchange import strings
from sdy.passes.interchange.exporting.building import custom_call
from sdy.passes.interchange.exporting.op_forms import EDGES, RESHARDS, forward, write_constant, write_reshard
from sdy.passes.registry import UNCHANGED, pass_


@pass_("xla-sdy-round-trip-export-ops")
def round_trip_export_ops(module: ir.Operation) -> object:
    """Spec: interchange, 6 and 8.1."""
    found = ops_named(module, *_EXPORTERS)
    for op in found:
        _EXPORTERS[op.name](op)
        op.erase()
    return None if found else UNCHANGED


def _group(op: ir.Operation) -> None:
    entries = {strings.GROUP_ID: ir.StringAttr.get(f"{ir.IntegerAttr(op.attributes['group_id']).value} : i64")}
    custom_call(strings.GROUP, op.operands, [], op, side_effect=True, frontend=entries)


def _barrier(op: ir.Operation) -> None:
    direction = ir.IntegerAttr(op.attributes["allowed_direction"]).value
    entries = {strings.DIRECTION: ir.StringAttr.get(f"{direction} : i32")}
    call = custom_call(strings.BARRIER, op.operands, [op.results[0].type], op, side_effect=True, frontend=entries)
    op.results[0].replace_all_uses_with(call.results[0])


_EXPORTERS: dict[str, Callable[[ir.Operation], None]] = {
    **dict.fromkeys(RESHARDS, write_reshard),
    **dict.fromkeys(EDGES, forward),
    "sdy.sharding_group": _group,
    "sdy.propagation_barrier": _barrier,
    "sdy.constant": write_constant,
}
