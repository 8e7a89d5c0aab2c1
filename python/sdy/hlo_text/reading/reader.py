"""`parse`: HLO text to a module with generic asynchronous operations (spec: async, 9.2)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from sdy.hlo_text.errors import HloSyntaxError
from sdy.hlo_text.model import Computation, Instruction, Names
from sdy.hlo_text.opcodes import MAIN_THREAD
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.reading.desugaring import AsyncReader, settle_threads
from sdy.hlo_text.reading.raw_reader import (
    RawAttribute,
    RawComputation,
    RawInstruction,
    RawModule,
    RawOperand,
    read_raw,
)
from sdy.hlo_text.reading.scanning import Scanner
from sdy.hlo_text.shape import Shape, same


def lift(raw: RawModule, scanner: Scanner) -> list[RawComputation]:
    """Return all computations; one in braces comes before the computation that contains it.

    Raises:
      HloSyntaxError: two have one name, or two are the entry.
    """
    if raw.loose:
        raw.computations.append(_snippet(raw, scanner))
    seen: dict[str, RawComputation] = {}
    entry = None
    for each in raw.computations:
        if each.name in seen:
            raise scanner.error(f"there is a computation %{each.name} already", each.offset)
        if each.is_entry and entry:
            raise scanner.error(f"%{entry.name} is the entry computation already", each.offset)
        seen[each.name] = each
        entry = each if each.is_entry else entry
    names = Names(seen)
    found: list[RawComputation] = []
    for each in raw.computations:
        found += _with_inner(each, names, scanner)
    return found


def _with_inner(computation: RawComputation, names: Names, scanner: Scanner) -> Iterator[RawComputation]:
    used = Names(each.name for each in computation.instructions)
    computation.instructions = [each for one in computation.instructions for each in _flat(one, used)]
    if any(operand.path for each in computation.instructions for operand in each.operands):
        computation.instructions = list(_with_elements(computation.instructions, used, scanner))
    for instruction in computation.instructions:
        for attribute in instruction.attributes:
            for position, inner in enumerate(attribute.computations or ()):
                if isinstance(inner, RawComputation):
                    inner.name = names.new(f"{instruction.name}.{attribute.key}")
                    yield from _with_inner(inner, names, scanner)
                    assert attribute.computations is not None
                    attribute.value = _named(attribute.value, inner.name, len(attribute.computations))
                    attribute.computations[position] = inner.name
    yield computation


def _named(value: str, name: str, count: int) -> str:
    """Return the attribute text for one named computation, or an opening brace for a list of them."""
    is_list = count > 1 or value[1:].lstrip().startswith("{")
    return "{" if is_list else f"%{name}"


def _flat(instruction: RawInstruction, names: Names) -> Iterator[RawInstruction]:
    """Return the instructions nested in one, then that one itself."""
    for position, operand in enumerate(instruction.operands):
        if operand.nested is not None:
            nested = operand.nested
            nested.name = names.new(nested.opcode)
            yield from _flat(nested, names)
            instruction.operands[position] = RawOperand(nested.name, None, operand.offset)
    yield instruction


def _with_elements(instructions: list[RawInstruction], names: Names, scanner: Scanner) -> Iterator[RawInstruction]:
    """Return the instructions, preceded by those that read tuple elements written as ``%a#0`` in operands."""
    shapes: dict[str, Shape] = {}
    read: dict[tuple[str, int], str] = {}
    for instruction in instructions:
        for operand in instruction.operands:
            for index in operand.path:
                key = (operand.name, index)
                if key not in read:
                    tuple_shape = shapes.get(operand.name)
                    shape = tuple_shape.at((index,)) if tuple_shape else None
                    if shape is None:
                        raise scanner.error(f"%{operand.name} has no element {index}", operand.offset)
                    read[key] = names.new(f"{operand.name}_{index}")
                    shapes[read[key]] = shape
                    source = RawOperand(operand.name, None, operand.offset)
                    number = RawAttribute("index", str(index), operand.offset)
                    yield RawInstruction(
                        read[key], shape, "get-tuple-element", [source], "", [number], False, operand.offset
                    )
                operand.name = read[key]
            operand.path = ()
        shapes[instruction.name] = instruction.shape
        yield instruction


def _snippet(raw: RawModule, scanner: Scanner) -> RawComputation:
    """Make the entry from instructions outside of computations; undefined operands become its parameters."""
    first = raw.loose[0].offset
    if any(each.is_entry for each in raw.computations):
        raise scanner.error("an instruction must be in a computation if there is an entry computation", first)
    defined: set[str] = set()
    parameters: dict[str, RawInstruction] = {}
    number = sum(each.opcode == "parameter" for each in raw.loose)
    names = Names(each.name for each in raw.loose)
    raw.loose = [each for one in raw.loose for each in _flat(one, names)]
    for instruction in raw.loose:
        for operand in instruction.operands:
            if operand.name in defined or operand.name in parameters or operand.shape is None:
                continue
            parameters[operand.name] = RawInstruction(
                operand.name, operand.shape, "parameter", [], str(number), [], False, operand.offset
            )
            number += 1
        defined.add(instruction.name)
    name = Names(each.name for each in raw.computations).new("entry")
    return RawComputation(name, [*parameters.values(), *raw.loose], first, is_entry=True)


