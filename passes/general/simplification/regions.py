"""Simplification of ops with regions: known branches, loops that never run, unused carried values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir
from sdy.mlir.functions import return_instead
from sdy.mlir.greedy import Pattern, Rewriter
from sdy.mlir.rewriting import has_no_use, move_out, remade, terminator
from sdy.passes.general.simplification.folding import elements_of, number
from sdy.passes.general.simplification.identities import index_array, indices, new_op

_SHARDINGS = "sdy.sharding"


def _known_branch(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Inline the branch of a constant index; the last one for an index out of range."""
    index = elements_of(op.operands[0])
    if index is None:
        return False
    last = len(op.regions) - 1
    chosen = int(index.item())
    block = op.regions[chosen if 0 <= chosen <= last else last].blocks[0]
    ops = [view.operation for view in block.operations][:-1]
    results = move_out(block, [], op)
    for each in ops:
        rewriter.cloned(each)
    return rewriter.replace(op, results)


def _loop_that_never_runs(op: ir.Operation, rewriter: Rewriter) -> bool:
    condition = elements_of(terminator(op.regions[0].blocks[0]).operands[0])
    if condition is None or condition.item():
        return False
    return rewriter.replace(op, list(op.operands))


def _carried_unchanged(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace an unchanged loop variable by its initial value, inside and behind the loop."""
    cond, body = (region.blocks[0] for region in op.regions)
    returned = list(terminator(body).operands)
    fixed = [
        position
        for position, value in enumerate(returned)
        if value == op.operands[position] or value == body.arguments[position]
    ]
    if not fixed:
        return False
    for position in fixed:
        for value in (cond.arguments[position], body.arguments[position], op.results[position]):
            rewriter.replace_uses(value, op.operands[position])
    kept = [position for position in range(len(returned)) if position not in fixed]
    return_instead(body, [returned[position] for position in kept])
    for position in reversed(fixed):
        cond.erase_argument(position)
        body.erase_argument(position)
    _remake(op, kept, [op.operands[position] for position in kept], rewriter)
    return True


def _remake(op: ir.Operation, kept: Sequence[int], operands: Sequence[ir.Value], rewriter: Rewriter) -> None:
    """Replace an op by one with some of its results, which has its blocks."""
    attributes = {name: op.attributes[name] for name in op.attributes if name != _SHARDINGS}
    new = remade(op, operands, [op.results[position].type for position in kept], attributes, with_blocks=True)
    for result, position in zip(new.results, kept, strict=True):
        rewriter.replace_uses(op.results[position], result)
    rewriter.created(new)
    rewriter.erase_emptied(op)


# Reductions and sorts ----------------------------------------------------------------------------


def _reduction_of_nothing(op: ir.Operation, rewriter: Rewriter) -> bool:
    half = len(op.operands) // 2
    if indices(op, "dimensions"):
        return False
    return rewriter.replace(op, list(op.operands)[:half])


def _reduction_to_its_start(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace a reduction whose body returns its constant initial value by that constant."""
    if len(op.operands) != 2:
        return False
    start, result = op.operands[1], op.results[0]
    returned = terminator(op.regions[0].blocks[0]).operands[0]
    if returned != start or elements_of(start) is None:
        return False
    dims = index_array([], op.context)
    rewriter.replace(
        op, [new_op(op, "broadcast_in_dim", [start], rewriter, type_=result.type, broadcast_dimensions=dims)]
    )
    return True


def _unused_parts(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Drop tensors of a reduction whose results are unused and do not affect other results."""
    count = len(op.results)
    used = {position for position in range(count) if not has_no_use(op.results[position])}
    if not used or len(used) == count:
        return False
    block = op.regions[0].blocks[0]
    needed = _arguments_behind(block, sorted(used))
    while not needed <= used:
        used |= needed
        needed = _arguments_behind(block, sorted(used))
    if len(used) == count:
        return False
    kept = sorted(used)
    gone = [position for position in range(count) if position not in used]
    _return_only(block, kept, rewriter)
    for position in sorted([*gone, *(count + position for position in gone)], reverse=True):
        block.erase_argument(position)
    operands = [op.operands[position] for position in (*kept, *(count + position for position in kept))]
    _remake(op, kept, operands, rewriter)
    return True


def _arguments_behind(block: ir.Block, positions: Sequence[int]) -> set[int]:
    """Return the positions of the tensors that the returned values at some positions depend on."""
    count = len(block.arguments) // 2
    end = terminator(block)
    waiting = [end.operands[position] for position in positions]
    found: set[int] = set()
    seen: list[ir.Value] = []
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.append(value)
        if isinstance(value, ir.BlockArgument):
            if value.owner == block:
                found.add(value.arg_number % count)
        elif value.owner.operation.block == block:
            waiting += value.owner.operation.operands
    return found


def _return_only(block: ir.Block, kept: Sequence[int], rewriter: Rewriter) -> None:
    """Return only some of the values of a block, and erase ops that become unused."""
    values = terminator(block).operands
    return_instead(block, [values[position] for position in kept])
    for op in [view.operation for view in block.operations][-2::-1]:
        if all(map(has_no_use, op.results)) and not len(op.regions):
            rewriter.erase(op)


def _sorted_in_vain(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Drop tensors of a sort whose results are unused and which are not compared."""
    block = op.regions[0].blocks[0]
    kept = [
        position
        for position, result in enumerate(op.results)
        if not (has_no_use(result) and all(has_no_use(block.arguments[2 * position + side]) for side in range(2)))
    ]
    if len(kept) == len(op.results) or not kept:
        return False
    for position in reversed(range(len(op.results))):
        if position not in kept:
            block.erase_argument(2 * position + 1)
            block.erase_argument(2 * position)
    _remake(op, kept, [op.operands[position] for position in kept], rewriter)
    return True


def _last_dimension(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Make the dimension of a sort non-negative."""
    stored = op.attributes.get("dimension")
    if stored is not None and int(ir.IntegerAttr(stored)) != -1:
        return False
    last = len(ir.ShapedType(op.operands[0].type).shape) - 1
    op.attributes["dimension"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, op.context), last)
    rewriter.changed(op)
    return True


def _reduction_of_one_truth(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace the `all` or `any` of one repeated boolean by it, if the initial value allows."""
    if len(op.operands) != 2:
        return False
    values, start = (elements_of(operand) for operand in op.operands)
    ops = [view.operation.name for view in op.regions[0].blocks[0].operations]
    if values is None or start is None or values.ndim or 0 in ir.ShapedType(op.operands[0].type).shape:
        return False
    if str(ir.ShapedType(op.operands[1].type).element_type) != "i1":
        return False
    combine = {"stablehlo.and": np.minimum, "stablehlo.or": np.maximum}.get(ops[0]) if len(ops) == 2 else None
    if combine is None:
        return False
    return number(op, int(combine(values.item(), start.item())), rewriter)


def patterns() -> Sequence[tuple[str, Pattern]]:
    """Return the patterns by the name of their root op, without its dialect."""
    return (
        ("case", _known_branch),
        ("while", _loop_that_never_runs),
        ("while", _carried_unchanged),
        ("reduce", _reduction_of_nothing),
        ("reduce", _reduction_to_its_start),
        ("reduce", _reduction_of_one_truth),
        ("reduce", _unused_parts),
        ("sort", _sorted_in_vain),
        ("sort", _last_dimension),
    )
