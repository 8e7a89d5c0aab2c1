"""Symbols that an op refers to, in the module around it."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo.op_facts import OpFacts


def find_symbol(op: OpFacts, name: ir.Attribute | None) -> ir.Operation | None:
    """The op of that name in the module around `op`, or around its operands; None if there is none.

    Args:
      name: what refers to the symbol; anything but a flat reference finds nothing.
    """
    module = _module(op)
    if module is None or not isinstance(name, ir.FlatSymbolRefAttr):
        return None
    for inner in module.regions[0].blocks[0].operations:
        operation = inner.operation
        symbol = operation.attributes.get("sym_name")
        if isinstance(symbol, ir.StringAttr) and symbol.value == name.value:
            return operation
    return None


def _module(op: OpFacts) -> ir.Operation | None:
    owners = [op.op] if op.op is not None else [_owner(value) for value in op.values if value is not None]
    current = next((owner for owner in owners if owner is not None), None)
    while current is not None and current.name != "builtin.module":
        current = current.parent
        current = current.operation if current is not None else None
    return current


def _owner(value: ir.Value) -> ir.Operation | None:
    owner = value.owner
    owner = owner.owner if isinstance(owner, ir.Block) else owner
    return owner.operation if owner is not None else None
