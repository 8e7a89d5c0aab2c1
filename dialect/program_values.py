"""Values of a program by the names that users give them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum

from sdy.dialect.context import VARIADIC, groups_of
from sdy.dialect.op_properties import rank
from sdy.dialect.surroundings import NOWHERE, NameScopes, Surroundings, names_in, outermost
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.declared_dialects import TooManyTypes, segments_attached
from sdy.mlir.diagnostics import Position, location_parts, position_of
from sdy.mlir.functions import main_function, symbol_name
from sdy.mlir.walk import identity, pre_order
from sdy.stablehlo.idioms.loops import WHILE, loop_body

_RESULTS = re.compile(r"(?:[ \t]*,[ \t]*%[\w$.\-]+(?::\d+)?)*[ \t]*=[ \t]*(?=[\w\"])")
_RESULT = re.compile(r"(%[\w$.\-]+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Definition:
    """Position of a definition: `line` and `column` from 1; `results` are the results under an op's name."""

    line: int
    column: int
    results: range | None


def definitions(text: str, name: str) -> Iterator[Definition]:
    """Return all positions where the text may define `name`; comments and strings count, but match no value."""
    for found in re.finditer(rf"{re.escape(name)}(?![\w$.\-])", text):
        line_start = text.rfind("\n", 0, found.start()) + 1
        line = text.count("\n", 0, line_start) + 1
        rest = _RESULTS.match(text, found.end()) or _RESULTS.match(text, _behind_count(text, found.end()))
        if rest is None:
            yield Definition(line, found.start() - line_start + 1, None)
        else:
            left = text[line_start : rest.end()]
            yield Definition(line, rest.end() - line_start + 1, _numbers(left, name))


def _behind_count(text: str, position: int) -> int:
    """Return the offset behind the ``:2`` of a name with several results."""
    count = re.compile(r":\d+").match(text, position)
    return position if count is None else count.end()


def _numbers(left: str, name: str) -> range:
    """Return the result numbers of `name` on the left of a ``=``."""
    number = 0
    for found in _RESULT.finditer(left):
        count = int(found[2] or 1)
        if found[1] == name:
            return range(number, number + count)
        number += count
    return range(0)


def printed_names(module: ir.Operation) -> ir.AsmState:
    """Return the state with which `value.get_name` gives the names of `sdy.print_module`.

    The bindings name the values of an unverifiable module as in generic form. So the module is made verifiable while
    names are read.
    """
    try:
        with segments_attached(module, VARIADIC, groups_of(module.context)):
            return ir.AsmState(module)
    except TooManyTypes:
        return ir.AsmState(module)


