"""The tokens of sharding text, and its devices and metadata (spec: interchange, 2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sdy.dialect.sharding_text.device_order import Iota, Listed
from sdy.lazy_dataclass import dataclass

_SPACE = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*)*", re.ASCII | re.DOTALL)
"""Pattern between tokens: XLA numbers every fifth sharding of a tuple in a comment."""

_TOKEN = re.compile(
    r"""(?:(?P<name>[A-Za-z_]\w*=?)|(?P<int>-?\d+)|(?P<iota><=)|(?P<mark>[{}\[\](),:?=])
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)


class ShardingTextError(ValueError):
    """A text that is not a sharding; the message quotes it and gives the position of the error."""


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
    """`text` with unprintable bytes escaped as in MLIR."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in one.encode(errors="surrogateescape"))


def read_iota(tokens: Tokens) -> Iota:
    """``[2,4]T(1,0)``."""
    tokens.expect("[")
    reshape = tokens.integers("]")
    if min(reshape) < 1:
        raise tokens.wrong(f"size {min(reshape)} of devices is not positive")
    permutation: tuple[int, ...] = (0,)
    if len(reshape) > 1 or tokens.is_next("T"):
        tokens.expect("T")
        tokens.expect("(")
        permutation = tokens.integers(")")
    if sorted(permutation) != list(range(len(reshape))):
        listed = ",".join(map(str, permutation))
        raise tokens.wrong(f"T({listed}) is not a permutation of {len(reshape)} dimensions")
    return Iota.of(reshape, permutation)


def read_listed(tokens: Tokens) -> Listed:
    """``3,2,1,0``: devices 0 to n-1, each once."""
    devices = tokens.integers(None)
    _check(tokens, devices)
    return Listed(devices)


def _check(tokens: Tokens, devices: Sequence[int]) -> None:
    seen: set[int] = set()
    for device in devices:
        if device < 0:
            raise tokens.wrong(f"device {device} is negative")
        if device in seen:
            raise tokens.wrong(f"device {device} occurs twice")
        seen.add(device)
    missing = next((device for device in range(len(devices)) if device not in seen), None)
    if missing is not None:
        raise tokens.wrong(f"device {missing} is missing")


_TEXTS = ("deduplicated_name", "metadata_payload", "op_name", "op_type", "scheduling_name", "source_file")
_NUMBERS = ("source_column", "source_end_column", "source_end_line", "source_line", "stack_frame_id")


def read_metadata(tokens: Tokens) -> str:
    """Read ``{op_name="x" source_line=3}``, or a list of them in braces."""
    start = tokens.peek()
    tokens.expect("{")
    if tokens.is_next("{"):
        while True:
            tokens.expect("{")
            _entries(tokens)
            if not tokens.accept(","):
                break
        tokens.expect("}")
    else:
        _entries(tokens)
    return tokens.since(start)


def _entries(tokens: Tokens) -> None:
    """The entries behind an opening brace, and the closing one."""
    seen: set[str] = set()
    while not tokens.accept("}"):
        if seen:
            tokens.accept(",")
        name = tokens.peek().text
        if name in seen or tokens.peek().kind != "name" or not _is_known(name):
            raise tokens.expected("metadata")
        seen.add(name)
        tokens.take()
        _value(tokens, name.removesuffix("="))


def _is_known(name: str) -> bool:
    return name.endswith("=") and name[:-1] in (*_TEXTS, *_NUMBERS, "profile_type")


def _value(tokens: Tokens, name: str) -> None:
    if name in _TEXTS:
        tokens.quoted()
    elif name in _NUMBERS:
        tokens.integer()
    else:
        tokens.expect("{")
        tokens.integers("}")
