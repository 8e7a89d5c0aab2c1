"""Reading of text from the left, and how deep brackets in it are nested."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.values.axes import unquote
from sdy.lazy_dataclass import lazy_pattern
from sdy.mlir.interpreter import DEEPEST

GAP = r"(?:[ \t\r\n]++|//[^\r\n]*+)*+"
"""Pattern of white space and comments between two tokens."""

_SPACE = lazy_pattern(GAP)
_STRING = lazy_pattern(r'"((?:[^"\\\n\v\f]++|\\[^\n\v\f])*+)"')
_BAD_ESCAPE = lazy_pattern(r'(?<!\\)(?:\\\\)*+\\(?!["\\nt]|[0-9a-fA-F]{2})')
_INTEGER = lazy_pattern(rf"(-?){GAP}(0x[0-9a-fA-F]+|\d+)")
_WORD = lazy_pattern(r"[A-Za-z_][\w$.]*")
_VALUE = lazy_pattern(rf"%[\w$.\-]+(?:{GAP}#\d+)?")
_SIMPLE_TYPE = lazy_pattern(
    # No `?+` behind a group: Python before 3.11.5 goes on behind what did not match.
    r'(?:tensor|memref|vector|tuple|complex)<[^<>"]*+>|![A-Za-z_][\w$.]*(?:<[^<>"]*+>)?'
    r"|(?:index|none|bf16|tf32|f\d\w*|[su]?i\d+)(?![\w$.])"
)
_NAME_OF_TYPE = lazy_pattern(r"(?:tensor|memref|vector|tuple|complex|![A-Za-z_][\w$.]*)(?![\w$.])")
_LONGEST = 24
"""More characters than an integer of 64 bits has, in any notation."""

BRACKET = lazy_pattern(r'"(?:[^"\\\n]++|\\[^\n])*+"?|//[^\r\n]*+|->|[<>(){}\[\]]')
"""A bracket, or where brackets do not count: a comment, or a string, which may lack its end."""
_CLOSING = {"<": ">", "(": ")", "{": "}", "[": "]"}


class AssemblyError(Exception):
    """An error in the text at `offset`."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.seen = offset
        """Offset up to which the text is known to be right; upstream's errors before it come first."""
        self.is_upstreams = False
        """True if upstream's error is more precise."""
        self.instead: tuple[str, int] | None = None
        """For upstream to find out: what to put before the original text from an offset on."""
        self.end: int | None = None
        """End of the original text behind `instead`, if not the end of all text."""
        self.is_raw = False
        """True if that text is used without translation."""
        self.is_placed = False
        """True if the text before it has been translated."""
        self.stub: tuple[str, int] = ("", offset)
        """Replacement text and its offset, with which the text before it parses to its end."""


