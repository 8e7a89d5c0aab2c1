"""Damage to texts, as editors, disks and people do it: bytes and tokens deleted, swapped, inserted, files cut off."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.generators.mutations import mutated

_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[#@%!^]?[\w.$]+|->|[^\s\w]')
_INSERTED = [
    *(bytes([value]) for value in b"\0\x01\x7f\xff\xc3\x80\r\n\t\"\\/<>[](){}#@%^!=,:;?-'`"),
    *b'-> :: // {- \\" "" <{ }> ({ }) #sdy #sdy. #sdy< sdy. sdy.mesh sdy.return "sdy.reshard"('.split(b" "),
    *b"loc( dense< ^bb0 p1 z_".split(b" "),
    *b'99999999999999999999 -9223372036854775809 0x 1e999 %0#99 @"" \xe2\x86\x92 #-}'.split(b" "),
    b"\xef\xbb\xbf",
    b"<" * 300,
    b"[{(" * 200,
    b'sdy.named_computation<"a">() () {' * 50,
]


def damaged(text: str, rng: random.Random, *, light: bool = False) -> bytes:
    """`text` with one to five pieces of damage; if `light`, mostly with one that leaves it a module."""
    if rng.random() < (0.9 if light else 0.2):
        text = mutated(text, rng)
    data = text.encode()
    if light and rng.random() < 0.8:
        return data
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        data = rng.choice(_DAMAGE)(rng, data)
    return data


def _truncated(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] if rng.random() < 0.8 else data[at:]


def _byte(rng: random.Random, data: bytes) -> bytes:
    """A byte deleted, changed or repeated."""
    if not data:
        return data
    at = rng.randrange(len(data))
    changed = rng.choice([b"", bytes([rng.randrange(256)]), data[at : at + 1] * rng.choice([2, 1000])])
    return data[:at] + changed + data[at + 1 :]


def _inserted(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(_INSERTED) + data[at:]


def _token(rng: random.Random, data: bytes) -> bytes:
    """A token deleted, repeated, or replaced by another one or by something new."""
    tokens = list(_TOKEN.finditer(data))
    if not tokens:
        return data
    found, other = rng.choice(tokens), rng.choice(tokens)
    changed = rng.choice([b"", found[0] + b" " + found[0], other[0], rng.choice(_INSERTED)])
    return data[: found.start()] + changed + data[found.end() :]


def _swapped(rng: random.Random, data: bytes) -> bytes:
    """Two tokens, often neighbours, in each other's place."""
    tokens = list(_TOKEN.finditer(data))
    if len(tokens) < 2:
        return data
    first = rng.randrange(len(tokens) - 1)
    second = first + 1 if rng.random() < 0.5 else rng.randrange(first + 1, len(tokens))
    a, b = tokens[first], tokens[second]
    return data[: a.start()] + b[0] + data[a.end() : b.start()] + a[0] + data[b.end() :]


def _moved(rng: random.Random, data: bytes) -> bytes:
    """A piece deleted, repeated or moved."""
    start = rng.randint(0, len(data))
    end = min(len(data), start + rng.choice([3, 20, 200]))
    piece, rest = data[start:end], data[:start] + data[end:]
    if rng.random() < 0.3:
        return rest
    at = rng.randint(0, len(rest))
    return rest[:at] + piece * rng.choice([1, 2]) + rest[at:]


_DAMAGE: list[Callable[[random.Random, bytes], bytes]] = [_truncated, _byte, _byte, _inserted, _token, _swapped, _moved]
