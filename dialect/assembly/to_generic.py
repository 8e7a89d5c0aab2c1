"""From the dialect's own syntax to text that the upstream parser reads.

Upstream knows an IRDL dialect's ops and attributes in their generic form only. The text is searched for `sdy`; what is
found outside of strings and comments is an attribute (``#sdy.sharding<...>``), an op (``sdy.reshard ...``), an op in
generic form (``"sdy.reshard"(...)``) or an attribute's name. Everything else stays as it is, and so do line numbers.

An IRDL attribute is slow to parse, and a program repeats a few of them thousands of times: each distinct one is
defined once, as an alias in front of the first line, and referred to by that alias.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from sdy.dialect.assembly.attribute_grammar import GRAMMAR, stripped_shardings
from sdy.dialect.assembly.formats import (
    Attribute,
    AttributeDictionary,
    Element,
    Enumeration,
    Format,
    FunctionalType,
    Literal,
    Operands,
    Optional,
    Region,
    Types,
    formats,
)
from sdy.dialect.assembly.positions import Piece
from sdy.dialect.assembly.reader import AssemblyError, Reader
from sdy.dialect.attributes import irdl_text
from sdy.dialect.ops import VARIADIC
from sdy.dialect.variadic import OPERAND_SEGMENTS, RESULT_SEGMENTS, TooManyTypes, padded, runs

# Names of attributes in dictionaries, ``sdy.sharding = ``, are what there is most of and need nothing done.
_FIND = re.compile(r"sdy(?:<|\.(?!\w+ ?=))")
_LEXEME = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"|//[^\n]*')
_BODY = re.compile(
    r'<(?:[^<>"\-]++|->|-|"(?:[^"\\\n]++|\\.)*+"|<(?:[^<>"\-]++|->|-|"(?:[^"\\\n]++|\\.)*+"|<[^<>"]*+>)*+>)*+>'
)
_ATTRIBUTE = re.compile(rf"sdy\.\w+{_BODY.pattern}")
_OP_FOLLOWS = re.compile(r'[%\w]\s*=\s*"?[a-z]\w*[.\s]|(?:^|[\s{}])(?:return|call|[a-z_]\w*\.\w[\w.]*)\s+[%@"(]|"\(')
_FUNC_OP = re.compile(r"(?:^|[={}])[ \t]*(return|call|call_indirect)(?![\w.$]|[ \t]*=)", re.MULTILINE)
_SHAPED_TYPE = re.compile(r"(tensor|memref|vector)\s*<\s*(\*)?")
_NAME = re.compile(r"[\w$]+")
_WITH_DEFAULTS = {
    name: names
    for name, format_ in formats().items()
    if (names := [each.name for each in format_.elements if isinstance(each, Enumeration) and each.has_default])
}
"""The enumerations that ops may leave out in generic form, by name of the op."""

_ENTRY = "sdy_entry"
"""The label of the block that computations have; other blocks may have labels of their own."""

STOP = "`"
"""A character that no token starts with."""

_ALIAS_OF_ELEMENTS = r"^[ \t]*{}[ \t]*=[ \t]*"


@dataclass(slots=True)
class Translation:
    """The result: pieces of text, whether some op may have moved within its line, and whether ops have segments.

    Segments (see `sdy.dialect.variadic`) are for the parser's verifier alone and have to be removed from the ops. With
    an `error`, the pieces are what comes before it; they end with a character that the parser refuses.
    """

    pieces: list[Piece]
    moved: bool
    segmented: bool
    error: AssemblyError | None = None


def translate(text: str, groups: int) -> Translation:
    """`text` in the form that the upstream parser reads, in a context with `groups` groups.

    Raises:
      TooManyTypes: an op needs more groups.
    """
    translator = _Translator(text, groups)
    error = None
    try:
        translator.range(0, len(text))
    except AssemblyError as raised:
        error = translator.stop(raised)
    if translator.groups_needed > groups and error is None:
        raise TooManyTypes(translator.groups_needed)
    prologue = " ".join(f"{alias} = {body}" for body, alias in translator.aliases.items())
    pieces = [(prologue + " ", 0, 0), *translator.pieces] if prologue else translator.pieces
    moved = translator.moved or (bool(prologue) and _ops_on_first_line(text))
    return Translation(pieces, moved, translator.groups_needed > 0, error)


def _ops_on_first_line(text: str) -> bool:
    """Whether ops other than the module itself start on the first line."""
    first = text[: text.find("\n")] if "\n" in text else text
    code = first.split("//")[0].strip()
    return bool(code) and not (code.startswith("module") and code.endswith("{") and code.count("{") <= 2)


@dataclass(slots=True)
class _Op:
    """What was read of one op, by extent in the text."""

    start: int
    operands: list[tuple[int, int]] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)
    dictionary: tuple[int, int] | None = None
    types: list[tuple[int, int]] = field(default_factory=list)
    types_at: int = 0
    """The end of what stands in front of the types."""
    functional_type: tuple[int, int] | None = None
    arguments: list[tuple[tuple[int, int], tuple[int, int], tuple[int, int] | None]] = field(default_factory=list)
    body: tuple[int, int] | None = None
    constant: tuple[int, int] | None = None


@dataclass(slots=True)
class _GenericOp:
    """The parts of an op in generic form, by extent; `operands` includes successors."""

    operands: tuple[int, int]
    properties: tuple[int, int] | None = None
    region: tuple[int, int] | None = None
    dictionary: tuple[int, int] | None = None
    segments: list[tuple[str, str]] = field(default_factory=list)
    end: int = 0


class _Translator:
    def __init__(self, text: str, groups: int) -> None:
        self.text = text
        self.groups = groups
        self.groups_needed = 0
        self.pieces: list[Piece] = []
        self.aliases: dict[str, str] = {}
        self.known: dict[tuple[str, str], str] = {}
        self.standalone: dict[str, str] = {}
        self.moved = False
        self.prefix = "#sdy"
        while f"{self.prefix}0" in text:
            self.prefix += "_"
        self.formats = formats()

    # Scanning ------------------------------------------------------------------------------------

    def range(self, start: int, end: int) -> None:
        """Translates the text from `start`, which is not inside a string or comment, to `end`."""
        text, position, copied = self.text, start, start
        for found in _FIND.finditer(text, start, end):
            at = found.start()
            if at < position:
                continue
            before = text[at - 1] if at else "\n"
            if before.isalnum() or before in "_.$@%^!" or (before == '"' and not self._is_quoted_op(at)):
                continue
            if text.find('"', position, at) >= 0 or text.find("//", position, at) >= 0:
                position, inside = self._lex(position, at)
                if inside and before != '"':
                    continue
            else:
                position = at
            try:
                if before == "#":
                    edited = self._attribute(copied, at - 1, found.end())
                elif before == '"':
                    edited = self._generic_op(copied, at - 1)
                else:
                    edited = self._bare(copied, at)
            except AssemblyError as error:
                if not error.is_placed:
                    begin = at - (before in '#"')
                    self._copy(copied, begin)
                    error.is_placed, error.stub = True, ("unit " if before == "#" else '"func.return"() ', begin)
                raise
            if edited is not None:
                if copied > start:
                    self._watch(copied, at, before != "#")
                position = copied = edited
        if copied > start:
            self._watch(copied, end, False)
        self._copy(copied, end)

    def stop(self, error: AssemblyError) -> AssemblyError:
        """Ends the translation at an error, or at another one that upstream would come to first."""
        if error.instead is not None:
            text, start = error.instead
            self._put(text, start)
            if error.is_raw:
                self._copy(start, len(self.text))
            else:
                try:
                    self.range(start, error.end or len(self.text))
                except AssemblyError as inner:
                    return self.stop(inner)
            if error.end is None:
                return error
        else:
            self._put(*error.stub)
        self._put(STOP, error.seen)
        return error

    def _watch(self, edited: int, at: int, is_op: bool) -> None:
        """Notes whether an op stands behind the edit that ended at `edited`, on its line, up to the edit at `at`."""
        if self.moved:
            return
        line_end = self.text.find("\n", edited, at)
        if line_end < 0:
            line_end = at
            self.moved = is_op
        self.moved = self.moved or _OP_FOLLOWS.search(self.text, edited, line_end) is not None

    def _lex(self, start: int, at: int) -> tuple[int, bool]:
        """Where to lex on from, and whether `at` is inside a string or comment; `start` is not."""
        text = self.text
        for lexeme in _LEXEME.finditer(text, start):
            if lexeme.start() >= at:
                break
            if lexeme.end() > at:
                return lexeme.start(), True
            start = lexeme.end()
        return start, False

    def _is_quoted_op(self, at: int) -> bool:
        """Whether the string that starts before `at` is an op's name in generic form."""
        name = _NAME.match(self.text, at + 4)
        end = name.end() if name is not None else at
        is_op = self.text[at:end] in self.formats and self.text.startswith('"', end)
        return is_op and Reader(self.text, end + 1).peek("(")

    # Attributes ----------------------------------------------------------------------------------

    def _attribute(self, copied: int, start: int, after: int) -> int:
        """``#sdy.NAME<...>`` or ``#sdy<NAME...>`` at `start`; returns its end."""
        text = self.text
        raw = _ATTRIBUTE.match(text, start + 1)
        if raw is not None:
            known = self.standalone.get(raw[0])
            if known is not None:
                self._copy(copied, start)
                self.pieces.append((known, start, raw.end()))
                if text[raw.end() : raw.end() + 1].isalnum():
                    self._put(" ", raw.end())
                return raw.end()
        reader = Reader(text, after)
        wrapped = text[after - 1] == "<"
        name_at = reader.skip() if wrapped else after
        name = _NAME.match(text, name_at)
        if name is None or name[0] not in GRAMMAR:
            got = f"'{name[0]}'" if name else "nothing"
            raise AssemblyError(start, f"expected the name of an sdy attribute, got {got}")
        try:
            alias, end = self._body(name[0], name.end())
        except AssemblyError as error:
            if not _is_balanced(text, after - 1 if wrapped else name.end()):
                error.is_upstreams, error.instead, error.is_raw = True, ("", start), True
            raise
        if wrapped:
            # As in the reference, nobody looks at what may stand behind the body.
            reader.pos = after - 1
            end = reader.balanced()[1]
        self._copy(copied, start)
        alias += "\n" * text.count("\n", start, end)
        if _NAME.match(text, end):
            alias += " "  # lest the two become one word
        self.pieces.append((alias, start, end))
        if raw is not None and raw.end() == end:
            self.standalone[raw[0]] = alias
        return end

    def _body(self, kind: str, start: int) -> tuple[str, int]:
        """The alias of the stripped attribute behind `start`, and where it ends."""
        reader = Reader(self.text, start)
        raw = _BODY.match(self.text, reader.ahead())
        if raw is not None:
            alias = self.known.get((kind, raw[0]))
            if alias is not None:
                return alias, raw.end()
        read = stripped_shardings if kind == "stripped_shardings" else GRAMMAR[kind]
        alias = self._alias(irdl_text(read(reader)))
        if raw is not None and raw.end() == reader.pos:
            self.known[kind, raw[0]] = alias
        return alias, reader.pos

    def _alias(self, body: str) -> str:
        return self.aliases.setdefault(body, f"{self.prefix}{len(self.aliases)}")

    # Ops -----------------------------------------------------------------------------------------

    def _bare(self, copied: int, start: int) -> int | None:
        """``sdy.NAME`` at `start`: an op, or the name of an attribute (then None)."""
        name = _NAME.match(self.text, start + 4)
        op_name = self.text[start : name.end()] if name else ""
        if name is None:
            return None
        reader = Reader(self.text, name.end())
        following = self.text[reader.ahead() : reader.ahead() + 1]
        if following in ("=", ",") or (following == "}" and self._in_dictionary(start)):
            return None
        format_ = self.formats.get(op_name)
        if format_ is None:
            if self._starts_op(start):
                raise AssemblyError(start, f"unknown op '{op_name}'")
            return None
        if op_name == "sdy.constant" and following == "(":
            return self._generic_op(copied, start, bare_name=op_name)
        op = _Op(start)
        try:
            self._read(format_.elements, reader, op)
            type_text = self._type_text(format_, op)
            if op_name in VARIADIC:
                self._check_count(op, type_text, reader.pos)
        except AssemblyError as error:
            if op.body is not None:
                self._copy(copied, start)
                self._write_start(op_name, op, len(self.pieces))
                error.is_placed = True
            if op.dictionary is not None and error.instead is None:
                stub = " " if op.body is not None else '"func.return"() '
                error.instead, error.end = (stub, op.dictionary[0]), op.dictionary[1]
            raise
        if op_name in VARIADIC:
            op.attributes += self._segments(op_name, Reader(type_text))
        self._copy(copied, start)
        self._write(format_, op, type_text, reader.pos)
        return reader.pos

    def _in_dictionary(self, start: int) -> bool:
        """Whether ``sdy.x}`` at `start` is a unit attribute rather than a `sdy.return` without operands."""
        before = self.text[:start].rstrip()[-1:]
        return before == "," or (before == "{" and self.text[start : start + 10] != "sdy.return")

    def _starts_op(self, start: int) -> bool:
        before = self.text[max(0, start - 200) : start].rstrip(" \t")
        return before.endswith("=") and "%" in before[before.rfind("\n") + 1 :]

    def _read(self, elements: tuple[Element, ...], reader: Reader, op: _Op) -> None:
        for element in elements:
            match element:
                case Literal(text):
                    if text.isidentifier():
                        if not reader.accept_word(text):
                            raise reader.fail(f"expected '{text}'")
                    elif text:
                        reader.expect(text)
                case Operands(_, variadic):
                    self._read_operands(reader, op, variadic)
                case Attribute(name, kind):
                    self._read_attribute(name, kind, reader, op)
                case Enumeration(name, keywords, has_default):
                    self._read_enumeration(name, keywords, has_default, reader, op)
                case AttributeDictionary():
                    if reader.peek("{"):
                        op.dictionary = _foreign(reader, Reader.balanced, '"func.return"() ')
                case Types(_, variadic, kind):
                    op.types_at = reader.pos
                    op.types.append(_type(reader))
                    if kind != "any":
                        self._check_type(op.types[0], kind)
                    while variadic and reader.accept(","):
                        op.types.append(_type(reader))
                case FunctionalType():
                    op.types_at = reader.pos
                    op.functional_type = _type(reader)
                    if not _is_function_type(self.text[slice(*op.functional_type)]):
                        raise AssemblyError(op.functional_type[0], "expected the type of a function")
                case Region():
                    self._read_region(reader, op)
                case Optional(group, _):
                    first = group[0]
                    if reader.peek(first.text if isinstance(first, Literal) else "%"):
                        self._read(group, reader, op)

    def _check_type(self, extent: tuple[int, int], kind: str) -> None:
        """Refuses a type that is not of that kind, "shaped" or "ranked"; an alias is looked up."""
        text = self.text[slice(*extent)]
        if text.startswith("!"):
            definition = re.search(rf"^[ \t]*{re.escape(text)}[ \t]*=[ \t]*", self.text, re.MULTILINE)
            text = self.text[definition.end() : definition.end() + 20] if definition else text
        found = _SHAPED_TYPE.match(text)
        if found is None or (kind == "ranked" and (found[1] != "tensor" or found[2])):
            raise AssemblyError(extent[0], f"expected a {'ranked tensor' if kind == 'ranked' else 'shaped'} type")

    def _read_operands(self, reader: Reader, op: _Op, variadic: bool) -> None:
        if variadic and not reader.peek("%"):
            return
        op.operands.append(reader.value())
        while variadic and reader.accept(","):
            op.operands.append(reader.value())

    def _read_attribute(self, name: str, kind: str, reader: Reader, op: _Op) -> None:
        if kind == "symbol":
            start = reader.skip()
            reader.symbol()
            symbol = self.text[start + 1 : reader.pos]
            op.attributes.append((name, symbol if symbol.startswith('"') else f'"{symbol}"'))
        elif kind == "string":
            start = reader.skip()
            reader.string()
            op.attributes.append((name, self.text[start : reader.pos]))
        elif kind == "i64":
            op.attributes.append((name, f"{reader.literal()} : i64"))
        elif kind == "any":
            op.constant = self._read_elements(reader)
        else:
            alias, reader.pos = self._body(kind, reader.pos)
            op.attributes.append((name, alias))

    def _read_elements(self, reader: Reader) -> tuple[int, int]:
        """An elements attribute with its type, ``dense<...> : tensor<...>``, or an alias of one."""
        start = reader.skip()
        if reader.accept("#"):
            if reader.word() is None:
                raise reader.fail("expected an attribute")
            if reader.peek("<"):
                reader.balanced()
        elif reader.word() is None:
            raise reader.fail("expected an elements attribute", start)
        elif reader.peek("<"):
            _foreign(reader, Reader.balanced, '"func.return"() {value = dense')
        if reader.accept(":"):
            _type(reader)
        return start, reader.pos

    def _read_enumeration(
        self, name: str, keywords: tuple[str, ...], has_default: bool, reader: Reader, op: _Op
    ) -> None:
        start = reader.skip()
        word = reader.peek_word()
        quoted = None
        if word is None and reader.peek('"'):
            quoted = reader.string()
        elif word is not None:
            reader.word()
        elif has_default:
            op.attributes.append((name, "0 : i32"))
            return
        spelled = word or quoted
        if spelled not in keywords:
            raise AssemblyError(start, f"expected one of {', '.join(keywords)}")
        op.attributes.append((name, f"{keywords.index(spelled)} : i32"))

    def _read_region(self, reader: Reader, op: _Op) -> None:
        reader.expect("(")
        start = reader.pos
        try:
            self._read_arguments(reader, op)
        except AssemblyError as error:
            error.is_upstreams, error.instead = True, ("func.func @sdy_body(", start)
            raise
        start = reader.ahead()
        if not reader.peek("{"):
            raise reader.wrong_token("expected '{'")
        op.body = (start + 1, len(self.text))
        try:
            op.body = (start + 1, reader.balanced()[1] - 1)
        except AssemblyError as error:
            error.is_upstreams = True
            raise

    def _read_arguments(self, reader: Reader, op: _Op) -> None:
        if reader.accept(")"):
            return
        while True:
            value = reader.value()
            if "#" in self.text[slice(*value)]:
                raise AssemblyError(value[0], "an argument is no result with a number")
            reader.expect(":")
            type_ = reader.type()
            if reader.peek("{"):
                reader.balanced()
            location = None
            if reader.peek_word() == "loc":
                at = reader.skip()
                reader.word()
                location = (at, reader.balanced()[1])
            op.arguments.append((value, type_, location))
            if not reader.accept(","):
                break
        reader.expect(")")

    # Writing -------------------------------------------------------------------------------------

    def _write(self, format_: Format, op: _Op, type_text: str, end: int) -> None:
        """Appends the generic form of `op`, which ends at `end`, with as many lines."""
        first = len(self.pieces)
        self._write_start(format_.op_name, op, first)
        self._write_dictionary(op)
        if op.types:
            self._put(" : (", op.start)
            self._copy(op.types_at, op.types[-1][1])
            self._put(f") -> {self._flat(op.types[0]) if format_.results == 'same' else '()'}", op.start)
        elif op.functional_type is not None:
            self._put(" : ", op.start)
            self._copy(op.types_at, op.functional_type[1])
        else:
            self._put(" : " + type_text, op.start)
        self._pad_lines(first, op.start, end)

    def _write_start(self, op_name: str, op: _Op, first: int) -> None:
        """Appends name, operands and region."""
        self._put(f'"{op_name}"(', op.start)
        if op.operands:
            self._copy(op.operands[0][0], op.operands[-1][1])
        self._put(")", op.start)
        if op.body is not None:
            self._write_region(op, first)

    def _write_region(self, op: _Op, first: int) -> None:
        assert op.body is not None
        self._put(" ({", op.start if op.arguments else op.body[0])
        if op.arguments:
            self._pad_lines(first, op.start, op.arguments[0][0][0])
            label, at = f" ^{_ENTRY}(", op.start
            for value, type_, location in op.arguments:
                self._put(label, at)
                self._copy(value[0], type_[1])
                at = type_[1]
                if location is not None:
                    self._put(" ", at)
                    self._copy(*location)
                label = ", "
            self._put("): ", op.body[0])
            self.moved = self.moved or "\n" not in self.text[op.start : op.body[1]]
        self._pad_lines(first, op.start, op.body[0])
        self._check_op_names(*op.body)
        self.range(*op.body)
        self._put("})", op.body[1])

    def _check_op_names(self, start: int, end: int) -> None:
        """Translates up to the first op without the name of its dialect, if there is one, and refuses that.

        The parser would take it for one of `func`, since it knows the generic form of the op around only.
        """
        for found in _FUNC_OP.finditer(self.text, start, end):
            if not self._lex(start, found.start(1))[1]:
                self.range(start, found.start(1))
                error = AssemblyError(found.start(1), f"op '{found[1]}' lacks the name of its dialect")
                error.is_placed = True
                raise error

    def _write_dictionary(self, op: _Op) -> None:
        if not op.attributes and op.dictionary is None and op.constant is None:
            return
        self._put(" {" + ", ".join(f"{name} = {value}" for name, value in op.attributes), op.start)
        if op.constant is not None:
            self._put("value = ", op.start)
            self._copy(*op.constant)
        if op.dictionary is not None:
            start, end = op.dictionary
            if (op.attributes or op.constant) and self.text[start + 1 : end - 1].strip():
                self._put(", ", start)
            self.range(start + 1, end - 1)
        self._put("}", op.start)

    def _type_text(self, format_: Format, op: _Op) -> str:
        if op.functional_type is not None:
            return self._flat(op.functional_type)
        types = ", ".join(map(self._flat, op.types))
        if format_.results == "value":
            assert op.constant is not None
            return f"() -> {_on_one_line(self._elements_type(op.constant))}"
        if format_.op_name == "sdy.mesh":
            return "() -> ()"
        return f"({types}) -> {types if format_.results == 'same' else '()'}"

    def _check_count(self, op: _Op, type_text: str, end: int) -> None:
        """Refuses an op that ends at `end` if it has not as many operands as types for them."""
        count = len(_types(Reader(type_text)))
        if count != len(op.operands):
            at = op.operands[0][0] if op.operands else op.start
            error = AssemblyError(at, f"{len(op.operands)} operands with {count} types")
            error.seen = end
            raise error

    def _segments(self, op_name: str, type_text: Reader) -> list[tuple[str, str]]:
        """The segment attributes of an op with the functional type that `type_text` reads."""
        sizes = [runs(_types(type_text))]
        type_text.expect("->")
        sizes.append(runs(_types(type_text)))
        self.groups_needed = max(self.groups_needed, 1, *map(len, sizes))
        names = (OPERAND_SEGMENTS,) if op_name == "sdy.return" else (OPERAND_SEGMENTS, RESULT_SEGMENTS)
        return [(name, self._alias(self._size_array(each))) for name, each in zip(names, sizes, strict=False)]

    def _size_array(self, sizes: list[int]) -> str:
        return f"array<i32: {', '.join(map(str, padded(sizes, self.groups)))}>"

    def _elements_type(self, extent: tuple[int, int]) -> str:
        """The type of an elements attribute, looked up at its definition if it is an alias."""
        text = self.text[slice(*extent)]
        reader = Reader(text)
        if reader.accept("#"):
            word = reader.word()
            if reader.skip() == len(text):
                pattern = _ALIAS_OF_ELEMENTS.format(re.escape(f"#{word}"))
                found = re.search(pattern, self.text, re.MULTILINE)
                if found is None:
                    raise AssemblyError(extent[0], f"undefined attribute alias '#{word}'")
                definition = Reader(self.text, found.end())
                return self._elements_type(self._read_elements(definition))
        else:
            reader.word()
        if reader.peek("<"):
            reader.balanced()
        if not reader.accept(":"):
            raise AssemblyError(extent[0], "expected an elements attribute with a type")
        start, end = reader.type()
        return text[start:end]

    def _generic_op(self, copied: int, start: int, bare_name: str = "") -> int | None:
        """An op in generic form at `start`; IRDL ops have no properties, so these join the attributes."""
        text = self.text
        name_end = start + len(bare_name) if bare_name else text.index('"', start + 1) + 1
        op_name = bare_name or text[start + 1 : name_end - 1]
        try:
            op = self._read_generic(op_name, Reader(text, name_end))
        except AssemblyError as error:
            error.is_upstreams, error.instead = True, ('"func.return"', name_end)
            raise
        if op is None:
            if not bare_name:
                return None
            self._copy(copied, start)
            self._put(f'"{bare_name}"', start)
            return name_end
        self._copy(copied, start)
        first = len(self.pieces)
        self._put(f'"{bare_name}"' if bare_name else text[start:name_end], start)
        self.pieces.append((None, *op.operands))
        if op.region is not None:
            self._put(" ", op.operands[1])
            self._pad_lines(first, start, op.region[0])
            self.range(*op.region)
        extra = [*op.segments, *self._defaults(op_name, op)]
        self._put(" {" + ", ".join(f"{name} = {value}" for name, value in extra), start)
        separator = ", " if extra else ""
        for entries in (op.properties, op.dictionary):
            if entries is not None and text[entries[0] + 1 : entries[1] - 1].strip():
                self._put(separator, entries[0])
                self._entries(*entries, on_one_line=entries is op.properties and op.region is not None)
                separator = ", "
        self._put("}", start)
        self._pad_lines(first, start, op.end)
        return op.end

    def _entries(self, start: int, end: int, *, on_one_line: bool) -> None:
        """Translates what is between braces; without line breaks where these have been written before."""
        first = len(self.pieces)
        self.range(start + 1, end - 1)
        if on_one_line and "\n" in self.text[start:end]:
            pieces = self.pieces[first:]
            del self.pieces[first:]
            for text, s, e in pieces:
                if text is not None:
                    self.pieces.append((text.replace("\n", " "), s, e))
                else:
                    self._copy_on_one_line(s, e)

    def _copy_on_one_line(self, start: int, end: int) -> None:
        """Copies text without line breaks and comments."""
        for found in _LEXEME.finditer(self.text, start, end):
            if found[0].startswith("//"):
                self._copy_lines(start, found.start())
                start = found.end()
        self._copy_lines(start, end)

    def _copy_lines(self, start: int, end: int) -> None:
        while (at := self.text.find("\n", start, end)) >= 0:
            self._copy(start, at)
            self._put(" ", at)
            start = at + 1
        self._copy(start, end)

    def _defaults(self, op_name: str, op: _GenericOp) -> list[tuple[str, str]]:
        """The attributes that `op` may leave out, and does."""
        given = "".join(self.text[slice(*each)] for each in (op.properties, op.dictionary) if each is not None)
        names = _WITH_DEFAULTS.get(op_name, ())
        return [(name, "0 : i32") for name in names if re.search(rf"\b{name}\s*=", given) is None]

    def _read_generic(self, op_name: str, reader: Reader) -> _GenericOp | None:
        """The op behind its name; None if there is nothing to be changed."""
        start, end = reader.balanced()
        if reader.peek("["):
            end = reader.balanced()[1]
        if not reader.peek("<") and op_name not in VARIADIC and op_name not in _WITH_DEFAULTS:
            return None
        op = _GenericOp((start, end))
        if reader.accept("<"):
            op.properties = reader.balanced()
            reader.expect(">")
        if reader.peek("("):
            op.region = reader.balanced()
        if reader.peek("{"):
            op.dictionary = reader.balanced()
        op.end = reader.pos
        if op_name in VARIADIC:
            reader.expect(":")
            op.segments = self._segments(op_name, reader)
        return op

    def _copy(self, start: int, end: int) -> None:
        if start < end:
            self.pieces.append((None, start, end))

    def _put(self, text: str, at: int) -> None:
        self.pieces.append((text, at, at))

    def _flat(self, extent: tuple[int, int] | None) -> str:
        """The text of an extent on one line."""
        if extent is None:
            return ""
        return _on_one_line(self.text[slice(*extent)])

    def _pad_lines(self, first: int, start: int, end: int) -> None:
        """Adds the line breaks of the original from `start` to `end` that the pieces from `first` on lack."""
        wanted = self.text.count("\n", start, end)
        if not wanted:
            return
        written = sum(
            self.text.count("\n", s, e) if text is None else text.count("\n") for text, s, e in self.pieces[first:]
        )
        if written < wanted:
            self._put("\n" * (wanted - written), end)


