"""xla-sdy-import-sdy-custom-calls: custom calls of XLA that are about shardings become ops.

    %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>,
      backend_config = "unspecified_dims=[1]"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
      mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8x8xf32>) -> ()
==> %0 = sdy.sharding_constraint %x <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
    sdy.sharding_group %0 group_id=1 : tensor<8x8xf32>
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.rewriting.insertion import At
from sdy.mlir.search import ops_named
from sdy.passes import shared_options as shared
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, frontend_string, target_of
from sdy.passes.interchange.importing.open_dims import with_open_dims
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pass_("xla-sdy-import-sdy-custom-calls", options=Options)
def import_sdy_custom_calls(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 5.1, 5.3 and 6."""
    importers = {**_IMPORTERS, **dict.fromkeys(options.sharding_calls, _constraint)}
    calls = [(op, target_of(op)) for op in ops_named(module, CUSTOM_CALL)]
    with Faults() as faults:
        for op, target in calls:
            if target.startswith("xla.sdy.") and target not in importers:
                with faults.one():
                    raise DiagnosticError(op, f"calls @{target}, which no sharding is written as")
    found = [op for op, target in calls if target in importers]
    for op in found:
        importers[target_of(op)](op)
    return None if found else UNCHANGED


def _constraint(op: ir.Operation) -> None:
    if len(op.operands) != 1 or len(op.results) != 1:
        raise DiagnosticError(op, f"@{target_of(op)} takes one value and returns it")
    shardings = op_shardings(op)
    if shardings is None:
        raise DiagnosticError(op, "expected a sharding on this custom call")
    _replace(op, builders.sharding_constraint(op.operands[0], with_open_dims(op, shardings[0]), **_place(op)))


def _group(op: ir.Operation) -> None:
    group_id = _integer(op, "xla.sdy.sharding_group_id", "a group id")
    for operand in op.operands:
        builders.sharding_group(operand, group_id, **_place(op))
    for result in op.results:
        if any(True for _ in result.uses):
            raise DiagnosticError(op, "the result of a sharding group is used")
    op.erase()


def _barrier(op: ir.Operation) -> None:
    direction = _integer(op, "xla.sdy.allowed_direction", "an allowed direction")
    if direction not in range(len(_DIRECTIONS)):
        raise DiagnosticError(op, f"allowed direction {direction} is none of 0 to {len(_DIRECTIONS) - 1}")
    _replace(op, builders.propagation_barrier(_operand(op), _DIRECTIONS[direction], **_place(op)))


_DIRECTIONS = ("NONE", "FORWARD", "BACKWARD", "BOTH")


def _shard_barrier(op: ir.Operation) -> None:
    """A barrier of GSPMD, which keeps shardings from going on from its operand, or from coming back to it."""
    direction = "BACKWARD" if target_of(op) == _BARRIER_FROM else "FORWARD"
    _replace(op, builders.propagation_barrier(_operand(op), direction, **_place(op)))


def _operand(op: ir.Operation) -> ir.Value:
    if len(op.operands) != 1 or len(op.results) != 1:
        raise DiagnosticError(op, f"@{target_of(op)} takes one value and returns it")
    return op.operands[0]


def _integer(op: ir.Operation, key: str, what: str) -> int:
    """The integer that a frontend attribute holds as text."""
    text = frontend_string(op, key)
    found = re.fullmatch(r"\s*(\d{1,18})\s*(?::\s*i\d+)?\s*", text or "")
    if found is None:
        raise DiagnosticError(op, f"expected {what} in the frontend attribute '{key}'")
    return int(found[1])


def _replace(op: ir.Operation, value: ir.Value) -> None:
    if value.type != op.results[0].type:
        raise DiagnosticError(op, f"@{target_of(op)} changes the type of its operand")
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _place(op: ir.Operation) -> At:
    return {"loc": op.location, "ip": ir.InsertionPoint(op)}


_BARRIER_FROM, _BARRIER_TO = "ShardBarrierFrom", "ShardBarrierTo"

_IMPORTERS: dict[str, Callable[[ir.Operation], None]] = {
    "Sharding": _constraint,
    "xla.sdy.ShardingGroup": _group,
    "xla.sdy.PropagationBarrier": _barrier,
    _BARRIER_FROM: _shard_barrier,
    _BARRIER_TO: _shard_barrier,
}