class Reader:
    """Reads MLIR text from `pos` on; every method skips blanks and comments in front of what it reads."""

    __slots__ = ("pos", "text")

    def __init__(self, text: str, pos: int = 0) -> None:
        self.text = text
        self.pos = pos

    def fail(self, message: str, at: int | None = None) -> AssemblyError:
        return AssemblyError(self.ahead() if at is None else at, message)

    def wrong_token(self, message: str) -> AssemblyError:
        """Make the error for an unexpected token. At the end of a line it says which token is missing."""
        at = self.ahead()
        return AssemblyError(self.pos if "\n" in self.text[self.pos : at] else at, message)

    def ahead(self) -> int:
        """Return the offset of the next character that is neither white space nor comment."""
        text, pos = self.text, self.pos
        if pos < len(text) and text[pos] in " \n\t\r/":
            found = _SPACE.match(text, pos)
            if found is not None:
                return found.end()
        return pos

    def skip(self) -> int:
        """Moves to the next significant character, and returns its offset."""
        self.pos = self.ahead()
        return self.pos

    def peek(self, literal: str) -> bool:
        return self.text.startswith(literal, self.ahead())

    def accept(self, literal: str) -> bool:
        """Reads `literal` if it comes next."""
        at = self.ahead()
        if not self.text.startswith(literal, at):
            return False
        self.pos = at + len(literal)
        return True

    def expect(self, literal: str) -> None:
        if not self.accept(literal):
            raise self.wrong_token(f"expected '{literal}'")

    def word(self) -> str | None:
        """A bare word, if one comes next."""
        found = _WORD.match(self.text, self.ahead())
        if found is None:
            return None
        self.pos = found.end()
        return found[0]

    def peek_word(self) -> str | None:
        found = _WORD.match(self.text, self.ahead())
        return found and found[0]

    def accept_word(self, word: str) -> bool:
        if self.peek_word() != word:
            return False
        self.word()
        return True

    def integer(self) -> int:
        """A signed integer of 64 bits."""
        start = self.ahead()
        literal = self.literal()
        if len(literal) > _LONGEST or not -(2**63) <= int(literal, 0) < 2**63:
            raise self.fail("integer does not fit into 64 bits", start)
        return int(literal, 0)

    def literal(self) -> str:
        """The text of an integer."""
        found = _INTEGER.match(self.text, self.ahead())
        if found is None:
            raise self.fail("expected an integer")
        self.pos = found.end()
        digits = found[2] if found[2].startswith("0x") else found[2].lstrip("0") or "0"
        return found[1] + digits

    def string(self) -> str:
        """A string literal, decoded."""
        found = _STRING.match(self.text, self.ahead())
        if found is None:
            raise self.fail("expected a string")
        body = found[1]
        if "\\" in body:
            if _BAD_ESCAPE.search(body):
                raise self.fail("unknown escape in string")
            body = unquote(body)
        self.pos = found.end()
        return body

    def symbol(self) -> str:
        """A flat symbol reference, without the ``@``."""
        start = self.skip()
        self.expect("@")
        if self.text.startswith('"', self.pos):
            name = self.string()
        else:
            found = _WORD.match(self.text, self.pos)
            if found is None:
                raise self.fail("expected a symbol name", start)
            self.pos = found.end()
            name = found[0]
        if self.text.startswith("::@", self.pos):
            raise self.fail("expected a flat symbol reference", start)
        return name

    def value(self) -> tuple[int, int]:
        """An SSA value's extent."""
        found = _VALUE.match(self.text, self.ahead())
        if found is None:
            raise self.wrong_token("expected an SSA value")
        self.pos = found.end()
        if "#" not in found[0] and self.peek("#"):
            raise self.fail("expected the number of a result")
        return found.span()

    def balanced(self) -> tuple[int, int]:
        """The extent of a bracketed text; strings, comments and arrows in it do not count."""
        start = self.skip()
        text = self.text
        if start >= len(text) or text[start] not in _CLOSING:
            raise self.fail("expected a bracket")
        stack: list[str] = []
        for token in BRACKET.finditer(text, start):
            char = token[0]
            if char in _CLOSING:
                stack.append(_CLOSING[char])
            elif char[0] == '"':
                if _STRING.match(text, token.start()) is None:
                    raise self.fail("expected '\"' in string literal", token.start())
            elif len(char) == 1:
                if stack.pop() != char:
                    raise self.fail(f"unbalanced '{char}'", token.start())
                if not stack:
                    self.pos = token.end()
                    return start, self.pos
        raise self.fail(f"'{text[start]}' is not closed", start)

    def type(self) -> tuple[int, int]:
        """The extent of a type."""
        before, start = self.pos, self.skip()
        text = self.text
        simple = _SIMPLE_TYPE.match(text, start)
        if simple is not None:
            self.pos = simple.end()
            if text.startswith("<", self.pos):
                self.balanced()
        elif text.startswith("(", start):
            self.balanced()
            self.expect("->")
            if self.peek("("):
                self.balanced()
            else:
                self.type()
        else:
            name = _NAME_OF_TYPE.match(text, start)
            if name is None:
                self.pos = before
                raise self.wrong_token("expected a type")
            self.pos = name.end()
            if self.peek("<"):
                self.balanced()
            elif name[0][0] != "!":
                raise self.wrong_token("expected '<'")
        return start, self.pos


LIMIT = DEEPEST
"""The deepest nesting that is read; upstream's parser takes twice that."""

_OPERATORS = 10 * LIMIT
"""Most operators in a line with affine expressions, each of which is nested in the one to its right."""

_USUAL = 50
"""Deeper than programs are nested."""

_PAIRS = (b"()", b"[]", b"{}", b"<>")
_OTHERS = bytes(set(range(256)) - set(b"()[]{}<>"))


def too_deep(text: str) -> int | None:
    """The offset of a bracket that is nested deeper than `LIMIT`; None if there is none."""
    return _exact(text) if _may_be_deep(text) else None


def _may_be_deep(text: str) -> bool:
    """Return whether brackets may be nested deeper than `LIMIT`; brackets in strings and comments count."""
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


_ALIAS = lazy_pattern(r"\n[ \t]*(?P<name>[#!][\w$.-]+)[ \t]*=(?P<body>.*)")
_NAME = lazy_pattern(r"[#!][A-Za-z_][\w$.-]*")
_AFFINE = lazy_pattern(r"\baffine_(?:map|set)\b.*")
_OPERATOR = lazy_pattern(r"[-+*]|\b(?:mod|floordiv|ceildiv)\b")
_SIGNS = lazy_pattern(rf"-(?:\s*-){{{LIMIT}}}")


def deep_without_brackets(text: str) -> int | None:
    """Return the offset of an attribute or type that exceeds `LIMIT` only through its aliases.

    Examples are aliases made of aliases, and repeated signs in an affine expression.
    """
    depths: dict[str, int] = {}
    for found in _ALIAS.finditer("\n" + text):  # what a pattern starts with is searched fast if it is one character
        body = found["body"]
        below = max((depths.get(name, 0) for name in _NAME.findall(body)), default=0)
        depths[found["name"]] = depth = below + max((depth for _, depth in _depths(body)), default=0)
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