def callees_first(computations: Sequence[Computation]) -> list[Computation]:
    """Return the computations with callees first; an order that is valid already stays.

    Raises:
      HloSyntaxError: a computation calls itself, perhaps through others.
    """
    calls = {each.name: _called(each) for each in computations}
    by_name = {each.name: each for each in computations}
    found: list[Computation] = []
    state: dict[str, bool] = {}  # False while its callees are looked at, True behind
    for first in computations:
        stack = [(first.name, iter(calls[first.name]))] if first.name not in state else []
        state.setdefault(first.name, False)
        while stack:
            name, rest = stack[-1]
            callee = next(rest, None)
            if callee is None:
                stack.pop()
                state[name] = True
                found.append(by_name[name])
            elif callee not in state:
                state[callee] = False
                stack.append((callee, iter(calls[callee])))
            elif not state[callee]:
                raise HloSyntaxError(f"computation %{callee} calls itself", *(by_name[callee].position or (1, 1)))
    return found


def _called(computation: Computation) -> list[str]:
    return [name for each in computation.instructions if each.attributes for name in each.called]


def parse(text: str) -> HloModule:
    """Reads an HLO module.

    Accepts XLA's output, any word as an opcode, unknown attributes, sugar for asynchronous operations, and the
    spellings of XLA's document on them: a flat bundle, attributes repeated at an update, operands with or without
    shapes. Instructions outside of computations form the entry computation, whose parameters are the undefined
    operands. Computations are ordered with callees first.

    Returns:
      The module, with generic asynchronous operations.

    Raises:
      HloSyntaxError: the text is no HLO; with line and column.
    """
    raw, scanner = read_raw(text)
    return _ModuleReader(raw, scanner).module()


class _ModuleReader:
    """Builder of a module from the raw text."""

    def __init__(self, raw: RawModule, scanner: Scanner) -> None:
        self._raw = raw
        self._scanner = scanner
        self._computations = lift(raw, scanner)
        self._async = AsyncReader(self._computations, scanner)
        self._names = {each.name for each in self._computations}

    def module(self) -> HloModule:
        raw = self._raw
        found: list[Computation] = []
        for each in self._computations:
            read = self._computation(each)
            found += self._async.take_made()
            found.append(read)
        ordered = callees_first(found)
        entry = next((each for each in self._computations if each.is_entry), raw.computations[-1])
        attributes = tuple((each.key, each.value) for each in raw.attributes)
        module = settle_threads(HloModule(raw.name, attributes, tuple(ordered), entry.name, raw.tables))
        self._async.confirm(module)
        return module

    def _computation(self, raw: RawComputation) -> Computation:
        thread, attributes = MAIN_THREAD, []
        for each in raw.attributes:
            if each.key == "execution_thread":
                thread = each.value.strip('"') or MAIN_THREAD
            else:
                attributes.append((each.key, each.value))
        position = self._scanner.position(raw.offset)
        found = tuple(self._instructions(raw))
        return Computation(raw.name, found, thread, tuple(attributes), raw.signature, position)

    def _instructions(self, raw: RawComputation) -> list[Instruction]:
        defined: dict[str, RawInstruction] = {}
        shapes: dict[str, Shape] = {}
        root: RawInstruction | None = None
        found: list[Instruction] = []
        self._async.enter(raw.name)
        for each in raw.instructions:
            if each.name in defined:
                raise self._scanner.error(f"there is an instruction %{each.name} already", each.offset)
            if each.is_root:
                if root is not None:
                    raise self._scanner.error(f"%{root.name} is the root of this computation already", each.offset)
                root = each
            instruction = self._instruction(each, defined, shapes)
            defined[each.name] = each
            shapes[each.name] = instruction.shape
            found.append(instruction)
        if root is None:
            found[-1] = dataclasses.replace(found[-1], is_root=True)
        _check_parameters(raw, self._scanner)
        return found

    def _instruction(
        self, raw: RawInstruction, defined: dict[str, RawInstruction], shapes: dict[str, Shape]
    ) -> Instruction:
        for operand in raw.operands:
            if operand.name not in shapes:
                raise self._scanner.error(f"there is no instruction %{operand.name} before this", operand.offset)
            if operand.shape is not None and operand.shape is not shapes[operand.name]:
                written = defined[operand.name].shape
                if not (same(operand.shape, written) or same(operand.shape, shapes[operand.name])):
                    message = f"%{operand.name} has shape {written}, not {operand.shape}"
                    raise self._scanner.error(message, operand.offset)
        for attribute in raw.attributes:
            if attribute.computations:
                self._resolve(attribute)
        result = self._async.read(raw, shapes)
        if result is not None:
            return result
        return Instruction(
            raw.name,
            raw.shape,
            raw.opcode,
            tuple([each.name for each in raw.operands]),
            tuple([(each.key, each.value) for each in raw.attributes]),
            raw.is_root,
            raw.literal,
            self._scanner.position(raw.offset),
        )

    def _resolve(self, attribute: RawAttribute) -> None:
        """Write the names of computations in one form."""
        names = [str(each) for each in attribute.computations or ()]
        for name in names:
            if name not in self._names:
                raise self._scanner.error(f"there is no computation %{name}", attribute.offset)
        text = ", ".join(f"%{name}" for name in names)
        attribute.value = f"{{{text}}}" if attribute.value.startswith("{") else text


def _check_parameters(raw: RawComputation, scanner: Scanner) -> None:
    """Check that parameters are numbered from 0, each number once."""
    parameters = [each for each in raw.instructions if each.opcode == "parameter"]
    if [int(each.literal) for each in parameters] == list(range(len(parameters))):
        return
    seen: set[int] = set()
    for each in parameters:
        number = int(each.literal)
        if number in seen or number >= len(parameters):
            what = "there is one already" if number in seen else f"there are only {len(parameters)}"
            raise scanner.error(f"parameter {number} of %{raw.name}: {what}", each.offset)
        seen.add(number)
