"""Translates the output of the upstream printer to the dialect's own syntax.

Upstream prints IRDL ops and attributes in generic form, always with the same blanks and line breaks. The patterns below
rely on it. Each distinct attribute is converted once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from sdy.dialect.assembly import formats as syntax
from sdy.dialect.assembly.reader import Reader
from sdy.dialect.definition.attributes import pretty_text, value_of
from sdy.dialect.values.sharding import symbol
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir

_STRING = r'"(?:[^"\\]++|\\.)*+"'


def _nested(depth: int) -> str:
    """A pattern for ``<...>`` with at most `depth` brackets inside each other."""
    inner = f"|{_nested(depth - 1)}" if depth > 1 else ""
    return rf'<(?:[^<>"]++|{_STRING}{inner})*+>'


# The deepest attribute: propagation edges > step > entry > axis reference > sub-axis, and arrays of integers in these.
_ATTRIBUTE = re.compile(rf"(?:#sdy|[#!]mpmd)\.\w+{_nested(8)}|{_STRING}")
_ORIGIN = re.compile(rf"#mpmd\.user_origin<({_STRING}(?:\(-?\d+\))?)>")
_OP = re.compile(r'"((?:sdy|hlo_async|mpmd)\.\w+)"\(')
_KEY = re.compile(r'(?:[A-Za-z_][\w$.]*|"(?:[^"\\]++|\\.)*+")')
_ENTRY_VALUE = re.compile(r'"(?:[^"\\]++|\\.)*+"|->|[<>(){}\[\],]')
_BLANKS = re.compile(" *")


@dataclass(frozen=True, slots=True)
class _Printed:
    """Op as printed in generic form, by its parts."""

    format: syntax.Format
    operands: str
    body: str | None
    arguments: str
    attributes: Mapping[str, str]
    discardable: str
    dictionary: str
    function_type: str
    inputs: str
    outputs: str
    """Text between the region's braces, and the arguments of its block."""


def prettify(text: str, context: ir.Context) -> str:
    """The printed `text` of a module of `context` with sdy's ops and attributes in their own syntax."""
    return _ops(_attributes(text, context))


def generic_form(text: str, context: ir.Context) -> str:
    """The generic form of a module: attributes in their own syntax, inherent attributes as properties."""
    return _ops(_attributes(text, context), generic=True)


def _attributes(text: str, context: ir.Context) -> str:
    if "#sdy." not in text and "mpmd." not in text:
        return text
    known: dict[str, str] = {}

    def convert(found: re.Match[str]) -> str:
        raw = found[0]
        if raw[0] == '"':
            return raw
        pretty = known.get(raw)
        if pretty is None:
            try:
                pretty = pretty_text(value_of((ir.Type if raw[0] == "!" else ir.Attribute).parse(raw, context)))
            except (TypeError, ValueError):
                if raw.startswith("#sdy"):
                    raise
                pretty = raw  # of a module that is not verified
            known[raw] = pretty
        return pretty

    return _ATTRIBUTE.sub(convert, text)


def _ops(text: str, *, generic: bool = False) -> str:
    """Rewrites every generic op of the dialects in the text, outer ones first, their bodies by recursion."""
    out: list[str] = []
    position = 0
    while True:
        found = _OP.search(text, position)
        if found is None:
            break
        format_ = syntax.format_of(found[1])
        if format_ is None or _in_string(text, found.start()):
            out.append(text[position : found.end()])
            position = found.end()
            continue
        out.append(text[position : found.start()])
        printed, position = _read(text, found, format_)
        is_generic = generic or not _is_writable(printed, format_.elements)
        out.append(_generic(printed, generic) if is_generic else _pretty(printed))
    out.append(text[position:])
    return "".join(out)


def _in_string(text: str, at: int) -> bool:
    """Return whether an op-like text at `at` stands in a string.

    Quotes in strings are printed as escapes, so it cannot.
    """
    return at > 0 and text[at - 1] not in " \n"


# Reading -------------------------------------------------------------------------------------------


def _read(text: str, found: re.Match[str], format_: syntax.Format) -> tuple[_Printed, int]:
    """The op whose name `found` matched, and where it ends."""
    reader = Reader(text, found.end() - 1)
    start, end = reader.balanced()
    operands = text[start + 1 : end - 1]
    body, arguments = None, ""
    if text.startswith(" ({", reader.pos):
        body, arguments, reader.pos = _region(text, found.start(), reader.pos)
    attributes, discardable, dictionary = {}, "", ""
    if text.startswith(" {", reader.pos):
        reader.pos += 1
        start, end = reader.balanced()
        attributes, discardable, dictionary = _split(text[start + 1 : end - 1], format_)
    reader.expect(":")
    start, end = reader.skip(), reader.type()[1]
    function_type = text[start:end]
    inputs, _, outputs = _function_type(function_type)
    read = (format_, operands, body, arguments, attributes, discardable, dictionary, function_type, inputs, outputs)
    return _Printed(*read), end