_NUMBER = re.compile(r'"sdy#(\d+)"')


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the program for messages: its description and position."""

    what: str
    location: str

    def __str__(self) -> str:
        return f"{self.what} ({self.location})"


class ValueKind(Enum):
    """Relation of a value to its op; OUTPUT is a result of a function."""

    RESULT = "result"
    ARGUMENT = "argument"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class ProgramValue:
    """A value of the program: number `index` of that kind of op number `op` (in pre-order).

    `name` is the printed name, for a result of a function a readable one. `positions` are all file positions in its
    location, and `called` is the frontend's name of it or its op. `number` is its position among the values of the
    program: values of sibling regions may share a name, but not a number.
    """

    op: int
    kind: ValueKind
    index: int
    name: str
    function: str
    what: Place
    type: str
    rank: int
    positions: tuple[Position, ...]
    called: str = ""
    number: int = -1


class SelectorError(ValueError):
    """An invalid selector, or one that matches nothing."""


class Program:
    """The ops and values of a module as the user wrote it.

    `filename` stands for a text without a name (``-``), `text` is the module's source text, if it was parsed.
    """

    def __init__(self, module: ir.Operation, filename: str, text: str = "") -> None:
        self._filename = filename
        self.text = text
        self.module = module
        self.ops: list[ir.Operation] = pre_order(module)
        self._op_numbers = {identity(op): number for number, op in enumerate(self.ops)}
        self.main = main_name(module)
        self._surroundings = NameScopes(module, self.main)
        self._numbers: dict[int, int] = {}
        self.values: list[ProgramValue] = []
        self._first: dict[tuple[int, ValueKind], int] = {}
        for value, found in self._find_values():
            self._first.setdefault((found.op, found.kind), len(self.values))
            if value is not None:
                self._numbers[address(value)] = len(self.values)
            self.values.append(replace(found, number=len(self.values)))

    def number_of_op(self, op: ir.Operation) -> int:
        """The number of an op of the module in `ops`."""
        return self._op_numbers[identity(op)]

    def number_of_value(self, value: ir.Value) -> int:
        """Return the unique number of a value of the module in `values`; names may not be unique."""
        return self._numbers[address(value)]

    def value_of(self, value: ir.Value) -> ProgramValue:
        """The value of the program that a value of the module is."""
        return self.values[self.number_of_value(value)]

    def value_at(self, op: int, kind: ValueKind, index: int) -> ProgramValue:
        """The value with that index of its kind of op number `op`."""
        return self.values[self._first[op, kind] + index]

    def tag(self, copy: ir.Operation) -> None:
        """Numbers the ops of a copy of the module, and the variables of its loops."""
        for number, op in enumerate(pre_order(copy)):
            op.location = ir.Location.name(f"sdy#{number}", op.location)
            if op.name == WHILE:
                for index, argument in enumerate(loop_body(op).arguments):
                    argument.set_location(ir.Location.name(f"sdy#{index}", argument.location))

    def number_of(self, op: ir.Operation) -> int | None:
        """The op of the program that an op of the tagged copy was, or was made for."""
        found = _NUMBER.search(str(op.location))
        return int(found[1]) if found else None

    def variables_of(self, loop: ir.Operation) -> list[int | None]:
        """Map each variable of a loop of the tagged copy to its number in the loop of the program."""
        found = [_NUMBER.search(str(argument.location)) for argument in loop_body(loop).arguments]
        return [None if each is None else int(each[1]) for each in found]

    def location(self, number: int | None) -> str:
        """Return the location of an op of the program as text for readers."""
        if number is None:
            return "unknown"
        op = self.ops[number]
        return self._location(op.location, self._filename, self._surroundings.of(op))

    def position(self, number: int) -> Position:
        """Return the file position of an op of the program, or that of its surroundings."""
        op = self.ops[number]
        return self._surroundings.of(op).place_of(position_of(op.location))

    def name(self, value: ProgramValue) -> str:
        """The name of a value, preceded by its function's name unless that is the main one."""
        is_clear = value.function == self.main or not value.name.startswith("%")
        return value.name if is_clear else f"@{value.function}:{value.name}"

    # Values --------------------------------------------------------------------------------------

    def _find_values(self) -> Iterator[tuple[ir.Value | None, ProgramValue]]:
        state = printed_names(self.module)
        function, file = "", self._filename
        for number, op in enumerate(self.ops):
            if op.name == "func.func":
                function = symbol_name(op)
                file = next((position.file for position in self._positions(op.location, file)), file)
            for index, result in enumerate(op.results):
                name = result.get_name(state)
                yield result, self._value(number, ValueKind.RESULT, index, result, name, function, file)
            arguments = [argument for region in op.regions for block in region.blocks for argument in block.arguments]
            for index, argument in enumerate(arguments):
                name = argument.get_name(state)
                yield argument, self._value(number, ValueKind.ARGUMENT, index, argument, name, function, file)
            if op.name == "func.func":
                yield from ((None, output) for output in self._outputs(number, op, function, file))

    def _value(
        self, op: int, kind: ValueKind, index: int, value: ir.Value, name: str, function: str, file: str
    ) -> ProgramValue:
        owner = self.ops[op]
        if kind is ValueKind.RESULT:
            what = owner.name if len(owner.results) == 1 else f"result {index} of {owner.name}"
        elif owner.name == "func.func":
            what = f"argument {index} of @{function}"
        else:
            what = f"block argument {index} of {owner.name}"
        location = value.location if kind is ValueKind.ARGUMENT else owner.location
        is_inner = kind is ValueKind.RESULT or owner.name != "func.func"
        around = self._surroundings.of(owner) if is_inner else NOWHERE
        positions = self._positions(location, file) or ((around.place,) if around.place.line else ())
        return ProgramValue(
            op,
            kind,
            index,
            name,
            function,
            Place(what, self._location(location, file, around)),
            str(value.type),
            rank(value.type),
            positions,
            around.path_of(_called(location)),
        )

    def _outputs(self, op: int, func: ir.Operation, function: str, file: str) -> Iterator[ProgramValue]:
        for index, type_ in enumerate(func.attributes["function_type"].value.results):
            what = f"result {index} of @{function}"
            called = _result_info(func, index)
            place = Place(what, f'"{called}"' if called else self._location(func.location, file))
            positions = self._positions(func.location, file)
            kind, type_text = ValueKind.OUTPUT, str(type_)
            yield ProgramValue(op, kind, index, what, function, place, type_text, rank(type_), positions, called)

    # Locations -----------------------------------------------------------------------------------

    def _positions(self, location: ir.Location, file: str) -> tuple[Position, ...]:
        found = (part for part in location_parts(location) if isinstance(part, Position))
        return tuple(replace(one, file=file) if one.file == "-" else one for one in found)

    def _location(self, location: ir.Location, file: str, around: Surroundings = NOWHERE) -> str:
        """The name that a frontend gave, and the first position in a file."""
        named = around.path_of(_called(location))
        position = next(iter(self._positions(location, file)), around.place if around.place.line else None)
        parts = ([f'"{named}"'] if named else []) + ([str(position)] if position else [])
        return " ".join(parts) or "unknown"


