"""Names that are not taken yet."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """Gives names as XLA does: `base`, `base.1`, `base.2`, ..., skipping those in use."""

    def __init__(self, used: Iterable[str]) -> None:
        self._used = set(used)
        self._next: dict[str, int] = {}

    def new(self, base: str) -> str:
        number = self._next.get(base, 0)
        name = f"{base}.{number}" if number else base
        while name in self._used:
            number += 1
            name = f"{base}.{number}"
        self._next[base] = number + 1
        self._used.add(name)
        return name