def _region(text: str, op_start: int, at: int) -> tuple[str, str, int]:
    """Body, block arguments and end of the region ``({...})`` behind position `at`."""
    line_start = text.rfind("\n", 0, op_start) + 1
    indent = _blanks(text, line_start)
    end = text.index(f"\n{indent}}})", at)
    start = at + len(" ({")
    arguments = ""
    header = f"\n{indent}^bb0("
    if text.startswith(header, start):
        opening = start + len(header) - 1
        reader = Reader(text, opening)
        reader.balanced()
        arguments = text[opening + 1 : reader.pos - 1]
        start = reader.pos + len(":")
    return text[start:end], arguments, end + len(f"\n{indent}}})")


_KEPT = 1 << 14
"""Number of texts of types, and of dictionaries, that are kept."""


@lru_cache(maxsize=_KEPT)
def _function_type(text: str) -> tuple[str, str, str]:
    """Inputs without parentheses, and outputs with and without them."""
    reader = Reader(text)
    start, end = reader.balanced()
    reader.expect("->")
    outputs = text[reader.skip() :]
    bare = outputs[1:-1] if outputs.startswith("(") and not _is_function(outputs) else outputs
    return text[start + 1 : end - 1], outputs, bare


def _is_function(text: str) -> bool:
    reader = Reader(text)
    reader.balanced()
    return reader.peek("->")


def _split(text: str, format_: syntax.Format) -> tuple[dict[str, str], str, str]:
    """Return a dictionary's inherent attributes by name, the text of the others, and that of the format's."""
    inherent: dict[str, str] = {}
    others: list[str] = []
    written: list[str] = []
    for key, entry, value in _entries(text):
        if key in format_.inherent:
            inherent[key] = value
        else:
            others.append(entry)
        if key not in format_.inherent or key in format_.in_dictionary:
            written.append(entry)
    return inherent, ", ".join(others), ", ".join(written)


@lru_cache(maxsize=_KEPT)
def _entries(text: str) -> tuple[tuple[str, str, str], ...]:
    """Key, whole text and value of each entry of a dictionary's inner text."""
    entries = []
    position = 0
    while position < len(text):
        end = _entry_end(text, position)
        key = _KEY.match(text, position)
        assert key is not None
        value = text[key.end() + len(" = ") : end]
        entries.append((key[0], text[position:end], value))
        position = end + len(", ")
    return tuple(entries)


def _entry_end(text: str, position: int) -> int:
    depth = 0
    for token in _ENTRY_VALUE.finditer(text, position):
        char = token[0]
        if char in ("<", "(", "{", "["):
            depth += 1
        elif char in (">", ")", "}", "]"):
            depth -= 1
        elif char == "," and depth == 0:
            return token.start()
    return len(text)


# Writing -------------------------------------------------------------------------------------------


def _generic(op: _Printed, generic: bool) -> str:
    properties = ", ".join(f"{name} = {value}" for name, value in op.attributes.items())
    text = f'"{op.format.op_name}"({op.operands})' + (f" <{{{properties}}}>" if properties else "")
    if op.body is not None:
        arguments = f"^bb0({op.arguments}):" if op.arguments else ""
        text += " ({" + ("\n" + _indent_of(op.body) + arguments if arguments else "") + _ops(op.body, generic=generic)
        text += "\n" + _indent_of(op.body) + "})"
    if op.discardable:
        text += f" {{{op.discardable}}}"
    return f"{text} : {op.function_type}"


def _indent_of(body: str) -> str:
    """The indent of the op that owns the body: one level less than the body's first line."""
    first = next((at for at, char in enumerate(body) if char != "\n"), len(body))
    return _blanks(body, first)[2:]


def _blanks(text: str, at: int) -> str:
    """The blanks from `at` on."""
    found = _BLANKS.match(text, at)
    return found[0] if found else ""


def _pretty(op: _Printed) -> str:
    name = op.format.op_name
    if name == "sdy.constant" and not op.attributes["value"].endswith(f" : {op.outputs}"):
        dictionary = f" {{{op.discardable}}}" if op.discardable else ""
        return f"{name}() <{{value = {op.attributes['value']}}}>{dictionary} : {op.function_type}"
    out = _Joiner(name)
    _write(op.format.elements, op, out)
    return out.text


