"""The order of a block in which a piece is to become one op (spec: interchange, 5.2).

HLO has no order but that of data: what uses one result of a piece may stand in front of what computes another one.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting.uses import first_user
from sdy.passes.interchange.importing.manual.block_flow import taken_by
from sdy.passes.interchange.importing.manual.manual_regions import ManualRegion


def make_room(region: ManualRegion) -> ir.Operation:
    """The last op of the piece, behind which one op may stand for it: what uses its results goes behind that op.

    Raises `DiagnosticError` at a conversion back whose result the piece itself uses.
    """
    inner = [*region.ins, *region.ops]
    if not inner:
        return region.outs[0]
    last = inner[0]
    for op in inner:
        if last.is_before_in_block(op):
            last = op
    early = [op for op in map(first_user, region.outs) if op is not None and op.is_before_in_block(last)]
    if early:
        first = early[0]
        for op in early:
            if op.is_before_in_block(first):
                first = op
        _move_behind(last, _dependent(first, last, region))
    return last


def _dependent(first: ir.Operation, last: ir.Operation, region: ManualRegion) -> list[ir.Operation]:
    """The ops from `first` to `last` that use results of the piece, or what is computed of these."""
    members = {*region.ins, *region.ops}
    made: dict[ir.Value, ir.Operation] = {op.results[0]: op for op in region.outs}
    found: list[ir.Operation] = []
    for op in _between(first, last):
        if op in region.outs:
            continue
        origin = next((made[value] for value in taken_by(op) if value in made), None)
        if origin is None:
            continue
        if op in members:
            raise DiagnosticError(origin, "results of one computation are used before all of it is computed")
        found.append(op)
        made.update(dict.fromkeys(op.results, origin))
    return found


def _between(first: ir.Operation, last: ir.Operation) -> list[ir.Operation]:
    ops = [op.operation for op in first.block.operations]
    return ops[ops.index(first) : ops.index(last) + 1]


def _move_behind(last: ir.Operation, ops: list[ir.Operation]) -> None:
    for op in ops:
        op.move_after(last)
        last = op
