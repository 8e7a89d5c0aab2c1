"""Removing the attributes of the dialect."""

from __future__ import annotations

from collections.abc import Collection

from sdy.mlir import ir


def remove_sdy_attributes(op: ir.Operation, *, but: Collection[str] = ()) -> None:
    """Removes the attributes of the dialect from an op, and from the arguments and results of a function."""
    for name in [name for name in op.attributes if name.startswith("sdy.") and name not in but]:
        del op.attributes[name]
    for key in ("arg_attrs", "res_attrs"):
        if key in op.attributes:
            op.attributes[key] = ir.ArrayAttr.get([_without_sdy(entry) for entry in op.attributes[key]])


def _without_sdy(entry: ir.Attribute) -> ir.Attribute:
    entry = ir.DictAttr(entry)
    return ir.DictAttr.get({item.name: item.attr for item in entry if not item.name.startswith("sdy.")})
