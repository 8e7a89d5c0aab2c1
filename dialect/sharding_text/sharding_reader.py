"""Reading sharding text (spec: interchange, 2.1)."""

from __future__ import annotations

import math
from functools import lru_cache

from sdy.dialect.sharding_text.canonical import canonical
from sdy.dialect.sharding_text.device_reader import read_iota, read_listed
from sdy.dialect.sharding_text.forms import HloSharding, Kind, Leaf, Maximal, Several, Tail, Tiles, Whole
from sdy.dialect.sharding_text.lexer import Tokens
from sdy.dialect.sharding_text.metadata_reader import read_metadata
from sdy.dialect.sharding_text.named_reader import is_named, read_named

_WORDS = ("replicated", "manual", "unknown", "unreduced")


@lru_cache(maxsize=4096)
def read(text: str) -> HloSharding:
    """The sharding that `text` says, tiles in canonical form.

    Raises:
      ShardingTextError: it says none, or one whose devices are not 0 to n-1, each once.
    """
    tokens = Tokens(text)
    tokens.expect("{")
    found: HloSharding = _several(tokens) if tokens.is_next("{") else _leaf(tokens)
    if tokens.peek().kind != "end":
        raise tokens.expected("the end of the sharding")
    return found


def _several(tokens: Tokens) -> Several:
    leaves: list[Leaf] = []
    while True:
        tokens.expect("{")
        if tokens.is_next("{") or tokens.is_next("}"):
            raise tokens.expected("the sharding of one value")
        leaves.append(_leaf(tokens))
        if not tokens.accept(","):
            tokens.expect("}")
            return Several(tuple(leaves))


def _leaf(tokens: Tokens) -> Leaf:
    """A sharding of one value, behind its opening brace."""
    if is_named(tokens):
        return read_named(tokens)
    if tokens.accept("}"):
        return Whole("")
    for word in _WORDS:
        if tokens.accept(word):
            return Whole(word, tail=_tail(tokens))
    if tokens.accept("maximal"):
        return _maximal(tokens)
    if tokens.accept("devices="):
        return _tiles(tokens)
    raise tokens.expected("a sharding")


def _maximal(tokens: Tokens) -> Maximal:
    tokens.expect("device=")
    device = tokens.integer()
    if device < 0:
        raise tokens.wrong(f"device {device} is negative")
    return Maximal(device, tail=_tail(tokens))


def _tiles(tokens: Tokens) -> Tiles | Whole:
    tokens.expect("[")
    dims = tokens.integers("]")
    if min(dims) < 1:
        raise tokens.wrong(f"number of tiles {min(dims)} is not positive")
    if math.prod(dims) >= 2**31:
        raise tokens.wrong("there are too many tiles")
    if math.prod(dims) == 1 and not tokens.is_next("<="):
        raise tokens.expected("'<='")
    devices = read_iota(tokens) if tokens.accept("<=") else read_listed(tokens)
    if devices.size != math.prod(dims):
        raise tokens.wrong(f"{devices.size} devices for {math.prod(dims)} tiles")
    parts = _Parts()
    while not tokens.accept("}"):
        parts.read(tokens)
    groups = parts.groups or ()
    if len(groups) > len(dims):
        raise tokens.wrong(f"{len(groups)} kinds of groups for {len(dims)} tile dimensions")
    return canonical(Tiles(dims, devices, groups, tail=parts.tail()))


class _Parts:
    """What follows the devices, in any order, each part once."""

    def __init__(self) -> None:
        self.groups: tuple[Kind, ...] | None = None
        self._shard_group = ""
        self._metadata = ""

    def read(self, tokens: Tokens) -> None:
        """One part."""
        if self.groups is None and tokens.accept("last_tile_dim_replicate"):
            self.groups = (Kind.REPLICATED,)
        elif self.groups is None and tokens.accept("last_tile_dims="):
            self.groups = _kinds(tokens)
        elif not self.read_tail(tokens):
            raise tokens.expected("'}'")

    def read_tail(self, tokens: Tokens) -> bool:
        """Whether there was a group of values or metadata, which is taken."""
        word = tokens.peek().text
        if not self._shard_group and word in ("shard_as", "shard_like"):
            tokens.take()
            self._shard_group = f"{word} {tokens.integer()}"
        elif not self._metadata and tokens.accept("metadata="):
            self._metadata = f"metadata={read_metadata(tokens)}"
        else:
            return False
        return True

    def tail(self) -> Tail:
        return Tail(self._shard_group, self._metadata)


def _tail(tokens: Tokens) -> Tail:
    parts = _Parts()
    while not tokens.accept("}"):
        if not parts.read_tail(tokens):
            raise tokens.expected("'}'")
    return parts.tail()


def _kinds(tokens: Tokens) -> tuple[Kind, ...]:
    tokens.expect("{")
    kinds: list[Kind] = []
    while not tokens.accept("}"):
        if kinds:
            tokens.expect(",")
        kind = next((kind for kind in Kind if tokens.accept(kind.value)), None)
        if kind is None:
            raise tokens.expected("one of " + ", ".join(kind.value for kind in Kind))
        kinds.append(kind)
    return tuple(kinds)
