"""The order of ops that come from a scheduled module."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sdy.hlo_conversion.placing import ordered
from sdy.mlir import ir
from sdy.mlir.walk import identity, pre_order


def reorder(module: ir.Operation, places: Mapping[Hashable, int]) -> None:
    """Puts the ops of each block into the order of `places`, which are by `identity`, operands first."""
    blocks = [block for op in pre_order(module) for region in op.regions for block in region.blocks]
    for block in blocks:
        ops = [op.operation for op in block.operations]
        if len(ops) > 2 and any(identity(op) in places for op in ops):
            _reorder_block(ops, places)


def _reorder_block(ops: list[ir.Operation], places: Mapping[Hashable, int]) -> None:
    *movable, terminator = ops
    numbers: dict[ir.Value, int] = {result: number for number, op in enumerate(movable) for result in op.results}
    operands = [sorted({numbers[value] for value in _used(op) if value in numbers}) for op in movable]
    wished = [places.get(identity(op)) for op in movable]
    for number in ordered(operands, wished, [False] * len(movable)):
        movable[number].move_before(terminator)


def _used(op: ir.Operation) -> list[ir.Value]:
    """The values that an op and the ops in it use."""
    return [value for each in pre_order(op) for value in each.operands]
