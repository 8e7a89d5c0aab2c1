"""What custom calls call."""

from __future__ import annotations

from sdy.mlir import ir


def target_of(call: ir.Operation) -> str:
    """The target of a `stablehlo.custom_call`."""
    return ir.StringAttr(call.attributes["call_target_name"]).value
