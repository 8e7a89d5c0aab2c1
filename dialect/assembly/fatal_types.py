"""Types that the upstream parser does not survive, found before they are handed over.

Elements in parentheses are taken for complex numbers, and what is in front of an encoding for a type: where there is
one element of another type, or no such type, the process ends.
"""

from __future__ import annotations

import re

from sdy.dialect.assembly.fatal import is_code
from sdy.mlir import ir

_NESTED = r"<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>"
_ALIAS = re.compile(r"![A-Za-z_][\w$-]*(?![\w$.<-])")
_PARENTHESIS = re.compile(r"dense\s*<\s*\(")
"""How those begin; without what is in front of a word it is found in a fraction of the time."""

_IN_PARENTHESES = re.compile(r"\bdense\s*<\s*\((?P<body>[^<>\"\n]*)>\s*:\s*(?P<type>[^\n]*)")
_SINGLE = re.compile(r"(?:tensor|vector|memref)\s*<\s*(?!complex\b)[\w!]")
_DIMENSION = re.compile(r"[\d?*\[\]]")
_NAMED = rf"(?:\([^()]*\)\s*->\s*)*!(?:[\w$.-])+(?:{_NESTED})?"
_BEFORE_ATTRIBUTE = re.compile(r",\s*#")
"""What every encoding comes with, and few texts have; it is found in a fraction of the time."""

_ENCODED = re.compile(rf"tensor\s*<(?:\s*(?:\d+|\?)\s*x)*+\s*(?P<element>{_NAMED})?\s*,\s*#")


def fatal_type(text: str, context: ir.Context) -> tuple[int, str] | None:
    """The offset of what would end the process, and what is wrong with it; None if nothing is known of.

    `context` is the one that the text is to be parsed into.
    """
    return _fatal_elements(text) or _fatal_encoding(text, context)


def _fatal_elements(text: str) -> tuple[int, str] | None:
    """A single element in parentheses whose type is not complex."""
    for found in _IN_PARENTHESES.finditer(text) if _PARENTHESIS.search(text) else ():
        type_ = _resolved(found["type"], text)
        is_single = _SINGLE.match(type_) and not _DIMENSION.match(type_[type_.index("<") + 1 :].lstrip())
        if is_single and is_code(text, found.start()):
            return found.start(), "element in parentheses is complex, but its type is not"
    return None


def _fatal_encoding(text: str, context: ir.Context) -> tuple[int, str] | None:
    """A tensor with an encoding and elements of a type that there is not."""
    known: set[str] = set()
    for found in _ENCODED.finditer(text) if _BEFORE_ATTRIBUTE.search(text) else ():
        element = found["element"] or ""
        if element in known or not is_code(text, found.start()):
            continue
        wrong = _wrong(element, text[: found.start()], context)
        if wrong is not None:
            return found.start("element") if element else found.end() - 1, wrong
        known.add(element)
    return None


def _wrong(element: str, before: str, context: ir.Context) -> str | None:
    """What is wrong with an element type behind the text `before`; None if it is a type."""
    if not element:
        return "expected a type in front of the encoding"
    aliases = _ALIAS.findall(element)
    if aliases:
        undefined = next((alias for alias in aliases if _definition(alias, before) is None), None)
        return undefined and f"undefined symbol alias id '{undefined[1:]}'"
    try:
        ir.Type.parse(element, context)
    except ir.MLIRError as error:
        return str(error.error_diagnostics[0].message) if error.error_diagnostics else f"{element} is no type"
    return None


def _resolved(type_: str, text: str) -> str:
    """A type in which aliases are what they stand for, as far as they are no chains of more than a few."""
    for _ in range(4):
        if "!" not in type_:
            break
        type_ = _ALIAS.sub(lambda alias: _definition(alias[0], text) or alias[0], type_)
    return type_


def _definition(alias: str, text: str) -> str | None:
    """What stands behind the first definition of an alias."""
    found = re.search(rf"^[ \t]*{re.escape(alias)}[ \t]*=[ \t]*(.*)", text, re.MULTILINE)
    return found[1] if found is not None else None
