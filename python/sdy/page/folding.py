"""Folds equal neighbours of a tree (the layers of a network), and repeated sequences of ops.

Equal means: with the same ops, types, shardings in every plan, and collectives. Names may differ in digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import numpy as np

from sdy.page.scopes import Node

_DIGITS = re.compile(r"\d+")

LEAST_REPEATS, LEAST_STRETCH = 4, 3
"""Minimum repetitions of a stretch, and its minimum number of ops, to be folded."""

_LONGEST_STRETCH = 512


def repeated(nodes: Iterable[Node]) -> Iterator[int]:
    """Return the ops in all but the first of equal neighbours, in folded trees."""
    for node in nodes:
        later = node.children[1:] if node.kind == "fold" else []
        yield from (number for child in later for number in _ops(child))
        yield from repeated(node.children[:1] if later else node.children)


def _ops(node: Node) -> Iterator[int]:
    if node.op >= 0:
        yield node.op
    for child in node.children:
        yield from _ops(child)


Facts = Callable[[int], Hashable]
"""All of an op, by its number, in which equal ones must not differ."""


class Folder:
    """Folds a tree; `facts` returns the display of an op, `alike` the part that decides equality."""

    def __init__(self, facts: Facts, alike: Facts) -> None:
        self._facts, self._alike = facts, alike
        self._hashes: dict[tuple[Hashable, ...], int] = {}

    def fold(self, node: Node) -> None:
        """Folds what is below a node, in place."""
        self._fold(node)

    def _fold(self, node: Node) -> int:
        """Return the number of a node's content; equal nodes have equal numbers."""
        numbers = [self._fold(child) for child in node.children]
        own = (
            node.kind,
            node.phase,
            _DIGITS.sub("#", node.label) if node.kind != "func" else node.label,
            self._facts(node.op) if node.op >= 0 else None,
            *numbers,
        )
        if node.children:
            node.children = self._equal_runs(node.children, numbers)
            node.children = self._repeats(node.children)
        return self._hashes.setdefault(own, len(self._hashes))

    def _equal_runs(self, children: list[Node], numbers: Sequence[int]) -> list[Node]:
        found: list[Node] = []
        at = 0
        while at < len(children):
            end = at + 1
            while end < len(children) and numbers[end] == numbers[at]:
                end += 1
            run = children[at:end]
            if len(run) > 1 and run[0].children:
                phase = run[0].phase
                found.append(Node("fold", f"{run[0].label} … {run[-1].label}", phase=phase, children=run))
            else:
                found += run
            at = end
        return found

    def _repeats(self, children: list[Node]) -> list[Node]:
        """Fold consecutive equal single ops, possibly with different shapes."""
        numbers: dict[Hashable, int] = {}
        codes = [numbers.setdefault(self._key(child), len(numbers)) for child in children]
        periods = _periods(codes) if len(codes) >= LEAST_REPEATS * LEAST_STRETCH else [0] * len(codes)
        found: list[Node] = []
        at = 0
        while at < len(children):
            if period := periods[at]:
                count = _times(codes, at, period)
                groups = [children[start : start + period] for start in range(at, at + period * count, period)]
                parts = [Node("scope", f"{n + 1} of {count}", children=group) for n, group in enumerate(groups)]
                label = " ".join(dict.fromkeys(child.label for child in groups[0] if child.label != "constant"))
                found.append(Node("repeat", label, children=parts))
                at += period * count
            else:
                found.append(children[at])
                at += 1
        return found

    def _key(self, node: Node) -> Hashable:
        if node.kind == "op" and not node.children:
            return self._alike(node.op)
        return node.kind, _DIGITS.sub("#", node.label), node.phase, len(node.children)


def _periods(codes: Sequence[int]) -> list[int]:
    """Return, for each position, the length of the shortest sequence that repeats often enough from there, else 0.

    A stretch of a single code is none.
    """
    row = np.asarray(codes)
    count = len(row)
    found = np.zeros(count, dtype=np.int64)
    changes = np.append(np.flatnonzero(row[1:] != row[:-1]) + 1, count)
    same = changes[np.searchsorted(changes, np.arange(count), side="right")] - np.arange(count)
    for period in range(LEAST_STRETCH, min(count // LEAST_REPEATS, _LONGEST_STRETCH) + 1):
        breaks = np.append(np.flatnonzero(row[period:] != row[:-period]), count - period)
        starts = np.append(0, breaks[:-1] + 1)
        ends = breaks - (LEAST_REPEATS - 1) * period + 1
        for start, end in zip(starts[ends > starts].tolist(), ends[ends > starts].tolist(), strict=True):
            part = found[start:end]
            part[(part == 0) & (same[start:end] < period)] = period
    return found.tolist()


def _times(codes: Sequence[int], at: int, period: int) -> int:
    """Return how often the stretch of this length at a position repeats in a row."""
    end = at + period
    while end < len(codes) and codes[end] == codes[end - period]:
        end += 1
    return (end - at) // period
