"""Asynchronous ops: their bodies hold one op and no other, so that op has to stay as it is."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named

ASYNC_START = "stablehlo.async_start"


def check_asynchronous(module: ir.Operation) -> None:
    """Raises `DiagnosticError` at an asynchronous op that a pass has put further ops into."""
    for op in ops_named(module, ASYNC_START):
        if len(op.regions[0].blocks[0].operations) > 2:
            raise DiagnosticError(op, "may hold one op only, and would need others to move sharded values")
