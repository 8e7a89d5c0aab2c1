"""Attributes of function arguments and results other than shardings."""

from __future__ import annotations

from sdy.mlir import ir


def set_entry(func: ir.Operation, kind: str, index: int, name: str, attr: ir.Attribute) -> None:
    """Sets attribute `name` of an argument (`kind` arg_attrs) or result (res_attrs) of a function."""
    stored = func.attributes
    types = stored["function_type"].value
    count = len(types.inputs if kind == "arg_attrs" else types.results)
    entries = list(stored[kind]) if kind in stored else [ir.DictAttr.get({})] * count
    kept = {entry.name: entry.attr for entry in entries[index]}
    entries[index] = ir.DictAttr.get({**kept, name: attr})
    stored[kind] = ir.ArrayAttr.get(entries)
