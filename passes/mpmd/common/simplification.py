"""Simplification of ops with one block whose operands and results map one to one to the block's."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import return_instead
from sdy.mlir.greedy import Rewriter, erase_dead_ops
from sdy.mlir.rewriting import defining_op, has_no_use, remade, terminator


def simplify_at_boundary(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Remove operands and results of a named computation or a fragment that are unused, equal, or passed through.

    A pattern for `apply_greedily`. The op that replaces `op` has its attributes.
    """
    block = op.regions[0].blocks[0]
    changed = _use_operands(op, block, rewriter) | _use_first_of_equal_operands(op, block)
    changed |= _use_first_of_equal_results(op, block, rewriter)
    results = _results_to_drop(op, block)
    if len(results) == len(op.results) > 0:
        if is_effect_free(op):
            rewriter.erase(op)
            return True
        results = frozenset()
    arguments = _arguments_to_drop(block, results)
    if not arguments and not results:
        return changed
    _remake(op, arguments, results, rewriter)
    return True


def _use_operands(op: ir.Operation, block: ir.Block, rewriter: Rewriter) -> bool:
    """Replace results that are arguments of the block by operands."""
    changed = False
    for result, value in zip(op.results, terminator(block).operands, strict=True):
        if isinstance(value, ir.BlockArgument) and value.owner == block and not has_no_use(result):
            operand = op.operands[value.arg_number]
            if operand.type == result.type:
                rewriter.replace_uses(result, operand)
                changed = True
    return changed


def _use_first_of_equal_operands(op: ir.Operation, block: ir.Block) -> bool:
    first: dict[ir.Value, ir.BlockArgument] = {}
    changed = False
    for operand, argument in zip(op.operands, block.arguments, strict=True):
        kept = first.setdefault(operand, argument)
        if kept != argument and not has_no_use(argument):
            argument.replace_all_uses_with(kept)
            changed = True
    return changed


def _equal_results(op: ir.Operation, block: ir.Block) -> dict[int, int]:
    """Return the numbers of results that equal an earlier one, with its number."""
    first: dict[tuple[ir.Value, ir.Type], int] = {}
    numbers = [
        first.setdefault((value, op.results[number].type), number)
        for number, value in enumerate(terminator(block).operands)
    ]
    return {number: same for number, same in enumerate(numbers) if number != same}


def _use_first_of_equal_results(op: ir.Operation, block: ir.Block, rewriter: Rewriter) -> bool:
    changed = False
    for number, same in _equal_results(op, block).items():
        if not has_no_use(op.results[number]):
            rewriter.replace_uses(op.results[number], op.results[same])
            changed = True
    return changed


def _results_to_drop(op: ir.Operation, block: ir.Block) -> frozenset[int]:
    """Return the results that equal an earlier one, and unused ones without effects behind them."""
    equal = _equal_results(op, block)

    def is_dropped(number: int, value: ir.Value) -> bool:
        source = defining_op(value)
        return has_no_use(op.results[number]) and (source is None or is_effect_free(source) or number in equal)

    return frozenset(number for number, value in enumerate(terminator(block).operands) if is_dropped(number, value))


def _arguments_to_drop(block: ir.Block, results: frozenset[int]) -> list[int]:
    """Return the arguments used only by dropped results."""
    end = terminator(block)

    def is_dropped(use: ir.OpOperand) -> bool:
        return use.owner.operation == end and use.operand_number in results

    return [argument.arg_number for argument in block.arguments if all(map(is_dropped, argument.uses))]


def _remake(op: ir.Operation, arguments: list[int], results: frozenset[int], rewriter: Rewriter) -> None:
    """Rebuild an op without these operands, and without these results, which have no uses."""
    block = op.regions[0].blocks[0]
    kept = [number for number in range(len(op.results)) if number not in results]
    if results:
        values = terminator(block).operands
        return_instead(block, [values[number] for number in kept])
    operands = [each for number, each in enumerate(op.operands) if number not in arguments]
    new = remade(op, operands, [op.results[number].type for number in kept], with_blocks=True)
    for number in reversed(arguments):
        block.erase_argument(number)
    rewriter.created(new)
    for place, number in enumerate(kept):
        rewriter.replace_uses(op.results[number], new.results[place])
    rewriter.erase_emptied(op)
    erase_dead_ops(new.regions[0], rewriter.erase)