def _called(location: ir.Location) -> str:
    names = names_in(location_parts(location))
    return outermost(names) if names else ""


def _result_info(func: ir.Operation, index: int) -> str:
    """Return JAX's name of a function result: ``result['w']``."""
    if "res_attrs" not in func.attributes:
        return ""
    found = func.attributes["res_attrs"][index]
    return found["jax.result_info"].value if "jax.result_info" in found else ""


def main_name(module: ir.Operation) -> str | None:
    """The name of the main function; None in a module without functions."""
    functions = [op.operation for op in module.regions[0].blocks[0].operations if op.operation.name == "func.func"]
    return symbol_name(main_function(module)) if functions else None


# Selectors -------------------------------------------------------------------------------------------

_FUNCTION = r"(?:@(?P<function>[^:]+):)?"
_NUMBERED = re.compile(_FUNCTION + r"(?P<kind>argument|result):(?P<index>\d+)")
_SSA = re.compile(_FUNCTION + r"(?P<name>%[\w$.\-]+)(?:#(?P<index>\d+))?")
_POSITION = re.compile(r"(?:(?P<file>.+?):)??(?P<line>\d+)(?::(?P<column>\d+))?")

SELECTORS = (
    "'all', 'argument:N', 'result:N', '%NAME', each of these two kinds after '@FUNCTION:' if not of the main "
    "function, '[FILE:]LINE[:COLUMN]', or what the frontend calls an argument or an op, with '*' and '?' for any text"
)
"""The selectors in words."""


def select(program: Program, selector: str) -> list[ProgramValue]:
    """The values of the program that a selector means, in program order.

    ``all``; ``argument:0`` and ``result:0`` of the main function; ``%3`` or ``%3#1`` as in the printed module, or
    ``%w`` as in its source text; both after ``@f:`` for another function; ``file.mlir:12`` or ``file.mlir:12:5``, with
    or without the file; the frontend's name of an argument or an op, as in ``params['layers'][0]``; such names with the
    wildcards ``*`` (any text) and ``?`` (any letter), as in ``jit(loss)/*/dot_general``.

    Raises `SelectorError` for anything else, and if there is no such value.
    """
    if selector == "all":
        return [value for value in program.values if value.rank]
    if found := _NUMBERED.fullmatch(selector):
        chosen = _numbered(program, found)
    elif found := _SSA.fullmatch(selector):
        chosen = _named(program, found)
    elif found := _POSITION.fullmatch(selector):
        chosen = _positioned(program, found)
    elif not (chosen := _of_frontend(program, selector)):
        hint = _hint(program, selector) or _nearest(program, selector)
        raise SelectorError(
            f"'{selector}' selects nothing{hint}{'' if hint.endswith('?') else ':'} expected {SELECTORS}"
        )
    if not chosen:
        found_instead = _nearest(program, selector) or _arguments(program)
        raise SelectorError(f"the program has no value '{selector}'{found_instead}")
    return chosen


