"""What of the dialect no module without meshes can hold."""

from __future__ import annotations

from sdy.dialect.builders import OPS
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.search import ops_named

_REFUSED = tuple(name for name in OPS if name != "sdy.mesh")


def refuse_ops_left(module: ir.Operation, form: str) -> None:
    """Raises `DiagnosticError` at every op of the dialect but meshes: it has no `form`."""
    with Faults() as faults:
        for op in ops_named(module, *_REFUSED):
            with faults.one():
                raise DiagnosticError(op, f"has no form in {form}")
