"""A piece of a block becomes the body of a manual computation (spec: interchange, 5.2)."""

from __future__ import annotations

from sdy.dialect import builders
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.importing.manual.conversions import constraint_before
from sdy.passes.interchange.importing.manual.manual_regions import ManualRegion


def fill(computation: ir.Operation, region: ManualRegion) -> None:
    """Moves the ops of the piece into the computation and takes the conversions away; constants are copied."""
    block = computation.regions[0].blocks[0]
    entering = [*(op.results[0] for op in region.ins), *region.scalars, *region.tokens]
    inside: dict[ir.Value, ir.Value] = dict(zip(entering, block.arguments, strict=True))
    for op, argument in zip(region.ins, block.arguments, strict=False):
        op.results[0].replace_all_uses_with(argument)
    before = dict.fromkeys(source for op in region.outs if (source := constraint_before(op)) is not None)
    closing = [source for source in before if source in region.ops]
    returned = [*(op.operands[0] for op in region.outs), *region.leaving]
    end = builders.return_(returned, loc=computation.location, ip=ir.InsertionPoint(block))
    for op in region.ops:
        op.move_before(end)
    start = ir.InsertionPoint.at_block_begin(block)
    for value in region.captured:
        copy = _copied(value, inside, start)
        for op in (op for moved in (*region.ops, end) for op in pre_order(moved)):
            for index, operand in enumerate(op.operands):
                if operand == value:
                    op.operands[index] = copy
    results = list(computation.results)
    for token, result in zip(region.leaving, results[len(region.outs) :], strict=True):
        token.replace_all_uses_except(result, [op for moved in (*region.ops, end) for op in pre_order(moved)])
    for op, result in zip(region.outs, results, strict=False):
        op.results[0].replace_all_uses_with(result)
        op.erase()
    for op in region.ins:
        op.erase()
    for op in closing:  # what it says, the sharding of the result says as well
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()


def _copied(value: ir.Value, copies: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Value:
    """`value`, made of `copies` and constants, computed again at `ip`."""
    if value not in copies:
        op = value.owner.operation
        for operand in op.operands:
            _copied(operand, copies, ip)
        copy = op.clone(ip=ip).operation
        for index, operand in enumerate(op.operands):
            copy.operands[index] = copies[operand]
        copies.update(zip(op.results, copy.results, strict=True))
    return copies[value]
