"""Analysis of the regions of reductions."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.rewriting import terminator

IDEMPOTENT = frozenset({"stablehlo.maximum", "stablehlo.minimum", "stablehlo.and", "stablehlo.or"})
"""Ops for which it does not matter how often a value is combined."""

COMMUTATIVE = IDEMPOTENT | {"stablehlo.add", "stablehlo.multiply", "stablehlo.xor"}
"""Associative ops for which the order does not matter."""


_REDUCTIONS = frozenset(f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum"))

_BOOLEAN_REDUCTIONS = _REDUCTIONS | {"stablehlo.and", "stablehlo.or"}


def is_reduction(name: str, element: ir.Type) -> bool:
    """Return whether all back ends can reduce by an op: sums, products, extremes, and logic of booleans."""
    is_boolean = isinstance(element, ir.IntegerType) and element.width == 1
    return name in (_BOOLEAN_REDUCTIONS if is_boolean else _REDUCTIONS)


def combining_ops(region: ir.Region) -> list[str] | None:
    """Return the op that combines the i-th accumulator and value, for each i; None if the body does anything else."""
    block = region.blocks[0]
    arguments = list(block.arguments)
    count = len(arguments) // 2
    returned_values = terminator(block).operands
    if len(returned_values) != count:
        return None
    names: list[str] = []
    for index, returned in enumerate(returned_values):
        if isinstance(returned.owner, ir.Block):
            return None
        op = returned.owner.operation
        if op.name not in COMMUTATIVE:
            return None
        pair = [arguments[index], arguments[count + index]]
        if list(op.operands) not in (pair, pair[::-1]):
            return None
        names.append(op.name)
    return names


def selects(region: ir.Region) -> bool:
    """Return whether each result i is either accumulator i or value i.

    An example is the search for the largest element and its index. An element combined with itself must stay unchanged.
    """
    block = region.blocks[0]
    arguments = list(block.arguments)
    count = len(arguments) // 2
    returned = list(terminator(block).operands)
    if len(returned) != count:
        return False
    for index, value in enumerate(returned):
        if isinstance(value.owner, ir.Block) or not _is_one_of(value, (arguments[index], arguments[count + index])):
            return False
    return True


_CHOOSING = frozenset({"stablehlo.maximum", "stablehlo.minimum"})


def _is_one_of(value: ir.Value, candidates: tuple[ir.Value, ir.Value]) -> bool:
    """Return whether `value` is a selection between two block arguments."""
    if isinstance(value.owner, ir.Block):
        return value in candidates
    op = value.owner.operation
    if op.name == "stablehlo.select":
        return all(_is_one_of(operand, candidates) for operand in list(op.operands)[1:])
    return op.name in _CHOOSING and all(_is_one_of(operand, candidates) for operand in op.operands)
