"""Calls from a program back to Python: which ops they are, and whether a call is made for an effect.

JAX makes them custom calls whose targets tell the backend and the kind, such as `xla_ffi_python_gpu_callback`.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.search import ops_named

_ON_PARTS = "xla_ffi_partitioned_python_"


def callbacks(root: ir.Operation) -> list[ir.Operation]:
    """The calls back to Python below `root` in textual order."""
    return [op for op in ops_named(root, "stablehlo.custom_call") if _is_callback(_target(op))]


def is_made_on_parts(op: ir.Operation) -> bool:
    """Whether a custom call is one that every device makes, with its parts of the operands."""
    return _target(op).startswith(_ON_PARTS)


def has_side_effect(op: ir.Operation) -> bool:
    """Whether a custom call is made for more than its results."""
    stored = op.attributes
    return "has_side_effect" in stored and ir.BoolAttr(stored["has_side_effect"]).value


def _is_callback(target: str) -> bool:
    return "python" in target and "callback" in target


def _target(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["call_target_name"]).value
