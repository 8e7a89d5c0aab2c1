"""The program of a page: its numbered ops and values, its text, and the source lines behind it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import sdy
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.program_values import Program, ValueKind
from sdy.dialect.surroundings import frontend_name
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, position_of
from sdy.mlir.functions import callee_name, symbol_name
from sdy.mlir.walk import pre_order
from sdy.page.data_types import BareProgram, OpColumns, PageData, PlanData, ProgramData, ValueColumns
from sdy.programs.sources import source_lines

T = TypeVar("T", bound=Hashable)


class Interned(Generic[T]):
    """Distinct objects, numbered in order of first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def __getitem__(self, thing: T) -> int:
        """Return the number of an entry; a new one on first use."""
        return self._numbers.setdefault(thing, len(self._numbers))

    @property
    def things(self) -> list[T]:
        """The things in the order of their numbers."""
        return list(self._numbers)


class SourceLines:
    """Reads single lines of regular files; other names have none.

    Args:
      texts: files that are read already, by name.
      reads: whether there are lines at all.
    """

    def __init__(self, texts: Mapping[str, str], *, reads: bool = True) -> None:
        self._reads = reads
        self._files = {name: text.splitlines() for name, text in texts.items()}
        self._folder = f"{Path.cwd()}/"

    def file(self, name: str) -> str:
        """Return the path of a file relative to the working folder, if it is below it."""
        return name.removeprefix(self._folder)

    def shortened(self, text: str) -> str:
        """Return a text with paths of files relative to the working folder."""
        return text.replace(self._folder, "")

    def text(self, name: str, line: int) -> str:
        """Return the line of that number, from 1, without indentation."""
        if not self._reads:
            return ""
        if name not in self._files:
            self._files[name] = source_lines(name)
        lines = self._files[name]
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""


KINDS = tuple(kind.value for kind in ValueKind)
"""The kinds of values, by number: a result of an op, an argument of a region, a result of a function."""

_LONGEST_CONSTANT = 16
"""Elements of a constant whose text is shown."""


def program_data(program: Program, sources: SourceLines) -> BareProgram:
    """Return the page's data of a program: columns by numbers of ops (parents first) and of values.

    Without locations in files the text of the program itself is the source, and is not shown a second time.
    """
    text, lines = text_and_lines(program.module, len(program.ops))
    names, types, locations, places = Interned[str](), Interned[str](), Interned[str](), Interned[tuple[str, int]]()
    around = parents(program.module)
    ops: OpColumns = {"name": [], "parent": [], "line": [], "source": [], "location": [], "operands": []}
    for number, op in enumerate(program.ops):
        position = program.position(number)
        ops["name"].append(names[op.name])
        ops["parent"].append(around[number])
        ops["line"].append(lines[number])
        ops["source"].append(places[position.file, position.line] if position.line and position.file != "-" else -1)
        ops["location"].append(locations[frontend_name(op.location)])
        ops["operands"].append([program.number_of_value(operand) for operand in op.operands])
    values: ValueColumns = {
        "name": [program.name(value) for value in program.values],
        "type": [types[value.type] for value in program.values],
        "op": [value.op for value in program.values],
        "kind": [KINDS.index(value.kind.value) for value in program.values],
        "called": [value.called if value.kind is ValueKind.ARGUMENT else "" for value in program.values],
    }
    return {
        "op_names": names.things,
        "types": types.things,
        "locations": locations.things,
        "sources": [[sources.file(file), line, sources.text(file, line)] for file, line in places.things],
        "ops": ops,
        "calls": _calls(program),
        "values": values,
        "text": text,
        "line_numbers": None,
    }


def _calls(program: Program) -> list[list[int]]:
    """Each call with the function that it calls."""
    functions = {symbol_name(op): number for number, op in enumerate(program.ops) if op.name == "func.func"}
    calls = ((number, op) for number, op in enumerate(program.ops) if op.name == "func.call")
    return [[number, functions[callee_name(op)]] for number, op in calls if callee_name(op) in functions]


def parents(module: ir.Operation) -> list[int]:
    """Return the number of the parent of each op, in pre-order; -1 for the module itself."""
    found = [-1]

    def visit(op: ir.Operation, number: int) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    found.append(number)
                    if len(inner.operation.regions):
                        visit(inner.operation, len(found) - 1)

    visit(module, 0)
    return found


def text_and_lines(module: ir.Operation, ops: int) -> tuple[str, list[int]]:
    """A module as text, with long constants cut, and the line of each of its `ops` ops, from 0; -1 for no line."""
    nowhere = [-1] * ops
    whole = sdy.print_module(module)
    shown = sdy.print_module(module, PrintOptions(elide_elements_larger_than=_LONGEST_CONSTANT))
    try:
        again = sdy.parse(whole, context=module.context).operation
    except DiagnosticError:  # what users have registered may print what it cannot read
        return shown, nowhere
    lines = [position_of(op.location).line - 1 for op in pre_order(again)]
    return shown, lines if len(lines) == ops else nowhere


LONGEST_TEXT = 8 << 20
"""Characters of a program whose whole text is shown."""

AROUND = 2
"""Lines that are kept before and behind the line of an op with collectives."""


def shorten(data: PageData) -> list[str]:
    """Shorten texts in the data of a page; add a note for each program with a shortened text."""
    notes = []
    for number, program in enumerate(data["programs"]):
        plans = [plan for plan in data["plans"] if plan["program"] == number]
        printed = [program, *(plan for plan in plans if plan["text"] is not None)]
        if _longest(printed) <= LONGEST_TEXT:
            continue
        _keep(program, printed, _lines_around_collectives(program, plans))
        is_left_out = _longest(printed) > LONGEST_TEXT or not program["line_numbers"]
        if is_left_out:
            _keep(program, printed, [])
        names = f"{', '.join(plan['name'] for plan in plans)}: " if len(data["plans"]) > 1 else ""
        what = "it is left out" if is_left_out else f"{AROUND} lines around each op with collectives are kept"
        notes.append(f"{names}the text of the program is longer than {LONGEST_TEXT:,} characters: {what}.")
    return notes


def _longest(printed: Sequence[ProgramData | PlanData]) -> int:
    return max(len(each["text"] or "") for each in printed)


def _lines_around_collectives(program: ProgramData, plans: Sequence[PlanData]) -> list[int]:
    lines = program["ops"]["line"]
    of_collectives = {lines[one["op"]] for plan in plans for one in plan["collectives"] if one["op"] >= 0} - {-1}
    return sorted({max(0, line + by) for line in of_collectives for by in range(-AROUND, AROUND + 1)})


def _keep(program: ProgramData, printed: Sequence[ProgramData | PlanData], kept: list[int]) -> None:
    """Keep only these lines in all texts of a program, and renumber the ops' lines."""
    numbers = program["line_numbers"]
    places = {line: place for place, line in enumerate(kept)}
    for each in printed:
        lines = (each["text"] or "").split("\n")
        each["text"] = "\n".join(lines[line] if line < len(lines) else "" for line in kept)
    program["line_numbers"] = [line if numbers is None else numbers[line] for line in kept]
    program["ops"]["line"] = [places.get(line, -1) for line in program["ops"]["line"]]
