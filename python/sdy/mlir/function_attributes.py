"""The attribute dictionaries that a function keeps for its arguments and results."""

from __future__ import annotations

from collections.abc import Callable

from sdy.mlir import ir

ARGUMENTS, RESULTS = "arg_attrs", "res_attrs"

Entries = dict[str, ir.Attribute]


def map_entries(func: ir.Operation, update: Callable[[Entries], Entries]) -> None:
    """Replaces the attributes of every argument and result of `func` that has any by what `update` makes of them."""
    stored = func.attributes
    for name in (ARGUMENTS, RESULTS):
        if name in stored:
            old = stored[name]
            new = [ir.DictAttr.get(update({entry.name: entry.attr for entry in entries})) for entries in old]
            if any(len(entries) for entries in new):
                stored[name] = ir.ArrayAttr.get(new)
            else:
                del stored[name]
