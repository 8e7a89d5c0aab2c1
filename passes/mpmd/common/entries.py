"""Attributes of the single operands and results of fragments and functions (spec: mpmd, 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.mlir import ir

ARG_ATTRS = "arg_attrs"
RES_ATTRS = "res_attrs"
MEMORY_KIND = "mhlo.memory_kind"

Entries = list[dict[str, ir.Attribute]]


def entries_of(op: ir.Operation, kind: str) -> Entries:
    """The attributes of each operand or result of a fragment or function; empty ones if none are kept.

    Args:
      op: a fragment or function.
      kind: `ARG_ATTRS` or `RES_ATTRS`.
    """
    if kind in op.attributes:
        return [{each.name: each.attr for each in ir.DictAttr(entry)} for entry in ir.ArrayAttr(op.attributes[kind])]
    return [{} for _ in range(_count(op, kind))]


def _count(op: ir.Operation, kind: str) -> int:
    if op.name == "func.func":
        type_ = op.attributes["function_type"].value
        return len(type_.inputs if kind == ARG_ATTRS else type_.results)
    return len(op.operands if kind == ARG_ATTRS else op.results)


def put_entries(op: ir.Operation, kind: str, entries: Sequence[Mapping[str, ir.Attribute]]) -> None:
    """Keep the attributes of each operand or result."""
    op.attributes[kind] = ir.ArrayAttr.get([ir.DictAttr.get(dict(entry)) for entry in entries])


def is_host_entry(entry: Mapping[str, ir.Attribute]) -> bool:
    """Return whether the attributes of an operand or result place it in the memory of the host."""
    kind = entry.get(MEMORY_KIND)
    return isinstance(kind, ir.StringAttr) and kind.value == "pinned_host"
