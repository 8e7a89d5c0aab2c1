"""The order of instructions in HLO."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from sdy.hlo_conversion.placing import ordered
from sdy.hlo_text import Computation, HloModule

_SCHEDULED = ("is_scheduled", "true")


def spread(module: HloModule, home: str, links: Sequence[str]) -> HloModule:
    """With the start of a chain, and its updates, behind its operands, and its done before the first user."""
    computation = module.by_name[home]
    *first, done = (computation.by_name[name] for name in links)
    left = [each for each in computation.instructions if each.name not in links]
    operands = set(first[0].operands)
    start = max((at + 1 for at, each in enumerate(left) if each.name in operands), default=0)
    users = [at for at, each in enumerate(left) if done.name in each.operands]
    end = min(users, default=len(left))
    instructions = (*left[:start], *first, *left[start:end], done, *left[end:])
    return module.with_computations({home: dataclasses.replace(computation, instructions=instructions)})


def in_order(module: HloModule, places: Mapping[tuple[str, str], int]) -> HloModule:
    """As a scheduled module: in each computation instructions come in the order of their places.

    Operands come before users whatever the places are. Those without a place, which conversion has added, stand behind
    their last operand, or, if they have none, before their first user.
    """
    computations = {each.name: _ordered(each, places) for each in module.computations}
    attributes = tuple(each for each in module.attributes if each[0] != _SCHEDULED[0])
    return dataclasses.replace(module.with_computations(computations), attributes=(_SCHEDULED, *attributes))


def _ordered(computation: Computation, places: Mapping[tuple[str, str], int]) -> Computation:
    instructions = computation.instructions
    numbers = {each.name: number for number, each in enumerate(instructions)}
    order = ordered(
        [[numbers[operand] for operand in each.operands] for each in instructions],
        [places.get((computation.name, each.name)) for each in instructions],
        [each.opcode == "parameter" for each in instructions],
    )
    return dataclasses.replace(computation, instructions=tuple(instructions[number] for number in order))
