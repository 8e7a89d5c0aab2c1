"""`parse`: HLO text to a module in which asynchronous operations are generic (spec: async, 9.2)."""

from __future__ import annotations

import dataclasses

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import MAIN_THREAD
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.reading.desugaring import AsyncReader, settle_threads
from sdy.hlo_text.reading.lifting import callees_first, lift
from sdy.hlo_text.reading.raw_reader import RawAttribute, RawComputation, RawInstruction, RawModule, read_raw
from sdy.hlo_text.reading.scanning import Scanner
from sdy.hlo_text.shape import Shape, same


def parse(text: str) -> HloModule:
    """Reads an HLO module.

    Accepts what XLA prints, any word as an opcode, unknown attributes, sugar for asynchronous operations, and the
    spellings of XLA's document on them: a flat bundle, attributes repeated at an update, operands with or without
    shapes. Instructions outside of computations are the entry computation, whose parameters are the operands that
    nothing defines. Computations are brought into an order in which callees come first.

    Raises:
      HloSyntaxError: the text is no HLO; with line and column.
    """
    raw, scanner = read_raw(text)
    return _ModuleReader(raw, scanner).module()


class _ModuleReader:
    """Turns what is written into values."""

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
        """Writes the names of computations in one form."""
        names = [str(each) for each in attribute.computations or ()]
        for name in names:
            if name not in self._names:
                raise self._scanner.error(f"there is no computation %{name}", attribute.offset)
        text = ", ".join(f"%{name}" for name in names)
        attribute.value = f"{{{text}}}" if attribute.value.startswith("{") else text


def _check_parameters(raw: RawComputation, scanner: Scanner) -> None:
    """Parameters are numbered from 0, each number once."""
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