def _hint(program: Program, selector: str) -> str:
    """Return names that contain the selector, for "did you mean"."""
    number = sum(selector in value.called for value in program.values) if selector else 0
    return f" (but '*{selector}*' {number})" if number else ""


def _nearest(program: Program, selector: str) -> str:
    """Return ``, did you mean '...'?`` with the name of a value that looks like the selector, or nothing."""
    values = [name for value in program.values for name in (value.name, value.called) if name]
    names = dict.fromkeys([*re.findall(r"%[A-Za-z_$.\-][\w$.\-]*", program.text), *values])
    close = difflib.get_close_matches(selector, names, 1, 0.6)
    return f", did you mean '{close[0]}'?" if close else ""


def _arguments(program: Program, most: int = 8) -> str:
    """Return ``; @main has the arguments ...``."""
    values = _of_function(program, None)
    found = [v for v in values if v.kind is ValueKind.ARGUMENT and program.ops[v.op].name == "func.func"]
    shown = [value.called or value.name for value in found[:most]] + ["..."] * (len(found) > most)
    return f"; @{program.main} has the arguments {', '.join(shown)}" if shown else ""


def _numbered(program: Program, found: re.Match[str]) -> list[ProgramValue]:
    kind = ValueKind.ARGUMENT if found["kind"] == "argument" else ValueKind.OUTPUT
    return [
        value
        for value in _of_function(program, found["function"])
        if value.kind is kind and value.index == int(found["index"]) and program.ops[value.op].name == "func.func"
    ]


def _named(program: Program, found: re.Match[str]) -> list[ProgramValue]:
    """Return the values of that name; all results of an op if the name has no number."""
    wanted, index = found["name"], found["index"]

    def matches(name: str) -> bool:
        return name == f"{wanted}#{index}" if index is not None else name.partition("#")[0] == wanted

    values = _of_function(program, found["function"])
    return [value for value in values if matches(value.name)] or _as_in_text(program, values, wanted, index)


def _as_in_text(program: Program, values: Sequence[ProgramValue], name: str, index: str | None) -> list[ProgramValue]:
    """Values that the user's text calls `name`; or that the frontend does, without the sign."""
    found = []
    for one in definitions(program.text, name):
        kind = ValueKind.ARGUMENT if one.results is None else ValueKind.RESULT
        numbers = None if one.results is None else one.results[int(index) :][:1] if index else one.results
        found += [
            value
            for value in values
            if value.kind is kind
            and (numbers is None or value.index in numbers)
            and any((each.line, each.column) == (one.line, one.column) for each in value.positions)
        ]
    return found or [value for value in values if value.called == name[1:] and value.kind is ValueKind.ARGUMENT]


def _of_frontend(program: Program, selector: str) -> list[ProgramValue]:
    """Return the values with that frontend name, or whose names match the selector with wildcards."""
    exact = [value for value in program.values if value.called and value.called == selector]
    if exact or not ("*" in selector or "?" in selector):
        return exact
    pattern = re.compile("".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in selector))
    return [value for value in program.values if value.called and pattern.fullmatch(value.called)]


def _of_function(program: Program, function: str | None) -> Sequence[ProgramValue]:
    name = function if function is not None else program.main
    return [value for value in program.values if value.function == name]


def _positioned(program: Program, found: re.Match[str]) -> list[ProgramValue]:
    """Return the values of ops at that position; the end of a path is enough to name the file."""
    file, line = found["file"], int(found["line"])
    column = None if found["column"] is None else int(found["column"])

    def matches(position: Position) -> bool:
        if file is not None and position.file != file and not position.file.endswith(f"/{file}"):
            return False
        return position.line == line and column in (None, position.column)

    return [value for value in program.values if any(map(matches, value.positions))]
