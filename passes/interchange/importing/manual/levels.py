"""On which axes the ops of a block work by hand (spec: interchange, 5.2).

A value that is converted to one device is manual on the axes that the text of the conversion says, what is computed of
it is so, too, and one that is converted back is manual on what is around. Of ops that take nothing from anywhere their
text tells, as there is after GSPMD has propagated, or the ops that take what they make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sdy.passes.interchange.custom_calls import FULL_TO_SHARD, SHARD_TO_FULL
from sdy.passes.interchange.importing.manual.block_flow import BlockFlow

Level = frozenset[str]
"""The axes that are manual where an op is computed."""


def levels_of(
    flow: BlockFlow, outer: Level, everything: Level, said: Callable[[int], Iterable[str] | None]
) -> list[Level | None]:
    """The level of each op; None for one that is made of constants, and may be computed anywhere.

    Args:
      flow: the block.
      outer: the axes that are manual around the block.
      everything: all axes of the mesh, which a conversion without text is taken to be about.
      said: the manual axes that the text of an op says; None where it says none.
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
    """What the operands and the text of an op tell."""
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
    """The level at which all users of an op work, if that is inside; constants suit wherever they are used."""
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
