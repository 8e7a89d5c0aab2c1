"""Attributes that are written as a whole where their stripped form would do: ``#sdy.sharding<...>``, or an alias."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from sdy.dialect.assembly.foreign import definition, end_of_symbol
from sdy.dialect.assembly.reader import GAP, AssemblyError, Reader

T = TypeVar("T")

_ALIAS = re.compile(r"#[\w$.\-]+")
_OF_DIALECT = re.compile(rf"#sdy(?:\.(\w+)|<{GAP}(\w+))")


def either(read: Callable[[Reader], T]) -> Callable[[Reader], T]:
    """Reads the stripped form by `read`, which has the attribute's name, or the attribute as a whole."""

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
    opening = named.end() if named[1] else start + len("#sdy")
    end = end_of_symbol(text, opening) if text.startswith("<", opening) else named.end()
    if end is None:
        raise AssemblyError(start, "unbalanced brackets")
    reader.pos = end
    return found