def _on_one_line(text: str) -> str:
    """Text without line breaks and comments; it has neither in strings."""
    return text if "\n" not in text else " ".join(re.sub(r"//[^\n]*", "", text).split())


def _foreign(reader: Reader, read: Callable[[Reader], tuple[int, int]], instead: str) -> tuple[int, int]:
    """Reads what upstream has to make sense of; `instead` stands for the op so far where it cannot be read."""
    start = reader.pos
    try:
        return read(reader)
    except AssemblyError as error:
        error.is_upstreams, error.instead = True, (instead, start)
        raise


def _type(reader: Reader) -> tuple[int, int]:
    return _foreign(reader, Reader.type, '"func.return"() : () -> ')


def _is_balanced(text: str, at: int) -> bool:
    """Whether a bracket opens at `at`, or behind blanks there, and everything in it is closed rightly."""
    try:
        Reader(text, at).balanced()
    except AssemblyError:
        return False
    return True


def _is_function_type(text: str) -> bool:
    """Whether both sides of ``(...) -> ...`` are lists of what looks like types."""
    reader = Reader(text)
    try:
        _types(reader)
        reader.expect("->")
        _types(reader)
    except AssemblyError:
        return False
    return text.startswith("(")


def _types(reader: Reader) -> list[str]:
    """The types of one side of a functional type."""
    text = reader.text
    if not reader.accept("("):
        return [text[slice(*reader.type())]]
    if reader.accept(")"):
        return []
    types = [text[slice(*reader.type())]]
    while not reader.accept(")"):
        reader.expect(",")
        types.append(text[slice(*reader.type())])
    return types
