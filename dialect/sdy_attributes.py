"""Removing the attributes of the dialect."""

from __future__ import annotations

from collections.abc import Collection

from sdy.mlir import ir

_OF_BOUNDARIES = ("arg_attrs", "res_attrs")


def remove_sdy_attributes(op: ir.Operation, *, but: Collection[str] = ()) -> None:
    """Removes the attributes of the dialect from an op, and from the arguments and results of a function."""
    stored = op.attributes
    for name in list(stored):
        if name.startswith("sdy."):
            if name not in but:
                del stored[name]
        elif name in _OF_BOUNDARIES:
            stored[name] = ir.ArrayAttr.get([_without_sdy(entry) for entry in stored[name]])


def _without_sdy(entry: ir.Attribute) -> ir.Attribute:
    entry = ir.DictAttr(entry)
    return ir.DictAttr.get({item.name: item.attr for item in entry if not item.name.startswith("sdy.")})
