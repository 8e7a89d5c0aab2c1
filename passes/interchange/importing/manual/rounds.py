"""Pieces that take what was computed of results of their own (spec: interchange, 5.2).

Where two computations follow one another and have ops in common, the ops of both hang together, and what lies between
the computations uses results of the whole and is used by it. Such a piece has rounds, the first of which takes none of
its results, the next one results of the first, and so on; ops that several rounds need are computed in each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.importing.manual.block_flow import BlockFlow


def separate_rounds(
    flow: BlockFlow, pieces: Sequence[Sequence[int]], outs: Collection[int], is_repeatable: Callable[[int], bool]
) -> bool:
    """Gives rounds of one piece ops of their own; whether there were any, after which `flow` is of the past.

    Args:
      flow: the block.
      pieces: the places of the ops of each piece, in order, those in `outs` convert its results back.
      outs: the places of all conversions back.
      is_repeatable: whether the op at a place may be computed twice. A piece with one that may not, and is needed in
        several rounds, stays as it is.
    """
    changed = [_separate(flow, places, outs, is_repeatable) for places in pieces]
    return any(changed)


def _separate(
    flow: BlockFlow, places: Sequence[int], outs: Collection[int], is_repeatable: Callable[[int], bool]
) -> bool:
    own_outs = {place for place in places if place in outs}
    if not own_outs or min(own_outs) == places[-1] or len(own_outs) == len(places):
        return False
    rounds = _rounds(flow, min(own_outs), places[-1], own_outs)
    if not any(rounds.get(place) for place in places):
        return False
    needed = _needed(flow, places, own_outs, rounds)
    several = [place for place in places if len(needed[place]) > 1]
    if not several or not all(map(is_repeatable, several)):
        return False
    _repeat(flow, places, needed)
    return True


def _rounds(flow: BlockFlow, first: int, last: int, own_outs: Collection[int]) -> dict[int, int]:
    """How many times the piece has given results before the op at each place can be computed; 0 is left out."""
    found: dict[int, int] = {}
    for place in range(first, last + 1):
        after = max((found.get(source, 0) + (source in own_outs) for source in flow.sources[place]), default=0)
        if after:
            found[place] = after
    return found


def _needed(
    flow: BlockFlow, places: Sequence[int], own_outs: Collection[int], rounds: dict[int, int]
) -> dict[int, tuple[int, ...]]:
    """The rounds that need the op at each place, in order: those of the results that are computed of it."""
    found: dict[int, tuple[int, ...]] = {}
    for place in reversed(places):
        users = {number for user in flow.users[place] for number in found.get(user, ())}
        is_end = place in own_outs or not users
        found[place] = (rounds.get(place, 0),) if is_end else tuple(sorted(users))
    return found


def _repeat(flow: BlockFlow, places: Sequence[int], needed: dict[int, tuple[int, ...]]) -> None:
    """The op itself is that of the first round that needs it, the others get copies."""
    copies: dict[int, dict[ir.Value, ir.Value]] = {}
    for place in places:
        op = flow.ops[place]
        first, *others = needed[place]
        for number in others:
            copy = op.clone(ip=ir.InsertionPoint.after(op)).operation
            _use(copy, copies.get(number, {}))
            copies.setdefault(number, {}).update(zip(op.results, copy.results, strict=True))
        _use(op, copies.get(first, {}))


def _use(op: ir.Operation, instead: dict[ir.Value, ir.Value]) -> None:
    """Makes `op`, and what is in it, take the values of a round."""
    for each in pre_order(op):
        for index, operand in enumerate(each.operands):
            if operand in instead:
                each.operands[index] = instead[operand]
