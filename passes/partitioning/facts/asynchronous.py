"""Asynchronous ops: their bodies hold one op and no other, so that op has to stay as it is.

A pass that puts further ops beside it refuses the program. The pipelines make such ops synchronous first, and start
them again at the end: `sdy-mark-asynchronous` and `sdy-restore-asynchronous`, which runs of single passes need as well.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named

ASYNC_START = "stablehlo.async_start"


def check_asynchronous(module: ir.Operation) -> None:
    """Raises `DiagnosticError` at an asynchronous op that a pass has put further ops into."""
    for op in ops_named(module, ASYNC_START):
        if len(op.regions[0].blocks[0].operations) > 2:
            raise DiagnosticError(
                op,
                "may hold one op only, and would need others to move sharded values; "
                "'sdy-mark-asynchronous' makes it synchronous meanwhile",
            )
