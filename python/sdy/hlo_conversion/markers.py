"""Markers that pass jaxlib's conversions: entries among the frontend attributes of ops and of instructions."""

from __future__ import annotations

import dataclasses
import re

from sdy.hlo_conversion.frontend_attributes import IN_HLO as _IN_HLO
from sdy.hlo_conversion.frontend_attributes import IN_MLIR as FRONTEND
from sdy.hlo_text import Instruction
from sdy.mlir import ir
from sdy.mlir.functions import enclosing_function, new_function
from sdy.mlir.rewriting import use_instead, values_from_above

ASYNC = "sdy_async"
"""The number of the asynchronous operation that the op was."""

POSITION = "sdy_position"
"""The place of the op in the order of its program."""


def put_on_op(op: ir.Operation, marker: str, number: int) -> None:
    given = op.attributes.get(FRONTEND, ())
    entries = {each.name: each.attr for each in given} | {marker: ir.StringAttr.get(str(number), op.context)}
    op.attributes[FRONTEND] = ir.DictAttr.get(entries, op.context)


def of_op(op: ir.Operation, marker: str) -> int | None:
    if FRONTEND not in op.attributes or marker not in op.attributes[FRONTEND]:
        return None
    return int(op.attributes[FRONTEND][marker].value)


def take_from_op(op: ir.Operation) -> None:
    """Removes all markers of an op."""
    if FRONTEND not in op.attributes:
        return
    left = {each.name: each.attr for each in op.attributes[FRONTEND] if each.name not in (ASYNC, POSITION)}
    if left:
        op.attributes[FRONTEND] = ir.DictAttr.get(left, op.context)
    else:
        del op.attributes[FRONTEND]


def put_on_instruction(instruction: Instruction, marker: str, number: int) -> Instruction:
    inner = (instruction.attribute(_IN_HLO) or "{}")[1:-1].strip()
    entry = f'{marker}="{number}"'
    value = "{" + (f"{inner},{entry}" if inner else entry) + "}"
    attributes = (*instruction.without(_IN_HLO), (_IN_HLO, value))
    return dataclasses.replace(instruction, attributes=attributes)


def of_instruction(instruction: Instruction, marker: str) -> int | None:
    found = _pattern(marker).search(instruction.attribute(_IN_HLO) or "")
    return int(found[1]) if found else None


def without_markers(instruction: Instruction) -> Instruction:
    value = instruction.attribute(_IN_HLO)
    if value is None:
        return instruction
    for marker in (ASYNC, POSITION):
        value = _pattern(marker).sub("", value)
    inner = value[1:-1].strip().lstrip(",").strip()
    changed = ((_IN_HLO, "{" + inner + "}"),) if inner else ()
    kept = [(key, text) for key, text in instruction.attributes if key != _IN_HLO]
    place = [key for key, _ in instruction.attributes].index(_IN_HLO)
    return dataclasses.replace(instruction, attributes=(*kept[:place], *changed, *kept[place:]))


def _pattern(marker: str) -> re.Pattern[str]:
    """Return a pattern of the entry with the comma in front of it.

    It does not match in strings, where quotation marks are escaped.
    """
    return re.compile(rf'(?:(?<=\{{)|,)\s*{marker}="(\d+)"')


_UNMARKABLE = frozenset({"stablehlo.while"})
"""Ops whose frontend attributes get lost."""


def outlined(op: ir.Operation) -> ir.Operation:
    """The op, or the call of a private function that holds it."""
    if op.name not in _UNMARKABLE:
        return op
    values = list(dict.fromkeys([*op.operands, *values_from_above(op)]))
    types, results = [each.type for each in values], [each.type for each in op.results]
    caller = enclosing_function(op)
    name = _free_name(caller.parent.operation)
    with op.location:
        function = new_function(name, types, results, is_private=True, ip=ir.InsertionPoint(caller))
        block = function.regions[0].blocks.append(*types)
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        call = ir.Operation.create("func.call", results, values, callee, ip=ir.InsertionPoint(op))
        for old, new in zip(op.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        op.move_before(ir.Operation.create("func.return", operands=list(op.results), ip=ir.InsertionPoint(block)))
    use_instead(op, dict(zip(values, block.arguments, strict=True)))
    return call


def _free_name(module: ir.Operation) -> str:
    taken = {
        op.attributes["sym_name"].value for op in module.regions[0].blocks[0].operations if "sym_name" in op.attributes
    }
    number = 0
    while f"async_loop_{number}" in taken:
        number += 1
    return f"async_loop_{number}"
