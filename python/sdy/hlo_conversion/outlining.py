"""Ops that cannot carry a marker through jaxlib, in functions of their own."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.functions import enclosing_function
from sdy.mlir.walk import pre_order

_UNMARKABLE = frozenset({"stablehlo.while"})
"""Ops whose frontend attributes get lost."""


def outlined(op: ir.Operation) -> ir.Operation:
    """The op, or the call of a private function that holds it."""
    if op.name not in _UNMARKABLE:
        return op
    values = list(dict.fromkeys([*op.operands, *_captured(op)]))
    types, results = [each.type for each in values], [each.type for each in op.results]
    caller = enclosing_function(op)
    name = _free_name(caller.parent.operation)
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, results)),
    }
    with op.location:
        function = ir.Operation.create("func.func", attributes=attributes, regions=1, ip=ir.InsertionPoint(caller))
        block = function.regions[0].blocks.append(*types)
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        call = ir.Operation.create("func.call", results, values, callee, ip=ir.InsertionPoint(op))
        for old, new in zip(op.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        op.move_before(ir.Operation.create("func.return", operands=list(op.results), ip=ir.InsertionPoint(block)))
    new_values = dict(zip(values, block.arguments, strict=True))
    for each in pre_order(op):
        for index, operand in enumerate(each.operands):
            if operand in new_values:
                each.operands[index] = new_values[operand]
    return call


def _captured(op: ir.Operation) -> list[ir.Value]:
    nested = pre_order(op)
    inside = set(nested)
    return [
        value
        for each in nested[1:]
        for value in each.operands
        if (value.owner.owner if isinstance(value, ir.BlockArgument) else value.owner).operation not in inside
    ]


def _free_name(module: ir.Operation) -> str:
    taken = {
        op.attributes["sym_name"].value for op in module.regions[0].blocks[0].operations if "sym_name" in op.attributes
    }
    number = 0
    while f"async_loop_{number}" in taken:
        number += 1
    return f"async_loop_{number}"
