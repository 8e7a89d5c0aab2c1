"""Copies of HLO, by which XLA says how a value is sharded behind propagation (spec: interchange, 8.1).

    %1 = "mhlo.copy"(%0) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
==> %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2,4]<=[8]}"}
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.rewriting.inlining import replace
from sdy.mlir.search import ops_named
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, SHARDING_CALL
from sdy.passes.interchange.sites import TEXT

_COPY = "mhlo.copy"


def remove_copies(module: ir.Operation) -> bool:
    """Makes copies with sharding text constraints, and others what they copy; whether there were any."""
    context = module.context
    if not (context.allow_unregistered_dialects or context.is_registered_operation(_COPY)):
        return False
    found = [op for op in ops_named(module, _COPY) if _keeps_type(op)]
    for op in found:
        value = _constraint(op) if TEXT in op.attributes else op.operands[0]
        replace(op, [value])
    return bool(found)


def _keeps_type(op: ir.Operation) -> bool:
    return len(op.operands) == len(op.results) == 1 and op.operands[0].type == op.results[0].type


def _constraint(op: ir.Operation) -> ir.Value:
    call = ir.Operation.create(
        CUSTOM_CALL,
        results=[op.results[0].type],
        operands=list(op.operands),
        attributes={**dict(op.attributes.items()), "call_target_name": ir.StringAttr.get(SHARDING_CALL)},
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    return call.results[0]
