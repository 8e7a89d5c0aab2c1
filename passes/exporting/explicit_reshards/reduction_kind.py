"""What a reduce or scatter combines with (spec: export-passes, 5.6)."""

from __future__ import annotations

from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator

_KINDS = {"stablehlo.add": Reduction.SUM, "stablehlo.maximum": Reduction.MAX, "stablehlo.minimum": Reduction.MIN}


def reduction_kind(op: ir.Operation) -> Reduction | None:
    """The kind of the first region of `op`: each value that it returns adds two elements, or is the larger or smaller.

    None for any other body.
    """
    block = op.regions[0].blocks[0]
    arguments, returned = list(block.arguments), list(terminator(block).operands)
    count = len(returned)
    if len(arguments) != 2 * count:
        return None
    kinds = [_kind(value, [arguments[i], arguments[count + i]]) for i, value in enumerate(returned)]
    return kinds[0] if kinds and all(kind is kinds[0] for kind in kinds) else None


def _kind(value: ir.Value, elements: list[ir.Value]) -> Reduction | None:
    """How `value` combines the two elements; None if it does anything else, or more."""
    if isinstance(value, ir.BlockArgument):
        return None
    op = value.owner.operation
    return _KINDS.get(op.name) if list(op.operands) in (elements, elements[::-1]) else None
