"""A cursor over MLIR text, with the lexical rules of MLIR."""

from __future__ import annotations

import re

from sdy.dialect.values.axes import unquote

GAP = r"(?:[ \t\r\n]++|//[^\n]*+)*+"
"""What may stand between two tokens."""

_SPACE = re.compile(GAP)
_STRING = re.compile(r'"((?:[^"\\\n]++|\\[^\n])*+)"')
_BAD_ESCAPE = re.compile(r'(?<!\\)(?:\\\\)*+\\(?!["\\nt]|[0-9a-fA-F]{2})')
_INTEGER = re.compile(rf"(-?){GAP}(0x[0-9a-fA-F]+|\d+)")
_WORD = re.compile(r"[A-Za-z_][\w$.]*")
_VALUE = re.compile(rf"%[\w$.\-]+(?:{GAP}#\d+)?")
_SIMPLE_TYPE = re.compile(
    r'(?:tensor|memref|vector|tuple|complex)<[^<>"]*+>|![A-Za-z_][\w$.]*(?:<[^<>"]*+>)?+'
    r"|(?:index|none|bf16|tf32|f\d\w*|[su]?i\d+)(?![\w$.])"
)
_NAME_OF_TYPE = re.compile(r"(?:tensor|memref|vector|tuple|complex|![A-Za-z_][\w$.]*)(?![\w$.])")
_LONGEST = 24
"""More characters than an integer of 64 bits has, in any notation."""

BRACKET = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"?|//[^\n]*+|->|[<>(){}\[\]]')
"""A bracket, or where brackets do not count: a comment, or a string, which may lack its end."""
_CLOSING = {"<": ">", "(": ")", "{": "}", "[": "]"}


class AssemblyError(Exception):
    """The text at `offset` is not what it should be."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.seen = offset
        """How far the text was seen to be right before; upstream's errors in it come first."""
        self.is_upstreams = False
        """Whether upstream knows better what is wrong."""
        self.instead: tuple[str, int] | None = None
        """For upstream to find out: what to put before the original text from an offset on."""
        self.end: int | None = None
        """How far that text goes, if not to the end."""
        self.is_raw = False
        """Whether that text is taken as it is, without translation."""
        self.is_placed = False
        """Whether what comes before has been translated."""
        self.stub: tuple[str, int] = ("", offset)
        """What can stand there instead, and where, so that what comes before is read to its end."""


class Reader:
    """Reads MLIR text from `pos` on; every method skips blanks and comments in front of what it reads."""

    __slots__ = ("pos", "text")

    def __init__(self, text: str, pos: int = 0) -> None:
        self.text = text
        self.pos = pos

    def fail(self, message: str, at: int | None = None) -> AssemblyError:
        return AssemblyError(self.ahead() if at is None else at, message)

    def wrong_token(self, message: str) -> AssemblyError:
        """The error that something else comes next; if that is in another line, it is what is missing at the end."""
        at = self.ahead()
        return AssemblyError(self.pos if "\n" in self.text[self.pos : at] else at, message)

    def ahead(self) -> int:
        """Where the next character that counts is."""
        text, pos = self.text, self.pos
        if pos < len(text) and text[pos] in " \n\t\r/":
            found = _SPACE.match(text, pos)
            if found is not None:
                return found.end()
        return pos

    def skip(self) -> int:
        """Moves to the next character that counts, and returns where that is."""
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
