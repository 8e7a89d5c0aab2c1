"""The limit of what passes may keep on each device instead of sending it once more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from sdy.passes.partitioning.partition_options import KEPT_BYTES, KEPT_BYTES_HELP

T = TypeVar("T")


@dataclass(frozen=True)
class KeptBytesOptions:
    """Options of passes that keep what is sent."""

    kept_bytes: int = field(default=KEPT_BYTES, metadata={"help": KEPT_BYTES_HELP})

    def that_fit(self, found: Iterable[T], size: Callable[[T], float]) -> list[T]:
        """The smallest of what is found, as many as fit together; `size` is in bytes on each device."""
        chosen: list[T] = []
        room = float(self.kept_bytes)
        for one in sorted(found, key=size):
            room -= size(one)
            if room < 0:
                break
            chosen.append(one)
        return chosen
