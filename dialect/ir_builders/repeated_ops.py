"""Ops of which many alike are made: the first ones are made and checked, the others are copies."""

from __future__ import annotations

from collections.abc import Hashable

from sdy.mlir import ir
from sdy.stablehlo.ops import Builder


class RepeatedOps:
    """Ops of one operand, by what they have in common: all but the operand, and what is set on the copies.

    What is copied stands outside of the program, so that it stays as it is whatever becomes of the ops there.
    """

    def __init__(self) -> None:
        self._copied: dict[Hashable, ir.Operation | None] = {}
        """None for what has been made once, which need not come again."""
        self._holder: ir.Operation | None = None

    def copy(self, alike: Hashable, operand: ir.Value, b: Builder) -> ir.Operation | None:
        """A copy with another operand; None if there is nothing to copy yet."""
        copied = self._copied.get(alike)
        if copied is None:
            return None
        op = copied.clone(ip=b.ip).operation
        op.operands[0] = operand
        _relocate(op, b.location)
        return op

    def note(self, alike: Hashable, op: ir.Operation) -> None:
        """`op` has been made; if it was not the first, others are copies of it."""
        self._copied[alike] = self._taken(op) if alike in self._copied else None

    def _taken(self, op: ir.Operation) -> ir.Operation:
        if self._holder is None:
            self._holder = ir.Operation.create("builtin.module", regions=1, loc=op.location, ip=False)
        block = self._holder.regions[0].blocks.append(op.operands[0].type, arg_locs=[op.location])
        copied = op.clone(ip=ir.InsertionPoint(block)).operation
        copied.operands[0] = block.arguments[0]
        return copied


def _relocate(op: ir.Operation, location: ir.Location) -> None:
    """Says where an op, and what is in it, comes from."""
    op.location = location
    for region in op.regions:
        for block in region.blocks:
            for argument in block.arguments:
                argument.set_location(location)
            for view in block.operations:
                _relocate(view.operation, location)
