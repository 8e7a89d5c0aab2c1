"""What a module computes, whatever its values and computations are called."""

from __future__ import annotations

import re
from typing import Any

from sdy.hlo_text import HloModule, Instruction, TupleShape, parse_shape

_NAME = re.compile(r"%[\w.\-]+")
_WITHOUT_MEANING = frozenset({"metadata", "has_dynamic_root", "backend_config", "api_version"})
"""Attributes that say where something comes from, or that jaxlib writes though they are what is meant without them."""


def structure(module: HloModule) -> Any:
    """The root of the entry computation with all that it depends on; layouts aside."""
    return _computation(module, module.entry)


def _computation(module: HloModule, name: str) -> Any:
    computation = module.by_name[name]
    known: dict[str, Any] = {}
    for each in computation.instructions:
        used = each.operands[:1] if each.opcode == "async-done" else each.operands
        operands = tuple(known[operand] for operand in used)
        found = (each.opcode, each.shape.plain.text, each.literal, operands, _attributes(module, each))
        known[each.name] = _simple(found)
    return known[computation.root.name]


def _simple(value: Any) -> Any:
    """What a value is if it takes a tuple apart, or puts one together, that is the other way round elsewhere."""
    opcode, _, _, operands, attributes = value
    if opcode == "get-tuple-element" and operands[0][0] == "tuple":
        return operands[0][3][int({key: text for key, text, _ in attributes}["index"])]
    return (_whole(operands) if opcode == "tuple" else None) or value


def _whole(operands: tuple[Any, ...]) -> Any:
    """The value that has these operands as its elements, all of them in order; None if there is none."""
    sources = {repr(each[3][:1]): each[3][0] for each in operands if each[0] == "get-tuple-element"}
    if len(sources) != 1:
        return None
    (source,) = sources.values()
    indices = [value for each in operands for key, value, _ in each[4] if key == "index"]
    shape = parse_shape(source[1])
    count = len(shape.elements) if isinstance(shape, TupleShape) else 0
    return source if indices == [str(number) for number in range(count)] else None


def _attributes(module: HloModule, instruction: Instruction) -> Any:
    return sorted(
        (key, _NAME.sub("%", value), [_computation(module, name) for name in _called(module, value)])
        for key, value in instruction.attributes
        if key not in _WITHOUT_MEANING
    )


def _called(module: HloModule, value: str) -> list[str]:
    return [name[1:] for name in _NAME.findall(value) if name[1:] in module.by_name]
