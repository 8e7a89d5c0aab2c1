"""How deep Python may recurse while it works on programs, which may be nested more deeply than Python's own limit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sdy.mlir.process_lock import process_lock

DEEPEST = 1000
"""The deepest nesting of programs."""

_FRAMES = 10
"""Python calls per level of nesting, at most."""


@dataclass
class _Room:
    """How many blocks need the room, and the limit that there was before the first."""

    users: int = 0
    usual: int = 0


_room, _changing = _Room(), process_lock()


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Lets Python recurse into programs that are nested up to `DEEPEST` for the time of the block.

    Python has one limit for all threads, so the last block to end restores it.
    """
    with _changing:
        if not _room.users:
            _room.usual = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_room.usual, DEEPEST * _FRAMES))
        _room.users += 1
    try:
        yield
    finally:
        with _changing:
            _room.users -= 1
            if not _room.users:
                sys.setrecursionlimit(_room.usual)
