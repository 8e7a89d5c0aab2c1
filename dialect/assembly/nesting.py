"""How deep brackets are nested: the upstream parser recurses, and takes the process along when its stack is used up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdy.dialect.assembly.reader import BRACKET
from sdy.mlir.interpreter import DEEPEST

LIMIT = DEEPEST
"""The deepest nesting that is read; upstream's parser takes twice that."""

_OPERATORS = 10 * LIMIT
"""How many operators may be in a line with affine expressions, each of which is nested in the one to its right."""

_USUAL = 50
"""Deeper than programs are nested."""

_PAIRS = (b"()", b"[]", b"{}", b"<>")
_OTHERS = bytes(set(range(256)) - set(b"()[]{}<>"))


def too_deep(text: str) -> int | None:
    """The offset of a bracket that is nested deeper than `LIMIT`; None if there is none."""
    return _exact(text) if _may_be_deep(text) else None


def _may_be_deep(text: str) -> bool:
    """Whether brackets may be nested deeper than that; fast, but brackets in strings and comments count as well."""
    left = text.replace("->", "").encode("ascii", "replace").translate(None, _OTHERS)
    for _ in range(_USUAL):
        if len(left) <= LIMIT:
            return False
        before = len(left)
        for pair in _PAIRS:
            left = left.replace(pair, b"")
        if len(left) == before:
            break
    return True


def _exact(text: str) -> int | None:
    return next((offset for offset, depth in _depths(text) if depth > LIMIT), None)


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """The offsets of opening brackets, and how deep they are."""
    depth = 0
    for token in BRACKET.finditer(text):
        if token[0] in "([{<":
            depth += 1
            yield token.start(), depth
        elif token[0] in ")]}>":
            depth = max(0, depth - 1)


def _depth(body: str) -> int:
    """How deep what an alias stands for is by itself."""
    return max((depth for _, depth in _depths(body)), default=0)


_ALIAS = re.compile(r"\n[ \t]*(?P<name>[#!][\w$.-]+)[ \t]*=(?P<body>.*)")
_NAME = re.compile(r"[#!][A-Za-z_][\w$.-]*")
_AFFINE = re.compile(r"\baffine_(?:map|set)\b.*")
_OPERATOR = re.compile(r"[-+*]|\b(?:mod|floordiv|ceildiv)\b")
_SIGNS = re.compile(rf"-(?:\s*-){{{LIMIT}}}")


def deep_without_brackets(text: str) -> int | None:
    """The offset of what makes an attribute or type deeper than `LIMIT` without as many brackets in one place.

    That are aliases that are made of aliases, and signs in front of each other in an affine expression.
    """
    depths: dict[str, int] = {}
    for found in _ALIAS.finditer("\n" + text):  # what a pattern starts with is searched fast if it is one character
        body = found["body"]
        below = max((depths.get(name, 0) for name in _NAME.findall(body)), default=0)
        depths[found["name"]] = depth = below + _depth(body)
        if depth > LIMIT:
            return found.start("name") - 1
    for found in _AFFINE.finditer(text) if "affine_" in text else ():
        signs = _SIGNS.search(found[0])
        if signs is not None:
            return found.start() + signs.start()
        for number, operator in enumerate(_OPERATOR.finditer(found[0])):
            if number == _OPERATORS:
                return found.start() + operator.start()
    return None
