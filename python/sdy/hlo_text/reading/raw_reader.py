"""Reader of HLO text as it is written (spec: async, 2.2, 9.2)."""

from __future__ import annotations

import re
from dataclasses import field

from sdy.hlo_text.opcodes import CALLING, CONTROL, LITERAL_OPCODES
from sdy.hlo_text.reading.scanning import DEEPEST, NAME, Scanner, ShapeReader
from sdy.hlo_text.shape import PRIMITIVE_TYPES, Shape
from sdy.lazy_dataclass import dataclass


@dataclass(slots=True)
class RawOperand:
    """An operand: a name, perhaps behind a shape, or a whole instruction.

    `path` selects an element of a tuple, as in ``%a#0``.
    """

    name: str
    shape: Shape | None
    offset: int
    nested: RawInstruction | None = None
    path: tuple[int, ...] = ()


@dataclass(slots=True)
class RawAttribute:
    """An attribute; if it names computations, `computations` has them, by name or as written in braces."""

    key: str
    value: str
    offset: int
    computations: list[str | RawComputation] | None = None


@dataclass(slots=True)
class RawInstruction:
    """An instruction as it is written."""

    name: str
    shape: Shape
    opcode: str
    operands: list[RawOperand]
    literal: str
    attributes: list[RawAttribute]
    is_root: bool
    offset: int

    def attribute(self, key: str) -> RawAttribute | None:
        return next((each for each in self.attributes if each.key == key), None)


@dataclass(slots=True)
class RawComputation:
    """A computation as it is written; one in braces gets its name later."""

    name: str
    instructions: list[RawInstruction]
    offset: int
    signature: str = ""
    attributes: list[RawAttribute] = field(default_factory=list)
    is_entry: bool = False

    @property
    def root(self) -> RawInstruction:
        return next((each for each in self.instructions if each.is_root), self.instructions[-1])


@dataclass(slots=True)
class RawModule:
    """A module as it is written; `loose` are instructions outside of all computations."""

    name: str
    attributes: list[RawAttribute]
    tables: str
    computations: list[RawComputation]
    loose: list[RawInstruction]


_MODULE = re.compile(r"HloModule\s+([\w.\-]+)", re.ASCII)
_TABLE = re.compile(
    r"\s*(?:FileNames|FunctionNames|FileLocations|StackFrames)[ \t]*\r?\n(?:[ \t]*\d+[ \t][^\n]*(?:\n|$))*", re.ASCII
)
_COMPUTATION = re.compile(rf"(ENTRY\s+)?({NAME})\s*(?=[({{])", re.ASCII)
_INSTRUCTION = re.compile(rf"(ROOT\s+)?({NAME})\s*=\s*", re.ASCII)
_OPCODE = re.compile(r"\s*([A-Za-z_][\w\-]*)\s*\(", re.ASCII)
_ATTRIBUTE = re.compile(r"\s*,\s*([A-Za-z_][\w\-]*)\s*=\s*", re.ASCII)
_ELEMENT = re.compile(rf"({NAME})((?:#\d{{1,9}})+)", re.ASCII)
_ONE_NAME = re.compile(NAME, re.ASCII)


