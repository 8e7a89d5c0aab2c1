"""R14: nothing writes into a buffer in flight (spec: async, 9.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdy.hlo_text.chains import AsyncChain, chains
from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.module import HloModule
from sdy.hlo_text.opcodes import ALIASING
from sdy.hlo_text.rules.checked import Checked

_ALIASED_OPERAND = re.compile(r":\s*\(\s*(\d+)")
_ALIASED_OUTPUT = re.compile(r"\{([\d,\s]*)\}\s*:\s*\(\s*(\d+)")
_IN_PLACE = frozenset({"dynamic-update-slice", "scatter", "while"})


def check_writes(checked: Checked) -> None:
    """Reports instructions that write into an operand between start and done."""
    for computation in checked.module.computations:
        found = chains(computation)
        if found:
            _computation(checked, computation, found)


def _computation(checked: Checked, computation: Computation, found: tuple[AsyncChain, ...]) -> None:
    donated = _donated(checked.module) if computation.name == checked.module.entry else frozenset()
    starting = {chain.start.name: chain for chain in found}
    ending: dict[str, list[AsyncChain]] = {}
    for chain in found:
        ending.setdefault(chain.done.name if chain.done else "", []).append(chain)
    held: dict[str, dict[str, AsyncChain]] = {}
    for each in computation.instructions:
        for operand in _written(checked.module, computation, each, donated):
            for chain in held.get(operand, {}).values():
                message = f"it writes into %{operand}, which %{chain.start.name} has in flight"
                checked.report("R14", computation, each, message)
        if each.name in starting:
            for operand in starting[each.name].operands:
                held.setdefault(operand, {})[each.name] = starting[each.name]
        for chain in ending.get(each.name, ()):
            for operand in chain.operands:
                held[operand].pop(chain.start.name, None)


def _written(
    module: HloModule, computation: Computation, instruction: Instruction, donated: frozenset[tuple[int, str]]
) -> Iterator[str]:
    """The operands that an instruction is said to overwrite."""
    texts = [instruction.attribute(ALIASING)] if instruction.attributes else []
    if instruction.opcode == "async-start" and instruction.called and instruction.called[0] in module.by_name:
        wrapped = module.by_name[instruction.called[0]]
        texts.append(wrapped.root.attribute(ALIASING) if wrapped.instructions else None)
    for text in filter(None, texts):
        for number in map(int, _ALIASED_OPERAND.findall(text)):
            if number < len(instruction.operands):
                yield instruction.operands[number]
    if donated and instruction.opcode in _IN_PLACE and instruction.operands:
        first = computation.by_name.get(instruction.operands[0])
        number = first.parameter_number() if first else None
        if number is not None and (number, instruction.name) in donated:
            yield instruction.operands[0]


def _donated(module: HloModule) -> frozenset[tuple[int, str]]:
    """Parameters of the entry with the instructions whose results take their buffers, as the header says."""
    text = dict(module.attributes).get("input_output_alias", "")
    root = module.entry_computation.root
    found = set()
    for path, number in _ALIASED_OUTPUT.findall(text):
        indices = [int(index) for index in path.split(",") if index.strip()]
        if not indices:
            found.add((int(number), root.name))
        elif len(indices) == 1 and root.opcode == "tuple" and indices[0] < len(root.operands):
            found.add((int(number), root.operands[indices[0]]))
    return frozenset(found)
