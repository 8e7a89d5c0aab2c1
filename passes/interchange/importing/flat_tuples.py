"""Tuples of HLO go: custom calls that return one return its elements (spec: interchange, 8.2)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import is_unused
from sdy.mlir.search import ops_named
from sdy.passes.interchange.custom_calls import CUSTOM_CALL
from sdy.stablehlo import views

_ELEMENT = "stablehlo.get_tuple_element"
_TUPLE = "stablehlo.tuple"


def flatten_tuples(module: ir.Operation) -> bool:
    """Gives custom calls whose one tuple is only taken apart a result per element; whether there were any tuples.

    Elements of a tuple are what it was made of, and one that nobody uses goes. Sharding text needs no change: that of
    a tuple lists the shardings of its elements.
    """
    ops = ops_named(module, _TUPLE, CUSTOM_CALL)
    tuples = [op for op in ops if op.name == _TUPLE]
    calls = [op for op in ops if op.name == CUSTOM_CALL]
    if tuples:
        _forward_elements(module)
    unused = [op for op in reversed(tuples) if _erase_unused(op)]
    found = [op for op in calls if _is_taken_apart(op)]
    for op in found:
        _flatten(op)
    return bool(unused or found)


def _forward_elements(module: ir.Operation) -> None:
    for element in views.GetTupleElement.all_in(module):
        source = views.Tuple.defining(element.operand)
        if source is not None:
            element.result.replace_all_uses_with(source.val[element.index])
            element.op.erase()


def _erase_unused(op: ir.Operation) -> bool:
    if not is_unused(op):
        return False
    op.erase()
    return True


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
        element = views.GetTupleElement(use.owner.operation)
        element.result.replace_all_uses_with(new.results[element.index])
        element.op.erase()
    op.erase()
