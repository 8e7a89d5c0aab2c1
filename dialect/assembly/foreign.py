"""Types, elements and whole attributes in sdy's ops that the upstream parser reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from sdy.dialect.assembly.reader import GAP, AssemblyError, Reader
from sdy.lazy_dataclass import lazy_pattern

Extent = tuple[int, int]
"""Start and end in the text."""

_SHAPED_TYPE = lazy_pattern(r"(tensor|memref|vector)\s*<\s*(\*)?")
_MESH_TENSOR = lazy_pattern(r"!mpmd\.mesh_tensor\b")
_SYMBOL_TOKEN = lazy_pattern(r'"(?:[^"\\\n]++|\\[^\n])*+"|->|[<>(){}\[\]"]')
_CLOSING = {"<": ">", "(": ")", "{": "}", "[": "]"}


def read_foreign(reader: Reader, read: Callable[[Reader], Extent], instead: str) -> Extent:
    """Reads text in upstream's syntax.

    `instead` replaces the part of the op read so far if upstream cannot parse that part.
    """
    start = reader.pos
    try:
        return read(reader)
    except AssemblyError as error:
        error.is_upstreams, error.instead = True, (instead, start)
        raise


def read_type(reader: Reader) -> Extent:
    return read_foreign(reader, Reader.type, '"func.return"() : () -> ')


def read_elements(reader: Reader) -> Extent:
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
        read_foreign(reader, Reader.balanced, '"func.return"() {value = dense')
    if reader.accept(":"):
        read_type(reader)
    return start, reader.pos


def elements_type(text: str, extent: Extent) -> Extent:
    """The type of an elements attribute, looked up at its definition if it is an alias."""
    reader = Reader(text, extent[0])
    if reader.accept("#"):
        word = reader.word()
        if reader.pos == extent[1]:
            defined = definition(text, f"#{word}", extent[0])
            if defined is None:
                raise AssemblyError(extent[0], f"undefined attribute alias '#{word}'")
            return elements_type(text, read_elements(defined))
    else:
        reader.word()
    if reader.peek("<"):
        reader.balanced()
    if not reader.accept(":"):
        raise Reader(text, extent[1]).wrong_token("expected ':' and the type of the elements")
    return reader.type()


def check_kind(text: str, extent: Extent, kind: str) -> None:
    """Refuses a type that is not of that kind; an alias is looked up.

    It is "shaped", "ranked", or "flowing", which is shaped or a tensor on a mesh.
    """
    type_ = text[slice(*extent)]
    if type_.startswith("!"):
        defined = definition(text, type_, extent[0])
        type_ = text[defined.skip() : defined.pos + 20] if defined is not None else type_
    if kind == "flowing" and _MESH_TENSOR.match(type_):
        return
    found = _SHAPED_TYPE.match(type_)
    if found is None or (kind == "ranked" and (found[1] != "tensor" or found[2])):
        raise AssemblyError(extent[0], f"expected a {'ranked tensor' if kind == 'ranked' else 'shaped'} type")


def definition(text: str, alias: str, use: int) -> Reader | None:
    """A reader of the definition that `alias`, with its mark, has before offset `use`."""
    found = re.compile(rf"(?:^|(?<=\s)){re.escape(alias)}{GAP}=(?!=)", re.MULTILINE).search(text, 0, use)
    return None if found is None else Reader(text, found.end())


def check_function_type(text: str, extent: Extent) -> None:
    """Refuses a type that is not ``(...) -> ...`` with lists of types on both sides."""
    reader = Reader(text, extent[0])
    if not reader.peek("("):
        raise reader.fail("expected the type of a function")
    types(reader)
    reader.expect("->")
    types(reader)


def types(reader: Reader) -> list[str]:
    """The types of one side of a functional type."""
    text = reader.text
    if not reader.accept("("):
        return [text[slice(*reader.type())]]
    if reader.accept(")"):
        return []
    found = [text[slice(*reader.type())]]
    while not reader.accept(")"):
        reader.expect(",")
        found.append(text[slice(*reader.type())])
    return found


def end_of_symbol(text: str, at: int) -> int | None:
    """Return the end of the brackets that open at `at`, found as upstream does in attributes.

    Returns None if they are not closed.

    Unlike elsewhere brackets in comments count.
    """
    open_brackets: list[str] = []
    for token in _SYMBOL_TOKEN.finditer(text, at):
        char = token[0]
        if char in _CLOSING:
            open_brackets.append(_CLOSING[char])
        elif char == '"':
            return None
        elif len(char) == 1:
            if not open_brackets or open_brackets.pop() != char:
                return None
            if not open_brackets:
                return token.end()
    return None


def on_one_line(text: str) -> str:
    """Text without line breaks and comments; it has neither in strings."""
    return " ".join(re.sub(r"//[^\r\n]*", "", text).split()) if "\n" in text or "\r" in text else text


T = TypeVar("T")

_ALIAS = lazy_pattern(r"#[\w$.\-]+")
_OF_DIALECT = lazy_pattern(rf"#(?:sdy|mpmd)(?:\.(\w+)|<{GAP}(\w+))")


def either(read: Callable[[Reader], T]) -> Callable[[Reader], T]:
    """Reads the stripped form by `read`, or the whole attribute with its name."""

    def read_either(reader: Reader) -> T:
        return _whole(reader, read.__name__, read) if reader.peek("#") else read(reader)

    return read_either


def _whole(reader: Reader, kind: str, read: Callable[[Reader], T]) -> T:
    start, text = reader.skip(), reader.text
    named = _OF_DIALECT.match(text, start)
    if named is None:
        alias = _ALIAS.match(text, start)
        defined = alias and definition(text, alias[0], start)
        if alias is None or defined is None:
            raise AssemblyError(start, "undefined alias of an attribute")
        reader.pos = alias.end()
        try:
            return either(read)(defined)
        except AssemblyError as error:
            raise AssemblyError(start, f"'{alias[0]}' does not fit here: {error.message}") from None
    if (named[1] or named[2]) != kind:
        raise AssemblyError(start, f"expected an attribute '{kind}', got '{named[1] or named[2]}'")
    found = read(Reader(text, named.end()))
    opening = named.end() if named[1] else text.index("<", start)
    end = end_of_symbol(text, opening) if text.startswith("<", opening) else named.end()
    if end is None:
        raise AssemblyError(start, "unbalanced brackets")
    reader.pos = end
    return found
