"""Custom calls that return a tuple, as HLO has them, return its elements (spec: interchange, 8.2)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.interchange.custom_calls import CUSTOM_CALL

_ELEMENT = "stablehlo.get_tuple_element"


def flatten_tuples(module: ir.Operation) -> bool:
    """Gives custom calls whose one tuple is only taken apart a result per element; whether there were any.

    Sharding text needs no change: that of a tuple lists the shardings of its elements.
    """
    found = [op for op in ops_named(module, CUSTOM_CALL) if _is_taken_apart(op)]
    for op in found:
        _flatten(op)
    return bool(found)


def _is_taken_apart(op: ir.Operation) -> bool:
    if len(op.results) != 1 or not isinstance(op.results[0].type, ir.TupleType):
        return False
    elements = _element_types(op)
    if any(isinstance(type_, ir.TupleType) for type_ in elements):
        return False
    return all(use.owner.operation.name == _ELEMENT for use in op.results[0].uses)


def _element_types(op: ir.Operation) -> list[ir.Type]:
    type_ = ir.TupleType(op.results[0].type)
    return [type_.get_type(index) for index in range(type_.num_types)]


def _flatten(op: ir.Operation) -> None:
    new = ir.Operation.create(
        CUSTOM_CALL,
        results=_element_types(op),
        operands=list(op.operands),
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for use in list(op.results[0].uses):
        element = use.owner.operation
        index = ir.IntegerAttr(element.attributes["index"]).value
        element.results[0].replace_all_uses_with(new.results[index])
        element.erase()
    op.erase()
