"""Reads ops in the dialect's own syntax; attributes in a text are translated once each, and aliased."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from sdy.dialect.assembly.attribute_grammar import GRAMMAR, origin_list, stripped_origin, stripped_shardings
from sdy.dialect.assembly.foreign import (
    Extent,
    check_function_type,
    check_kind,
    either,
    elements_type,
    on_one_line,
    read_elements,
    read_foreign,
    read_type,
    types,
)
from sdy.dialect.assembly.formats import (
    Attribute,
    AttributeDictionary,
    Element,
    Enumeration,
    Format,
    FunctionalType,
    Literal,
    MappingType,
    Operands,
    Optional,
    Region,
    Types,
)
from sdy.dialect.assembly.reader import GAP, AssemblyError, Reader
from sdy.dialect.context import load_mpmd, make_context
from sdy.dialect.definition.attributes import irdl_text, value_of
from sdy.lazy_dataclass import dataclass, lazy_pattern
from sdy.mlir import ir

_TELLING = lazy_pattern(r'#sdy\.|#mpmd\.|\bunit\b|: i64|array<i64|@|\[\]|\["')
"""Something of this is in the parameters of each of them."""


class IrdlForm:
    """Reads IRDL formats in one context, which is made for the first of them."""

    def __init__(self) -> None:
        self._context: Any = None

    def read(self, text: str) -> object:
        """Return the value object of the attribute; None if it is of another kind or has no valid value."""
        if _TELLING.search(text, 1) is None:
            return None
        if self._context is None:
            self._context = make_context()
        if text.startswith("#mpmd"):
            load_mpmd(self._context)
        with self._context, ir.Location.unknown():
            try:
                return value_of(ir.Attribute.parse(text))
            except (ir.MLIRError, TypeError, ValueError):
                return None


_BODY = lazy_pattern(
    r'<(?:[^<>"\-]++|->|-|"(?:[^"\\\n]++|\\.)*+"|<(?:[^<>"\-]++|->|-|"(?:[^"\\\n]++|\\.)*+"|<[^<>"]*+>)*+>)*+>'
)
STANDALONE = lazy_pattern(rf"(?:sdy|mpmd)\.\w+{_BODY.pattern}")
"""The usual text of an attribute outside of ops, without the ``#``."""


_IN_OPS: dict[str, Callable[[Reader], Any]] = {
    each.__name__: each for each in (stripped_shardings, stripped_origin, origin_list)
}
"""Grammars of what only ops write, by kind."""


class AttributeAliases:
    """Reads attribute bodies in `text` and registers an alias for each; the caller uses `standalone`."""

    __slots__ = ("_aliases", "_irdl_form", "_known", "_prefix", "standalone", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.standalone: dict[str, str] = {}
        """Generic forms of the texts that `STANDALONE` matched before."""
        self._aliases: dict[str, str] = {}
        self._known: dict[tuple[str, str], str] = {}
        self._irdl_form = IrdlForm()
        self._prefix = "#sdy"
        while f"{self._prefix}0" in text:
            self._prefix += "_"

    def of_body(self, kind: str, start: int) -> tuple[str, int]:
        """The alias of the stripped attribute behind `start`, and where it ends."""
        reader = Reader(self.text, start)
        raw = _BODY.match(self.text, reader.ahead())
        if raw is not None:
            alias = self._known.get((kind, raw[0]))
            if alias is not None:
                return alias, raw.end()
        read = _IN_OPS.get(kind) or GRAMMAR[kind]
        alias = self.of_text(irdl_text(read(reader)))
        if raw is not None and raw.end() == reader.pos:
            self._known[kind, raw[0]] = alias
        return alias, reader.pos

    def of_irdl(self, kind: str, text: str) -> str | None:
        """Return the alias of an attribute in the form that ``print(op)`` writes; None if `text` is in another form.

        Invalid attributes stay invalid in the dialect's own syntax.
        """
        value = self._irdl_form.read(text)
        if value is None:
            return None
        try:
            GRAMMAR[kind](Reader(str(value), 0))
        except AssemblyError:
            return None
        return self.of_text(irdl_text(value))

    def of_text(self, text: str) -> str:
        """The alias of an attribute in the form that the upstream parser reads."""
        return self._aliases.setdefault(text, f"{self._prefix}{len(self._aliases)}")

    def definitions(self) -> str:
        """The definitions of all aliases, on one line; empty if there are none.

        The last one is of an attribute of MLIR's own: behind one of a dialect, its parser misses a broken token.
        """
        last = {"unit ": f"{self._prefix}{len(self._aliases)}"} if self._aliases else {}
        return "".join(f"{alias} = {text} " for text, alias in (self._aliases | last).items())


_RETURN_ONLY = lazy_pattern(rf"\{{{GAP}(?:sdy|hlo_async|mpmd)\.return{GAP}\}}")
"""An op for the translation; behind an argument it is a unit attribute."""


@dataclass(slots=True)
class Argument:
    """An argument of a computation's block."""

    value: Extent
    type: Extent
    location: Extent | None


@dataclass(slots=True)
class ReadOp:
    """Parts of an op by extent in the text; `attributes` maps names to replacement texts."""

    start: int
    operands: list[Extent] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)
    dictionary: Extent | None = None
    types: list[Extent] = field(default_factory=list)
    types_at: int = 0
    """The end of what stands in front of the types."""
    functional_type: Extent | None = None
    mapping_type: tuple[Extent, Extent] | None = None
    """The types of the operand and of the results."""
    arguments: list[Argument] = field(default_factory=list)
    body: Extent | None = None
    constant: Extent | None = None
    constant_type: Extent | None = None


