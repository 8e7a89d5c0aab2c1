"""xla-sdy-round-trip-export-ops: constraints, groups, barriers and constants become ops that XLA keeps.

    %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
    sdy.sharding_group %0 group_id=1 : tensor<8xf32>
==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
      mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8xf32>) -> ()
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.search import ops_named
from sdy.mlir import ir
from sdy.passes.interchange import strings
from sdy.passes.interchange.custom_calls import SHARDING_CALL
from sdy.passes.interchange.exporting.building import custom_call, says_reduction
from sdy.passes.registry import UNCHANGED, pass_


@pass_("xla-sdy-round-trip-export-ops")
def round_trip_export_ops(module: ir.Operation) -> object:
    """Spec: interchange, 6 and 8.1."""
    found = ops_named(module, *_EXPORTERS)
    for op in found:
        _EXPORTERS[op.name](op)
        op.erase()
    return None if found else UNCHANGED


def _constraint(op: ir.Operation) -> None:
    sharding = attributes.get(op, "sharding")
    call = custom_call(SHARDING_CALL, op.operands, [op.results[0].type], op, side_effect=says_reduction(sharding))
    attributes.put(call, SHARDING, ShardingPerValue((sharding,)))
    op.results[0].replace_all_uses_with(call.results[0])


def _group(op: ir.Operation) -> None:
    entries = {strings.GROUP_ID: ir.StringAttr.get(f"{ir.IntegerAttr(op.attributes['group_id']).value} : i64")}
    custom_call(strings.GROUP, op.operands, [], op, side_effect=True, frontend=entries)


def _barrier(op: ir.Operation) -> None:
    direction = ir.IntegerAttr(op.attributes["allowed_direction"]).value
    entries = {strings.DIRECTION: ir.StringAttr.get(f"{direction} : i32")}
    call = custom_call(strings.BARRIER, op.operands, [op.results[0].type], op, side_effect=True, frontend=entries)
    op.results[0].replace_all_uses_with(call.results[0])


def _constant(op: ir.Operation) -> None:
    kept = dict(op.attributes.items())
    constant = ir.Operation.create(
        "stablehlo.constant",
        results=[op.results[0].type],
        attributes=kept,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(constant.results[0])


_EXPORTERS: dict[str, Callable[[ir.Operation], None]] = {
    "sdy.sharding_constraint": _constraint,
    "sdy.sharding_group": _group,
    "sdy.propagation_barrier": _barrier,
    "sdy.constant": _constant,
}
