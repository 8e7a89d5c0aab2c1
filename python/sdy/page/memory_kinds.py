"""Memory kinds of a program's values, where given: ``pinned_host``."""

from __future__ import annotations

from sdy.dialect.program_values import Program, ProgramValue, ValueKind
from sdy.mlir import ir

_OF_FUNCTIONS = "mhlo.memory_kind"
_OF_CALLS, _PLACEMENT = "mhlo.frontend_attributes", "_xla_buffer_placement"
_DEVICE = "device"


def memory_kind(program: Program, value: ProgramValue) -> str:
    """Return the memory kind that JAX gives to arguments, results and moves; None for a device's own memory."""
    kind = _said(program.ops[value.op], value)
    return "" if kind == _DEVICE else kind


def _said(op: ir.Operation, value: ProgramValue) -> str:
    if value.kind is ValueKind.RESULT:
        return _entry(op.attributes, _OF_CALLS, _PLACEMENT) if op.name == "stablehlo.custom_call" else ""
    name = "arg_attrs" if value.kind is ValueKind.ARGUMENT else "res_attrs"
    if op.name != "func.func" or name not in op.attributes:
        return ""
    return _text(op.attributes[name][value.index], _OF_FUNCTIONS)


def _entry(attributes: ir.OpAttributeMap, name: str, key: str) -> str:
    return _text(attributes[name], key) if name in attributes else ""


def _text(entries: ir.Attribute, key: str) -> str:
    if not isinstance(entries, ir.DictAttr) or key not in entries:
        return ""
    found = entries[key]
    return found.value if isinstance(found, ir.StringAttr) else ""