class FormatReader:
    """Reads the op whose name ends at the position of `reader` into `op`.

    After an error, `op` holds the parts read so far.
    """

    __slots__ = ("aliases", "op", "reader", "text")

    def __init__(self, reader: Reader, aliases: AttributeAliases, start: int) -> None:
        self.reader = reader
        self.text = reader.text
        self.aliases = aliases
        self.op = ReadOp(start)

    def read(self, format_: Format) -> str:
        """Reads the whole op and returns its type in generic form, on one line."""
        self._elements(format_.elements)
        op = self.op
        read = {name for name, _ in op.attributes}
        op.attributes += [(name, value) for name, value in format_.defaults.items() if name not in read]
        if op.functional_type is not None:
            return on_one_line(self.text[slice(*op.functional_type)])
        if op.mapping_type is not None:
            operand, results = (on_one_line(self.text[slice(*each)]) for each in op.mapping_type)
            return f"({operand}) -> {results}"
        if format_.results == "value":
            assert op.constant is not None
            op.constant_type = elements_type(self.text, op.constant)
            return f"() -> {on_one_line(self.text[slice(*op.constant_type)])}"
        if format_.op_name == "sdy.mesh":
            return "() -> ()"
        types = ", ".join(on_one_line(self.text[slice(*each)]) for each in op.types)
        return f"({types}) -> ({types if format_.results == 'same' else ''})"

    def _elements(self, elements: tuple[Element, ...]) -> None:
        reader, op = self.reader, self.op
        for element in elements:
            match element:
                case Literal(text):
                    if text.isidentifier():
                        if not reader.accept_word(text):
                            raise reader.fail(f"expected '{text}'")
                    elif text:
                        reader.expect(text)
                case Operands(_, variadic):
                    self._operands(variadic)
                case Attribute(name, kind):
                    self._attribute(name, kind)
                case Enumeration():
                    self._enumeration(element)
                case AttributeDictionary():
                    if reader.peek("{") and not reader.peek("{-#"):
                        # Behind a region the start of the op has been written.
                        stub = '"func.return"() ' if op.body is None else " "
                        op.dictionary = read_foreign(reader, Reader.balanced, stub)
                case Types(_, variadic, kind):
                    self._types(variadic, kind)
                case FunctionalType():
                    self._functional_type()
                case MappingType():
                    self._mapping_type()
                case Region():
                    self._region()
                case Optional(group, _):
                    if self._begins(group):
                        self._elements(group)

    def _begins(self, group: tuple[Element, ...]) -> bool:
        """Return whether the text continues with a group: with its literals up to the first word, or with a value."""
        ahead = Reader(self.text, self.reader.pos)
        for element in group:
            if not isinstance(element, Literal):
                return ahead.pos > self.reader.pos or ahead.peek("%")
            if not ahead.accept(element.text):
                return False
            if element.text.isidentifier():
                return True
        return True

    def _operands(self, variadic: bool) -> None:
        reader, operands = self.reader, self.op.operands
        if variadic and not reader.peek("%"):
            return
        operands.append(reader.value())
        while variadic and reader.accept(","):
            operands.append(reader.value())

    def _attribute(self, name: str, kind: str) -> None:
        reader, text = self.reader, self.text
        if kind == "any":
            self.op.constant = read_elements(reader)
            return
        start = reader.ahead()
        if reader.peek("#") and kind != "symbol" and kind not in _IN_OPS:
            self.op.attributes.append((name, self._whole(kind)))
            return
        if kind == "symbol_ref":
            reader.symbol()
            value = text[start : reader.pos]
        elif kind == "symbol":
            reader.symbol()
            symbol = text[start + 1 : reader.pos]
            value = symbol if symbol.startswith('"') else f'"{symbol}"'
        elif kind == "string":
            reader.string()
            value = text[start : reader.pos]
        elif kind == "i64":
            value = f"{_integer(reader)} : i64"
        else:
            value, reader.pos = self.aliases.of_body(kind, reader.pos)
        self.op.attributes.append((name, value))

    def _whole(self, kind: str) -> str:
        """An attribute that is not in its stripped form."""
        if kind in GRAMMAR:
            return self.aliases.of_text(irdl_text(either(GRAMMAR[kind])(self.reader)))
        start = self.reader.skip()
        self.reader.accept("#")
        if self.reader.word() is None:
            raise self.reader.fail("expected the name of an alias")
        return self.text[start : self.reader.pos]

    def _enumeration(self, enumeration: Enumeration) -> None:
        reader, keywords = self.reader, enumeration.keywords
        start = reader.skip()
        spelled = reader.peek_word()
        if spelled is not None:
            reader.word()
        elif reader.peek('"'):
            spelled = reader.string()
        elif enumeration.has_default:
            spelled = keywords[0]
        if spelled not in keywords:
            raise AssemblyError(start, f"expected one of {', '.join(keywords)}")
        self.op.attributes.append((enumeration.name, f"{keywords.index(spelled)} : i32"))

    def _types(self, variadic: bool, kind: str) -> None:
        reader, op = self.reader, self.op
        op.types_at = reader.pos
        if variadic and not op.operands:
            return
        op.types.append(read_type(reader))
        if kind != "any":
            check_kind(self.text, op.types[0], kind)
        while variadic and reader.accept(","):
            op.types.append(read_type(reader))

    def _functional_type(self) -> None:
        self.op.types_at = self.reader.pos
        stub = '"func.return"() : () -> ' if self.op.body is None else " : "
        self.op.functional_type = extent = read_foreign(self.reader, Reader.type, stub)
        check_function_type(self.text, extent)

    def _mapping_type(self) -> None:
        reader, op = self.reader, self.op
        op.types_at = reader.pos
        operand = read_type(reader)
        reader.expect("->")
        results = read_foreign(reader, _result_types, '"func.return"() : () -> ')
        op.mapping_type = operand, results

    def _region(self) -> None:
        reader, op = self.reader, self.op
        reader.expect("(")
        start = reader.pos
        try:
            self._arguments()
        except AssemblyError as error:
            if _RETURN_ONLY.search(self.text, start, error.offset) is None:
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

    def _arguments(self) -> None:
        reader = self.reader
        if reader.accept(")"):
            return
        self._argument()
        while reader.accept(","):
            self._argument()
        reader.expect(")")

    def _argument(self) -> None:
        reader = self.reader
        value = reader.value()
        if "#" in self.text[slice(*value)]:
            raise AssemblyError(value[0], "expected an argument without a result number")
        reader.expect(":")
        type_ = reader.type()
        if reader.peek("{"):
            reader.balanced()
        location = None
        if reader.peek_word() == "loc":
            at = reader.skip()
            reader.word()
            location = (at, reader.balanced()[1])
        self.op.arguments.append(Argument(value, type_, location))


def _result_types(reader: Reader) -> Extent:
    start = reader.ahead()
    types(reader)
    return start, reader.pos


def _integer(reader: Reader) -> str:
    at = reader.pos
    try:
        return reader.literal()
    except AssemblyError as error:
        reader.pos = at
        raise reader.wrong_token(error.message) from None
