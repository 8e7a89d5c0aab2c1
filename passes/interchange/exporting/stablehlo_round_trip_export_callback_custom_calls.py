"""xla-sdy-stablehlo-round-trip-export-callback-custom-calls: callbacks whose results no one uses have none.

    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true,
      mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> tensor<i32>
==> stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true,
      mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> ()

That is how XLA knows a callback on one device for one that needs no result to be sent to the others.
"""

from __future__ import annotations

from sdy.dialect.sharding_text.forms import Several
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.mlir import ir
from sdy.passes.interchange.custom_calls import CALLBACKS, CUSTOM_CALL, calls_of
from sdy.passes.interchange.sites import TEXT, text_in
from sdy.passes.registry import UNCHANGED, pass_

_LAYOUTS = "result_layouts"


@pass_("xla-sdy-stablehlo-round-trip-export-callback-custom-calls")
def stablehlo_round_trip_export_callback_custom_calls(module: ir.Operation) -> object:
    """Spec: interchange, 8.1."""
    found = [op for op in calls_of(module, *CALLBACKS) if len(op.results) and not _is_used(op)]
    for op in found:
        _drop_results(op)
    return None if found else UNCHANGED


def _is_used(op: ir.Operation) -> bool:
    return any(True for result in op.results for _ in result.uses)


def _drop_results(op: ir.Operation) -> None:
    given = dict(op.attributes.items())
    if _LAYOUTS in given:
        given[_LAYOUTS] = ir.ArrayAttr.get([])
    text = text_in(given)
    if text is not None and isinstance(found := read(text), Several):
        given[TEXT] = ir.StringAttr.get(str(found.leaves[0]))
    ir.Operation.create(
        CUSTOM_CALL,
        results=[],
        operands=list(op.operands),
        attributes=given,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.erase()
