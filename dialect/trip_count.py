"""How often a StableHLO loop runs, where that can be read off: counted loops as JAX makes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdy.mlir import ir


def trip_count(loop: Any) -> int | None:
    """Number of iterations of a `stablehlo.while` that counts up from one constant to another by 1, else None.

    The condition has to be ``counter < limit``; the limit may be a constant, or a loop variable that never changes.
    """
    condition, body = (region.blocks[0] for region in loop.regions)
    compare = _defining(_terminator(condition).operands[0])
    if compare is None or compare.name != "stablehlo.compare":
        return None
    counter, limit = compare.operands
    if (
        not isinstance(counter, ir.BlockArgument)
        or counter.owner != condition
        or "LT" not in str(compare.attributes["comparison_direction"])
    ):
        return None
    start = _constant(loop.operands[counter.arg_number])
    end = _constant(_invariant(limit, loop, body))
    if start is None or end is None or not _steps_by_one(body, counter.arg_number):
        return None
    return max(0, end - start)


def _terminator(block: Any) -> Any:
    return block.operations[len(block.operations) - 1].operation


def _defining(value: Any) -> Any:
    """The op that `value` is a result of, None for a block argument."""
    return value.owner.operation if isinstance(value, ir.OpResult) else None


def _invariant(value: Any, loop: Any, body: Any) -> Any:
    """What an argument of the loop's condition is before the loop, if the body hands it on unchanged."""
    if not isinstance(value, ir.BlockArgument) or value.owner != loop.regions[0].blocks[0]:
        return value
    number = value.arg_number
    unchanged = _terminator(body).operands[number] == body.arguments[number]
    return loop.operands[number] if unchanged else value


def _constant(value: Any) -> int | None:
    op = _defining(value)
    if op is None or op.name not in ("stablehlo.constant", "sdy.constant"):
        return None
    attr = op.attributes["value"]
    if not isinstance(attr, ir.DenseIntElementsAttr):
        return None
    return int(np.array(attr).reshape(-1)[0])


def _steps_by_one(body: Any, number: int) -> bool:
    add = _defining(_terminator(body).operands[number])
    if add is None or add.name != "stablehlo.add":
        return False
    operands = list(add.operands)
    others = [operand for operand in operands if operand != body.arguments[number]]
    return len(others) == 1 and _constant(others[0]) == 1
