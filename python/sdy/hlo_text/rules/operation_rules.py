"""R7 to R11, R14: wrapped operations, native opcodes, writes into buffers in flight (spec: async, 9.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdy.hlo_text.chains import AsyncChain, chains, done_shape, is_native_start
from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import (
    ALIASING,
    ASYNC,
    ATTRIBUTES,
    COMMON,
    MAIN_THREAD,
    NATIVE_DONES,
    NATIVE_STARTS,
    NATIVELY_ASYNC,
    REQUIRED,
)
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.rules.bundle_rules import check_bundles, check_links, check_order
from sdy.hlo_text.rules.checked import Checked, Problem, Rules
from sdy.hlo_text.shape import Shape, same

_NESTED = frozenset({*ASYNC, *NATIVE_STARTS, *NATIVE_DONES} - {"send", "recv"})


def check_wrapped(checked: Checked) -> None:
    """Report wrapped computations that are not one operation, or are called by other instructions than starts."""
    seen: set[str] = set()
    for computation, start in checked.starts():
        wrapped = checked.wrapped(start)
        if wrapped is None:
            checked.report("R7", computation, start, "it names one computation with instructions, as in 'calls=%name'")
            continue
        _native(checked, computation, start, wrapped.root)
        if wrapped.name in seen:
            continue
        seen.add(wrapped.name)
        if checked.is_strict:
            _one_operation(checked, computation, start, wrapped)
        elif wrapped.thread == MAIN_THREAD and start.thread == MAIN_THREAD:
            # XLA's verifier does not look into computations of other threads.
            _little_else(checked, computation, start, wrapped)
        _callers(checked, computation, start, wrapped)
        _known(checked, computation, start, wrapped.root)


def _little_else(checked: Checked, computation: Computation, start: Instruction, wrapped: Computation) -> None:
    """R7 as XLA has it: elements may be read out of parameters, and the root may be anything."""
    for each in wrapped.instructions:
        if each is not wrapped.root and each.opcode not in ("parameter", "get-tuple-element"):
            message = f"%{wrapped.name} consists of parameters and its root, but there is %{each.name}"
            checked.report("R7", computation, start, message)
            return


def _one_operation(checked: Checked, computation: Computation, start: Instruction, wrapped: Computation) -> None:
    """Check R7."""
    root = wrapped.root
    if root.opcode in ("parameter", "constant"):
        checked.report("R7", computation, start, f"the root of %{wrapped.name} is a {root.opcode}, and no operation")
    elif root.opcode in _NESTED:
        checked.report("R7", computation, start, f"the root of %{wrapped.name} is asynchronous itself")
    for each in wrapped.instructions:
        if each is not root and each.opcode != "parameter":
            message = f"%{wrapped.name} consists of parameters and its root, but there is %{each.name}"
            checked.report("R7", computation, start, message)
            return


def _callers(checked: Checked, computation: Computation, start: Instruction, wrapped: Computation) -> None:
    """Check R8."""
    if wrapped.name == checked.module.entry:
        checked.report("R8", computation, start, "it wraps the entry computation")
    for _, each in checked.module.callers[wrapped.name]:
        if each.opcode != "async-start":
            checked.report("R8", computation, start, f"%{wrapped.name} is called by %{each.name} as well")


def _native(checked: Checked, computation: Computation, start: Instruction, root: Instruction) -> None:
    """Check R9."""
    if root.opcode not in NATIVELY_ASYNC:
        return
    if checked.is_strict or start.sugared:
        message = f"'{root.opcode}' has asynchronous opcodes of its own, and is not wrapped"
        checked.report("R9", computation, start, message)


def _known(checked: Checked, computation: Computation, start: Instruction, root: Instruction) -> None:
    """Check R10 for opcodes of XLA's parser; the document's own example has another opcode."""
    known = ATTRIBUTES.get(root.opcode)
    if known is None:
        if root.opcode not in _NESTED and not checked.is_strict:
            checked.report("R10", computation, start, f"XLA has no opcode '{root.opcode}'")
        return
    present = [key for key, _ in root.attributes]
    for key in present:
        if key not in known and key not in COMMON:
            checked.report("R10", computation, start, f"'{root.opcode}' has no attribute '{key}'")
    for key in sorted(REQUIRED.get(root.opcode, frozenset()).difference(present)):
        checked.report("R10", computation, start, f"'{root.opcode}' needs the attribute '{key}'")


def check_natives(checked: Checked) -> None:
    """Report native starts and dones with wrong shapes, or without a partner."""
    for computation in checked.module.computations:
        for each in computation.instructions:
            if each.opcode in NATIVE_STARTS:
                _start(checked, computation, each)
            elif each.opcode in NATIVE_DONES:
                _done(checked, computation, each)


def _start(checked: Checked, computation: Computation, start: Instruction) -> None:
    operands: list[Shape] = [each for each in computation.shapes(start) if each is not None]
    if not is_native_start(start.opcode, operands, start.shape):
        given = ", ".join(map(str, operands))
        message = f"{start.opcode} of {given or 'nothing'} cannot have the shape {start.shape}"
        checked.report("R11", computation, start, message)
    if not checked.is_strict and start.opcode in ("send", "recv") and _is_wrapped(checked, computation):
        return  # XLA's verifier does not ask for what belongs to it
    journey = checked.journeys[computation.name, start.name]
    done = NATIVE_STARTS[start.opcode]
    dones = {(use.place.computation, use.user.name) for use in journey.dones}
    if len(dones) != 1:
        names = ", ".join(f"%{name}" for _, name in sorted(dones))
        message = f"it has exactly one {done}, but has {len(dones)}: {names}" if dones else f"it has no {done}"
        checked.report("R11", computation, start, message)
    for use in journey.strays:
        checked.report("R11", computation, start, f"it is used by {done}, not by '{use.user.opcode}'")


def _is_wrapped(checked: Checked, computation: Computation) -> bool:
    return any(each.opcode == "async-start" for _, each in checked.module.callers[computation.name])


def _done(checked: Checked, computation: Computation, done: Instruction) -> None:
    start_opcode = NATIVE_DONES[done.opcode]
    starts = checked.starts_of.get((computation.name, done.name), ())
    if len(done.operands) != 1 or len(starts) != 1:
        message = f"{done.opcode} has one operand, the result of a {start_opcode}"
        checked.report("R11", computation, done, message)
        return
    expected = done_shape(start_opcode, starts[0].shape)
    if expected is not None and not same(done.shape, expected):
        checked.report("R11", computation, done, f"its shape is {done.shape}, but that of the result is {expected}")


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
    """Return the operands that an instruction overwrites according to its aliasing attribute."""
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
    """Return parameters of the entry with the instructions whose results take their buffers, from the header."""
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


def check(module: HloModule, rules: Rules = Rules.STRICT) -> list[Problem]:
    """Return the problems of the asynchronous operations of a module, in text order.

    Args:
      module: the module to check.
      rules: `STRICT` are those of XLA's document on asynchronous instructions, `XLA` those that XLA's verifier keeps.
    """
    checked = Checked(module, rules)
    check_order(checked)
    if checked.problems:
        return checked.problems  # nothing can be followed
    check_bundles(checked)
    check_links(checked)
    check_wrapped(checked)
    check_natives(checked)
    if checked.is_strict:
        check_writes(checked)
    order = {
        (computation.name, each.name): position
        for computation in module.computations
        for position, each in enumerate(computation.instructions)
    }
    computations = {computation.name: position for position, computation in enumerate(module.computations)}
    return sorted(
        checked.problems,
        key=lambda each: (computations[each.computation], order[each.computation, each.instruction], each.number),
    )