class RawReader:
    """Reads one text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.scanner = Scanner(text)
        self._text = self.scanner.text
        self._shapes = ShapeReader(self.scanner)

    def module(self) -> RawModule:
        text, scanner = self._text, self.scanner
        at = scanner.skip(0)
        header = _MODULE.match(text, at)
        name, attributes, tables = "module", [], ""
        if header:
            name = header[1]
            attributes, at = self._attributes(header.end(), 0)
        elif text.startswith("HloModule", at):
            raise scanner.error("expected a name behind 'HloModule'", at)
        while table := _TABLE.match(text, at):
            tables += table[0].strip() + "\n\n"
            at = table.end()
        result = RawModule(name, attributes, tables, [], [])
        at = scanner.skip(at)
        while at < len(text):
            match = _COMPUTATION.match(text, at)
            if match:
                computation, at = self._computation(match)
                result.computations.append(computation)
            else:
                instruction, at = self._instruction(at, 0)
                result.loose.append(instruction)
            at = scanner.skip(at)
        if not result.computations and not result.loose:
            raise scanner.error("expected a computation", min(at, len(text)))
        return result

    # Computations --------------------------------------------------------------------------------

    def _computation(self, match: re.Match[str]) -> tuple[RawComputation, int]:
        text, scanner = self._text, self.scanner
        begin = at = match.end()
        if text[at] == "(":
            at = scanner.skip(scanner.closing(at) + 1)
            if not text.startswith("->", at):
                raise scanner.error(f"expected '->' in the signature of a computation, found {scanner.found(at)}", at)
            _, at = self._shapes.read(scanner.skip(at + 2))
            at = scanner.skip(at)
        if not text.startswith("{", at):
            raise scanner.error(
                f"expected '{{' before the instructions of a computation, found {scanner.found(at)}", at
            )
        signature = " ".join(text[begin:at].split())
        instructions, at = self._body(at, 0)
        attributes, at = self._attributes(at, 0)
        name = match[2].lstrip("%")
        return RawComputation(name, instructions, match.start(2), signature, attributes, bool(match[1])), at

    def _body(self, brace: int, depth: int) -> tuple[list[RawInstruction], int]:
        """The instructions between braces, and the place behind these."""
        text, scanner = self._text, self.scanner
        if depth > DEEPEST:
            raise scanner.error(f"computations are nested more than {DEEPEST} deep", brace)
        found: list[RawInstruction] = []
        at = scanner.skip(brace + 1)
        while not text.startswith("}", at):
            if at >= len(text):
                raise scanner.error("this computation does not end", brace)
            instruction, at = self._instruction(at, depth)
            found.append(instruction)
            at = scanner.skip(at)
        if not found:
            raise scanner.error("a computation has at least one instruction", brace)
        return found, at + 1

    # Instructions --------------------------------------------------------------------------------

    def _instruction(self, at: int, depth: int) -> tuple[RawInstruction, int]:
        match = _INSTRUCTION.match(self._text, at)
        if match is None:
            raise self.scanner.error(f"expected an instruction, found {self.scanner.found(at)}", at)
        name = self._name(match[2], match.start(2))
        instruction, at = self._right_side(match.end(), name, match.start(2), depth)
        instruction.is_root = bool(match[1])
        instruction.attributes, at = self._attributes(at, depth)
        return instruction, at

    def _name(self, text: str, offset: int) -> str:
        name = text[1:] if text[0] == "%" else text
        if name in PRIMITIVE_TYPES:
            raise self.scanner.error(f"'{name}' is an element type, and no name for an instruction", offset)
        return name

    def _right_side(self, at: int, name: str, offset: int, depth: int) -> tuple[RawInstruction, int]:
        """Read ``SHAPE OPCODE(...)`` up to the attributes."""
        text, scanner = self._text, self.scanner
        shape, at = self._shapes.read(at)
        match = _OPCODE.match(text, at)
        if match is None:
            at = scanner.skip(at)
            raise scanner.error(f"expected an opcode and '(', found {scanner.found(at)}", at)
        opcode, begin = match[1], match.end()
        end = scanner.closing(begin - 1)
        operands, literal = [], ""
        if opcode in LITERAL_OPCODES:
            literal = " ".join(text[begin:end].split())
            if opcode == "parameter" and not (literal.isdecimal() and literal.isascii() and len(literal) < 10):
                raise scanner.error(f"'{literal}' is not a parameter number", begin)
        else:
            operands = self._operands(begin, end, depth)
        return RawInstruction(name, shape, opcode, operands, literal, [], False, offset), end + 1

    def _operands(self, begin: int, end: int, depth: int) -> list[RawOperand]:
        return [self._operand(first, last, depth) for first, last in self.scanner.split(begin, end)]

    def _operand(self, begin: int, end: int, depth: int) -> RawOperand:
        text, scanner = self._text, self.scanner
        written = text[begin:end]
        if _ONE_NAME.fullmatch(written):
            return RawOperand(written[1:] if written[0] == "%" else written, None, begin)
        if element := _ELEMENT.fullmatch(written):
            return _element(element, None, begin)
        if not self._shapes.can_begin(begin):
            raise scanner.error(f"expected an operand, found {scanner.found(begin)}", begin)
        shape, at = self._shapes.read(begin)
        at = scanner.skip(at)
        if _ONE_NAME.fullmatch(text, at, end):
            return RawOperand(text[at:end].lstrip("%"), shape, begin)
        if element := _ELEMENT.fullmatch(text, at, end):
            return _element(element, shape, begin)
        if depth > DEEPEST:
            raise scanner.error(f"instructions are nested more than {DEEPEST} deep", begin)
        nested, at = self._right_side(begin, "", begin, depth + 1)
        if scanner.skip(at) < end:
            raise scanner.error(f"expected ',' or ')' behind an operand, found {scanner.found(at)}", at)
        return RawOperand("", None, begin, nested)

    # Attributes ----------------------------------------------------------------------------------

    def _attributes(self, at: int, depth: int) -> tuple[list[RawAttribute], int]:
        found: list[RawAttribute] = []
        while match := _ATTRIBUTE.match(self._text, at):
            attribute, at = self._attribute(match, depth)
            before = next((each for each in found if each.key == attribute.key), None)
            if before is None:
                found.append(attribute)
            elif _bare(before.value) != _bare(attribute.value) or attribute.computations:
                raise self.scanner.error(f"attribute '{attribute.key}' stands here twice", match.start(1))
        comma = self.scanner.skip(at)
        if self._text.startswith(",", comma):
            raise self.scanner.error("expected an attribute, as in 'name=value', behind ','", comma)
        return found, at

    def _attribute(self, match: re.Match[str], depth: int) -> tuple[RawAttribute, int]:
        scanner, key, begin = self.scanner, match[1], match.end()
        if key in CALLING:
            computations, end = self._computations(begin, depth)
            if computations:
                return RawAttribute(key, self._text[begin:end], begin, computations), end
        end = scanner.value_end(begin)
        value = self._text[begin:end].strip()
        if not value:
            raise scanner.error(f"attribute '{key}' has no value", match.start(1))
        if key == CONTROL:
            value = self._name_list(value, begin)
        return RawAttribute(key, value, begin), end

    def _name_list(self, value: str, at: int) -> str:
        names = value[1:-1].split(",") if value[0] == "{" and value[-1] == "}" else [value]
        names = [name.strip() for name in names if name.strip()]
        if not all(_ONE_NAME.fullmatch(name) for name in names):
            raise self.scanner.error("expected names of instructions in braces", at)
        return f"{{{', '.join('%' + name.lstrip('%') for name in names)}}}"

    def _computations(self, at: int, depth: int) -> tuple[list[str | RawComputation], int]:
        """Read a name, a computation in braces, or a list of both in braces; nothing for other text."""
        text = self._text
        if not text.startswith("{", at):
            match = _ONE_NAME.match(text, at)
            return ([match[0].lstrip("%")], match.end()) if match else ([], at)
        inside = self.scanner.skip(at + 1)
        if _INSTRUCTION.match(text, inside):
            return self._in_braces(at, depth)
        found: list[str | RawComputation] = []
        end = self.scanner.closing(at)
        for begin, last in self.scanner.split(at + 1, end):
            if text[begin] == "{":
                found += self._in_braces(begin, depth)[0]
            elif _ONE_NAME.fullmatch(text, begin, last):
                found.append(text[begin:last].lstrip("%"))
            else:
                return [], at
        return found, end + 1

    def _in_braces(self, at: int, depth: int) -> tuple[list[str | RawComputation], int]:
        instructions, end = self._body(at, depth + 1)
        return [RawComputation("", instructions, at)], end


def _element(match: re.Match[str], shape: Shape | None, offset: int) -> RawOperand:
    path = tuple(map(int, match[2].split("#")[1:]))
    return RawOperand(match[1].lstrip("%"), shape, offset, path=path)


def _bare(value: str) -> str:
    return "".join(value.split())


def read_raw(text: str) -> tuple[RawModule, Scanner]:
    """Read an HLO text as it is written.

    Raises:
      HloSyntaxError: it is no HLO.
    """
    reader = RawReader(text)
    return reader.module(), reader.scanner
