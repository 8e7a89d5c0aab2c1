"""Modules that say the same, whatever the names of wrapped computations are (spec: async, 9.3, P1)."""

from __future__ import annotations

import dataclasses

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.printer import HloModule, instruction_text


def equivalent(one: HloModule, other: HloModule) -> bool:
    """Whether two modules are equal up to what reading sugar makes anew.

    That is the names and the places of computations that only asynchronous starts call, whether several starts share
    one, and the names in them.
    """
    return _inlined(one) == _inlined(other)


def _inlined(module: HloModule) -> HloModule:
    """The module with the contents of wrapped computations in place of their names."""
    wrapped = {
        name
        for name, callers in module.callers.items()
        if callers and name != module.entry and all(each.opcode == "async-start" for _, each in callers)
    }
    contents: dict[str, str] = {}
    kept = []
    for each in module.computations:
        if wrapped.intersection(name for one in each.instructions for name in one.called):
            each = dataclasses.replace(each, instructions=tuple(_named(one, contents) for one in each.instructions))
        if each.name in wrapped:
            contents[each.name] = _content(each)
        else:
            kept.append(each)
    return dataclasses.replace(module, computations=tuple(kept))


def _named(start: Instruction, contents: dict[str, str]) -> Instruction:
    if start.opcode != "async-start":
        return start
    attributes = tuple(
        (key, ", ".join(contents.get(name, name) for name in start.called) if key == "calls" else value)
        for key, value in start.attributes
    )
    return dataclasses.replace(start, attributes=attributes)


def _content(computation: Computation) -> str:
    numbers = {each.name: str(number) for number, each in enumerate(computation.instructions)}
    lines = [
        instruction_text(
            dataclasses.replace(
                each, name=numbers[each.name], operands=tuple(numbers.get(name, name) for name in each.operands)
            )
        )
        for each in computation.instructions
    ]
    return "\n".join([computation.thread, *(f"{key}={value}" for key, value in computation.attributes), *lines])
