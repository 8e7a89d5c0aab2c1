"""Custom calls: their targets, and those that call back to Python."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo import views

_ON_PARTS = "xla_ffi_partitioned_python_"


def callbacks(root: ir.Operation) -> list[ir.Operation]:
    """The calls back to Python below `root` in textual order."""
    return [call.op for call in views.CustomCall.all_in(root) if _is_callback(call.call_target_name)]


def is_made_on_parts(op: ir.Operation) -> bool:
    """Whether a custom call is one that every device makes, with its parts of the operands."""
    return views.CustomCall(op).call_target_name.startswith(_ON_PARTS)


def has_side_effect(op: ir.Operation) -> bool:
    """Whether a custom call is made for more than its results."""
    return views.CustomCall(op).has_side_effect


def _is_callback(target: str) -> bool:
    return "python" in target and "callback" in target


def target_of(call: ir.Operation) -> str:
    """The target of a `stablehlo.custom_call`."""
    return ir.StringAttr(call.attributes["call_target_name"]).value
