"""How often a StableHLO loop runs, where that can be read off: loops that count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.rewriting.uses import defining_op
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer

_SAME_VALUE = frozenset({"sdy.data_flow_edge", "sdy.propagation_barrier", "sdy.reshard", "sdy.sharding_constraint"})
"""Ops that only say where a value is, as `jax.shard_map` does of every value of a body that leaves axes free."""

_SWAPPED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}


@dataclass(frozen=True)
class Counting:
    """Loop variable `number` is `start` in the first of `rounds` rounds, and `step` more in each that follows."""

    number: int
    start: int
    step: int
    rounds: int


def trip_count(loop: ir.Operation) -> int | None:
    """Number of iterations of a `stablehlo.while` that counts, None if that is not known."""
    found = counting(loop)
    return None if found is None else found.rounds


def counting(loop: ir.Operation) -> Counting | None:
    """How a `stablehlo.while` counts, if it does so by a constant from one constant to another.

    The condition has to compare the counter with the limit, in whatever direction; the limit may be a constant, or a
    loop variable that never changes. Ops that only say how values are sharded do not matter.
    """
    body, found = views.While(loop).body, _comparison(views.While(loop).cond)
    if found is None:
        return None
    counter, direction, limit = found
    start = splat_integer(_itself(loop.operands[counter.arg_number]))
    end = splat_integer(_itself(_invariant(limit, loop, body)))
    step = _step(body, counter.arg_number)
    if start is None or end is None or not step or not _is_far_from_overflow(counter.type, end, step):
        return None
    rounds = _rounds(start, direction, end, step)
    return None if rounds is None else Counting(counter.arg_number, start, step, rounds)


def _comparison(condition: ir.Block) -> tuple[ir.BlockArgument, str, ir.Value] | None:
    """The counter, how it must compare to the limit for the loop to go on, and the limit."""
    compare = views.Compare.defining(_itself(terminator(condition).operands[0]))
    if compare is None or compare.comparison_direction not in _SWAPPED:
        return None
    direction, lhs, rhs = compare.comparison_direction, _itself(compare.lhs), _itself(compare.rhs)
    if _is_argument(lhs, condition):
        return lhs, direction, rhs
    return (rhs, _SWAPPED[direction], lhs) if _is_argument(rhs, condition) else None


def _rounds(start: int, direction: str, end: int, step: int) -> int | None:
    """None if the counter goes the other way, which ends by overflow if at all."""
    if direction == "NE":
        rounds, rest = divmod(end - start, step)
        return rounds if rest == 0 and rounds >= 0 else None
    if direction in ("GT", "GE"):
        start, end, step = -start, -end, -step
    last = end if direction in ("LE", "GE") else end - 1  # the counter goes on as long as it is at most this
    if start > last:
        return 0
    return (last - start) // step + 1 if step > 0 else None


def _is_far_from_overflow(type_: ir.Type, end: int, step: int) -> bool:
    """Whether the counter can step over the limit."""
    element = ir.RankedTensorType(type_).element_type
    if not isinstance(element, ir.IntegerType):
        return False
    bits = element.width - (0 if element.is_unsigned else 1)
    least = 0 if element.is_unsigned else -(2**bits)
    return least <= end + step < 2**bits


def _is_argument(value: ir.Value, block: ir.Block) -> TypeGuard[ir.BlockArgument]:
    return isinstance(value, ir.BlockArgument) and value.owner == block


def _invariant(value: ir.Value, loop: ir.Operation, body: ir.Block) -> ir.Value:
    """What an argument of the loop's condition is before the loop, if the body hands it on unchanged."""
    if not _is_argument(value, views.While(loop).cond):
        return value
    number = value.arg_number
    unchanged = _itself(terminator(body).operands[number]) == body.arguments[number]
    return loop.operands[number] if unchanged else value


def _step(body: ir.Block, number: int) -> int | None:
    """What the body adds to loop variable `number`."""
    op = defining_op(_itself(terminator(body).operands[number]))
    if op is None or op.name not in ("stablehlo.add", "stablehlo.subtract"):
        return None
    counter = body.arguments[number]
    lhs, rhs = map(_itself, op.operands)
    if op.name == "stablehlo.subtract":
        amount = splat_integer(rhs) if lhs == counter else None
        return None if amount is None else -amount
    return splat_integer(rhs) if lhs == counter else splat_integer(lhs) if rhs == counter else None


def _itself(value: ir.Value) -> ir.Value:
    """The value that another one is under another name."""
    while (op := defining_op(value)) is not None and op.name in _SAME_VALUE:
        value = op.operands[0]
    return value
