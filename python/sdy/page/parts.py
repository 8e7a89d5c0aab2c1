"""What of a page may be left out, since it costs time."""

from __future__ import annotations

from dataclasses import dataclass

LARGE = 3000
"""Ops from which on cures are only looked for if that is asked for: each tries dozens of changes of the program."""

MOST_EXPLAINED = 60_000
"""Ops up to which it is told of all values where their shardings came from; then of the first of equal layers only."""

_USUAL = 3


@dataclass(frozen=True, slots=True)
class Parts:
    """What a page is to have.

    Attributes:
      reasons: where shardings came from, and what each collective is caused by.
      cures: for how many collectives it is tried out what would remove them; those that send most come first, one of
        all that are alike. By default for a few of them, in large programs for none.
      sources: the lines of source files that ops come from.
    """

    reasons: bool = True
    cures: int | None = None
    sources: bool = True

    def __post_init__(self) -> None:
        if self.cures is not None and self.cures < 0:
            raise ValueError(f"cures are looked for in {self.cures} collectives: the number must be 0 or more")

    def cures_for(self, ops: int) -> int:
        """For how many collectives cures are looked for in a program of so many ops."""
        if self.cures is not None:
            return self.cures
        return _USUAL if ops <= LARGE else 0