_FORMS = {"i64": re.compile(r"-?\d+ : i64"), "mesh": re.compile(r"#sdy\.mesh<.*>")}
"""Text of the kinds of attributes that parsing does not check."""


def _is_writable(op: _Printed, elements: tuple[syntax.Element, ...]) -> bool:
    """Return whether the op's syntax has a spelling for all attributes; an unverified op may have any."""
    for element in elements:
        if isinstance(element, syntax.Enumeration):
            index = op.attributes.get(element.name, "0").split(" ")[0]
            if not index.isdecimal() or int(index) >= len(element.keywords):
                return False
        elif isinstance(element, syntax.Attribute):
            form = _FORMS.get(element.kind)
            if form is not None and element.name in op.attributes and not form.fullmatch(op.attributes[element.name]):
                return False
        elif isinstance(element, syntax.Optional) and not _is_writable(op, element.elements):
            return False
    return True


class _Joiner:
    """Puts texts behind each other with a blank in between, but not around an empty text."""

    __slots__ = ("glued", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.glued = False

    def add(self, text: str) -> None:
        self.text += text if self.glued else f" {text}"
        self.glued = False

    def glue(self) -> None:
        self.glued = True


def _write(elements: tuple[syntax.Element, ...], op: _Printed, out: _Joiner) -> None:
    for element in elements:
        _WRITERS[type(element)](element, op, out)


def _write_literal(element: syntax.Literal, op: _Printed, out: _Joiner) -> None:
    if element.text:
        out.add(element.text)
    else:
        out.glue()


def _write_operands(element: syntax.Operands, op: _Printed, out: _Joiner) -> None:
    if op.operands or not element.variadic:
        out.add(op.operands)


def _write_attribute(element: syntax.Attribute, op: _Printed, out: _Joiner) -> None:
    out.add(_stripped(op.attributes[element.name], element.kind))


def _write_enumeration(element: syntax.Enumeration, op: _Printed, out: _Joiner) -> None:
    index = int(op.attributes.get(element.name, "0").split(" ")[0])
    if index or not element.has_default:
        out.add(element.keywords[index])


def _write_dictionary(element: syntax.AttributeDictionary, op: _Printed, out: _Joiner) -> None:
    if op.dictionary:
        out.add(f"{{{op.dictionary}}}")


def _write_types(element: syntax.Types, op: _Printed, out: _Joiner) -> None:
    out.add(op.inputs)


def _write_functional_type(element: syntax.FunctionalType, op: _Printed, out: _Joiner) -> None:
    out.add(op.function_type)


def _write_mapping_type(element: syntax.MappingType, op: _Printed, out: _Joiner) -> None:
    out.add(f"{op.inputs} -> {_function_type(op.function_type)[1]}")


def _write_region(element: syntax.Region, op: _Printed, out: _Joiner) -> None:
    body = op.body or ""
    out.add(f"({op.arguments}) {{{_ops(body)}\n{_indent_of(body)}}}")


def _write_optional(element: syntax.Optional, op: _Printed, out: _Joiner) -> None:
    is_operands = any(isinstance(each, syntax.Operands) for each in element.elements)
    if op.operands if is_operands else element.anchor in op.attributes:
        _write(element.elements, op, out)


_WRITERS: dict[type, Callable[..., None]] = {
    syntax.Literal: _write_literal,
    syntax.Operands: _write_operands,
    syntax.Attribute: _write_attribute,
    syntax.Enumeration: _write_enumeration,
    syntax.AttributeDictionary: _write_dictionary,
    syntax.Types: _write_types,
    syntax.FunctionalType: _write_functional_type,
    syntax.MappingType: _write_mapping_type,
    syntax.Region: _write_region,
    syntax.Optional: _write_optional,
}


def _stripped(value: str, kind: str) -> str:
    """Return the text of an attribute without the parts that its position implies."""
    if kind == "symbol":
        return symbol(Reader(value).string()) if "\\" in value or '"' in value else value
    if kind == "i64":
        return value.removesuffix(" : i64")
    if kind in ("string", "any", "symbol_ref"):
        return value
    if kind in ("stripped_origin", "origin_list"):
        return _ORIGIN.sub(r"\1", value)
    if kind == "stripped_shardings":
        return value[len("#sdy.sharding_per_value<") : -1]
    wrapped = f"#sdy<{kind}"
    if value.startswith(wrapped):
        return value[len(wrapped) : -1]
    return value[value.index(kind) + len(kind) :]
