"""What is written in one place gets a name of its own: computations in braces, nested instructions, loose ones."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.hlo_text.naming import Names
from sdy.hlo_text.reading.raw import RawComputation, RawInstruction, RawModule, RawOperand
from sdy.hlo_text.reading.scanning import Scanner


def lift(raw: RawModule, scanner: Scanner) -> list[RawComputation]:
    """All computations, those in braces before the ones that they were found in.

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
        found += _with_inner(each, names)
    return found


def _with_inner(computation: RawComputation, names: Names) -> Iterator[RawComputation]:
    used = Names(each.name for each in computation.instructions)
    computation.instructions = [each for one in computation.instructions for each in _flat(one, used)]
    for instruction in computation.instructions:
        for attribute in instruction.attributes:
            for position, inner in enumerate(attribute.computations or ()):
                if isinstance(inner, RawComputation):
                    inner.name = names.new(f"{instruction.name}.{attribute.key}")
                    yield from _with_inner(inner, names)
                    assert attribute.computations is not None
                    attribute.value = _named(attribute.value, inner.name, len(attribute.computations))
                    attribute.computations[position] = inner.name
    yield computation


def _named(value: str, name: str, count: int) -> str:
    """The text that says whether one computation is named or a list of them; the names come from elsewhere."""
    is_list = count > 1 or value[1:].lstrip().startswith("{")
    return "{" if is_list else f"%{name}"


def _flat(instruction: RawInstruction, names: Names) -> Iterator[RawInstruction]:
    """The instructions nested in one, then that one itself."""
    for position, operand in enumerate(instruction.operands):
        if operand.nested is not None:
            nested = operand.nested
            nested.name = names.new(nested.opcode)
            yield from _flat(nested, names)
            instruction.operands[position] = RawOperand(nested.name, None, operand.offset)
    yield instruction


def _snippet(raw: RawModule, scanner: Scanner) -> RawComputation:
    """Instructions outside of all computations are the entry; operands that are not there are its parameters."""
    first = raw.loose[0].offset
    if any(each.is_entry for each in raw.computations):
        raise scanner.error("an instruction stands in a computation, where there is an entry computation", first)
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
