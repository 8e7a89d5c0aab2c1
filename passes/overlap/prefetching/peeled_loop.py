"""A loop with more variables and one round less, and its last round behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.walk import identity, pre_order
from sdy.stablehlo import ops
from sdy.stablehlo.idioms.loop_variables import loop_body
from sdy.stablehlo.idioms.trip_count import Counting
from sdy.stablehlo.ops.values import Value

_CHANNEL = "channel_handle"


def run_last_round(
    loop: ir.Operation, made: ir.Operation, known: Sequence[ir.Operation], channels: Iterator[int]
) -> None:
    """Puts a copy of the body of `loop` behind `made`, which has run all other rounds, and uses what it returns.

    The last results of `made` are what the ops `known` give in this round. Its collectives get new channels.
    """
    places = {identity(op): number for number, op in enumerate(known)}
    last = list(made.results)[len(loop.results) :]
    originals = [view.operation for view in loop_body(loop).operations]
    copy = loop.clone(ip=ir.InsertionPoint(loop)).operation
    block = loop_body(copy)
    for argument, value in zip(block.arguments, list(made.results)[: len(loop.results)], strict=True):
        argument.replace_all_uses_with(value)
    *nested, terminator = [view.operation for view in block.operations]
    for original, op in zip(originals[:-1], nested, strict=True):
        place = places.get(identity(original))
        if place is None:
            op.move_before(copy)
            take_new_channels(op, channels)
        else:
            op.results[0].replace_all_uses_with(last[place])
    for result, value in zip(loop.results, list(terminator.operands), strict=True):
        result.replace_all_uses_with(value)
    copy.erase()


def take_new_channels(op: ir.Operation, channels: Iterator[int]) -> None:
    """Gives all collectives in and below `op` channels that no other one has."""
    for each in pre_order(op):
        if _CHANNEL in each.attributes:
            kind = stablehlo.ChannelHandle(each.attributes[_CHANNEL]).channel_type
            each.attributes[_CHANNEL] = stablehlo.ChannelHandle.get(next(channels), kind)


def stop_one_round_before(loop: ir.Operation, counting: Counting) -> None:
    """The loop goes on while the counter has not yet the value of the last round."""
    condition = loop.regions[0].blocks[0]
    end_of_round = terminator(condition)
    compare = end_of_round.operands[0].owner.operation
    counter = Value(condition.arguments[counting.number])
    end = counting.start + counting.step * (counting.rounds - 1)
    with ir.InsertionPoint(end_of_round), compare.location:
        limit = ops.constant(end, counter.type)
        end_of_round.operands[0] = counter < limit if counting.step > 0 else counter > limit
