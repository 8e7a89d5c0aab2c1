"""Which axes are manual where an op is."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.mlir import ir


def manual_axes_around(op: ir.Operation) -> tuple[str, ...]:
    """The manual axes of the computations around an op in its function, those of the outermost first."""
    names: list[str] = []
    around = op.parent.operation
    while around.name not in ("func.func", "builtin.module"):
        if around.name == "sdy.manual_computation":
            names[:0] = attributes.get(around, "manual_axes").names
        around = around.parent.operation
    return tuple(names)
