"""The tokens of sharding text, and where each begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPACE = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*)*", re.ASCII | re.DOTALL)
"""What is between tokens: XLA numbers every fifth sharding of a tuple in a comment."""

_TOKEN = re.compile(
    r"""(?:(?P<name>[A-Za-z_]\w*=?)|(?P<int>-?\d+)|(?P<iota><=)|(?P<mark>[{}\[\](),:?=])
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)


class ShardingTextError(ValueError):
    """A text that is no sharding; the message quotes it and says where it ends to be one."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; `kind` is one of name, int, iota, mark, text, end."""

    kind: str
    text: str
    column: int


class Tokens:
    """The tokens of a sharding, taken from the left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._all())
        self._next = 0

    def _all(self) -> Iterator[Token]:
        position = self._behind_space(0)
        while position < len(self._text):
            found = _TOKEN.match(self._text, position)
            if found is None or found.lastgroup is None:
                raise self._error("unexpected character", position + 1)
            yield Token(found.lastgroup, found[found.lastgroup], position + 1)
            position = self._behind_space(found.end())
        yield Token("end", "", len(self._text) + 1)

    def _behind_space(self, position: int) -> int:
        found = _SPACE.match(self._text, position)
        return position if found is None else found.end()

    def peek(self) -> Token:
        return self._tokens[self._next]

    def take(self) -> Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def is_next(self, text: str) -> bool:
        token = self.peek()
        return token.text == text and token.kind != "text"

    def accept(self, text: str) -> bool:
        """Takes the next token if it is `text`."""
        if not self.is_next(text):
            return False
        self.take()
        return True

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.expected(f"'{text}'")

    def integer(self) -> int:
        if self.peek().kind != "int":
            raise self.expected("an integer")
        token = self.take()
        if len(token.text) > 18:
            raise self._error(f"the number {token.text} is too large", token.column)
        return int(token.text)

    def integers(self, end: str | None) -> tuple[int, ...]:
        """Integers with commas between them, and the mark behind them."""
        found = [self.integer()]
        while self.accept(","):
            found.append(self.integer())
        if end is not None:
            self.expect(end)
        return tuple(found)

    def quoted(self) -> str:
        """A text in quotes, without them."""
        if self.peek().kind != "text":
            raise self.expected("a name in quotes")
        return re.sub(r"\\(.)", r"\1", self.take().text[1:-1], flags=re.DOTALL)

    def since(self, start: Token) -> str:
        """The text from `start` to the last token that was taken."""
        last = self._tokens[self._next - 1]
        return self._text[start.column - 1 : last.column - 1 + len(last.text)]

    def expected(self, what: str) -> ShardingTextError:
        return self._error(f"expected {what}", self.peek().column)

    def wrong(self, message: str) -> ShardingTextError:
        """An error about the text as a whole."""
        return ShardingTextError(f'{message} in the sharding "{printable(self._text)}"')

    def _error(self, message: str, column: int) -> ShardingTextError:
        return ShardingTextError(f'cannot read the sharding "{printable(self._text)}": {message} at column {column}')


def printable(text: str) -> str:
    """`text` with the bytes of what cannot be shown as MLIR writes them."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in one.encode(errors="surrogateescape"))
