"""Conversions between full and shard shapes, and how values flow between them through a block."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting import clone_with, use_instead
from sdy.passes.interchange.sites import CUSTOM_CALL, FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL, target_of


def conversion_of(op: ir.Operation) -> str:
    """Return the target of `op` if it is a conversion, else an empty text."""
    if op.name != CUSTOM_CALL:
        return ""
    target = target_of(op)
    return target if target in (FULL_TO_SHARD, SHARD_TO_FULL) else ""


def constraint_before(op: ir.Operation) -> ir.Operation | None:
    """The `@Sharding` call whose result `op`, a conversion, takes."""
    value = op.operands[0]
    if not isinstance(value, ir.OpResult):
        return None
    source = value.owner.operation
    return source if source.name == CUSTOM_CALL and target_of(source) == SHARDING_CALL else None


class BlockFlow:
    """A snapshot of a block; nested ops count as part of the block's op around them.

    Attributes:
      ops: the ops of the block, in order.
      conversions: the target of each conversion, empty for other ops.
      taken: the values that each takes, those that ops in it take included; tokens, which are on no device, are apart.
      tokens: the tokens that each takes.
      sources: positions of the ops of the block that make its operands.
      users: positions of the users of its results.
    """

    def __init__(self, block: ir.Block) -> None:
        self._block = block
        self.look_again()

    def look_again(self) -> None:
        """Read the block again after a change."""
        self.ops = [op.operation for op in self._block.operations]
        self.conversions = [conversion_of(op) for op in self.ops]
        taken = [list(taken_by(op)) for op in self.ops]
        self.taken = [[value for value in each if not is_token(value)] for each in taken]
        self.tokens = [[value for value in each if is_token(value)] for each in taken]
        self._place: dict[ir.Value, int] = {result: place for place, op in enumerate(self.ops) for result in op.results}
        self.sources = [sorted({self._place[value] for value in taken if value in self._place}) for taken in self.taken]
        self.users: list[list[int]] = [[] for _ in self.ops]
        for place, sources in enumerate(self.sources):
            for source in sources:
                self.users[source].append(place)

    def place_of(self, value: ir.Value) -> int | None:
        """Return the position of the op that makes `value`; None if it is not in the block."""
        return self._place.get(value)

    def takes_from_outside(self, place: int) -> bool:
        """Return whether the op uses a value from outside of the block, or is an argument of it."""
        return any(value not in self._place for value in self.taken[place])


def is_token(value: ir.Value) -> bool:
    """Return whether `value` is only an order of effects."""
    return value.type == stablehlo.TokenType.get(value.type.context)


def taken_by(op: ir.Operation) -> Iterator[ir.Value]:
    """Return the values that `op` and the ops in it capture."""
    yield from op.operands
    inside: set[ir.Value] = set()
    for region in op.regions:
        for block in region.blocks:
            inside |= set(block.arguments)
            for nested in block.operations:
                yield from (value for value in taken_by(nested.operation) if value not in inside)
                inside |= set(nested.operation.results)


Level = frozenset[str]
"""The axes that are manual where an op is computed."""


def levels_of(
    flow: BlockFlow, outer: Level, everything: Level, said: Callable[[int], Iterable[str] | None]
) -> list[Level | None]:
    """Return the level of each op; None for one that depends on constants alone, and may be computed anywhere.

    Args:
      flow: the block.
      outer: the axes that are manual around the block.
      everything: all axes of the mesh, which a conversion without text is taken to be about.
      said: the manual axes in the text of an op; None without any.
    """
    levels: list[Level | None] = []
    for place in range(len(flow.ops)):
        levels.append(_level(flow, place, levels, outer, everything, said(place)))
    for place in reversed(range(len(flow.ops))):
        if levels[place] is None:
            levels[place] = _demanded(flow, place, levels, outer, everything)
    return levels


def _level(
    flow: BlockFlow,
    place: int,
    levels: list[Level | None],
    outer: Level,
    everything: Level,
    said: Iterable[str] | None,
) -> Level | None:
    """Return the level that the operands and the text of an op imply."""
    if flow.conversions[place] == FULL_TO_SHARD:
        return outer | (everything if said is None else Level(said))
    if flow.conversions[place] == SHARD_TO_FULL:
        return outer | Level(said or ())
    known = [level for source in flow.sources[place] if (level := levels[source]) is not None]
    if flow.takes_from_outside(place):
        known.append(outer)
    if said is not None:
        known.append(outer | Level(said))
    return Level().union(*known) if known else None


def _demanded(flow: BlockFlow, place: int, levels: list[Level | None], outer: Level, everything: Level) -> Level | None:
    """Return the level at which all users of an op work, if that is inside; constants fit any user."""
    if _is_plain(flow, place):
        return None
    found = []
    for user in flow.users[place]:
        level = everything if flow.conversions[user] == SHARD_TO_FULL else levels[user]
        if level is None or level == outer or flow.conversions[user] == FULL_TO_SHARD:
            return None
        found.append(level)
    return Level().union(*found) if found else None


def _is_plain(flow: BlockFlow, place: int) -> bool:
    op = flow.ops[place]
    return op.name not in ("stablehlo.custom_call", "func.call") and not len(op.regions)


def separate_rounds(
    flow: BlockFlow, pieces: Sequence[Sequence[int]], outs: Collection[int], is_repeatable: Callable[[int], bool]
) -> bool:
    """Give rounds of one piece separate ops; return whether there were any, after which `flow` is outdated.

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
    """Return how many results of the piece the op at each position needs; 0 is left out."""
    found: dict[int, int] = {}
    for place in range(first, last + 1):
        after = max((found.get(source, 0) + (source in own_outs) for source in flow.sources[place]), default=0)
        if after:
            found[place] = after
    return found


def _needed(
    flow: BlockFlow, places: Sequence[int], own_outs: Collection[int], rounds: dict[int, int]
) -> dict[int, tuple[int, ...]]:
    """Return the rounds that need the op at each position, in order: the rounds whose results depend on it."""
    found: dict[int, tuple[int, ...]] = {}
    for place in reversed(places):
        users = {number for user in flow.users[place] for number in found.get(user, ())}
        is_end = place in own_outs or not users
        found[place] = (rounds.get(place, 0),) if is_end else tuple(sorted(users))
    return found


def _repeat(flow: BlockFlow, places: Sequence[int], needed: dict[int, tuple[int, ...]]) -> None:
    """Use the op for the first round that needs it, and copies for the others."""
    copies: dict[int, dict[ir.Value, ir.Value]] = {}
    for place in places:
        op = flow.ops[place]
        first, *others = needed[place]
        for number in others:
            copy = clone_with(op, copies.get(number, {}), ir.InsertionPoint.after(op))
            copies.setdefault(number, {}).update(zip(op.results, copy.results, strict=True))
        use_instead(op, copies.get(first, {}))
