"""Split of a chain of computations into stages, so that the busiest mesh is as little busy as possible."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

MOST_NODES = 200_000
"""Partial splits that are looked at, from which on the best so far is taken."""


def best_split(seconds: Sequence[float], crossing: Sequence[float], owners: Sequence[int]) -> tuple[int, ...]:
    """Return the places of cuts: the first unit of each stage but the first.

    Args:
      seconds: of each unit of the chain.
      crossing: of each place between units, the seconds of the transfers there, which occupy both sides.
      owners: of each stage in order, the number of its mesh.

    Raises:
      ValueError: there are fewer units than stages.
    """
    count, stages = len(seconds), len(owners)
    if count < stages:
        raise ValueError(f"{count} computations are no {stages} stages")
    search = _Search(seconds, crossing, owners)
    search.best_cuts = _even(seconds, stages)
    search.best = search.load(search.best_cuts)
    search.extend((), [0.0] * (max(owners) + 1), 0.0)
    return search.best_cuts


def _even(seconds: Sequence[float], stages: int) -> tuple[int, ...]:
    """Return cuts near equal parts of the seconds."""
    sums = [0.0, *itertools.accumulate(seconds)]
    cuts: list[int] = []
    for stage in range(1, stages):
        low, high = (cuts[-1] if cuts else 0) + 1, len(seconds) - (stages - stage)
        wanted = sums[-1] * stage / stages
        cuts.append(min(range(low, high + 1), key=lambda cut, wanted=wanted: abs(sums[cut] - wanted)))
    return tuple(cuts)


class _Search:
    """Depth first search of cuts, from the first one on, that leaves out what is not below the best."""

    def __init__(self, seconds: Sequence[float], crossing: Sequence[float], owners: Sequence[int]) -> None:
        self.sums = [0.0, *itertools.accumulate(seconds)]
        self.crossing, self.owners = crossing, owners
        self.lowest = self.sums[-1] / (max(owners) + 1)
        self.nodes = 0
        self.best = float("inf")
        self.best_cuts: tuple[int, ...] = ()

    def load(self, cuts: tuple[int, ...]) -> float:
        """Return the seconds of the busiest mesh."""
        edges = (0, *cuts, len(self.sums) - 1)
        loads = [0.0] * (max(self.owners) + 1)
        for stage, (first, end) in enumerate(itertools.pairwise(edges)):
            loads[self.owners[stage]] += self._stage(stage, first, end)
        return max(loads)

    def _stage(self, stage: int, first: int, end: int) -> float:
        """Return the seconds of a stage with its transfers; neighbours on one mesh transfer nothing."""
        own, owners = self.owners[stage], self.owners
        before = self.crossing[first - 1] if stage and owners[stage - 1] != own else 0.0
        behind = self.crossing[end - 1] if stage + 1 < len(owners) and owners[stage + 1] != own else 0.0
        return self.sums[end] - self.sums[first] + before + behind

    def extend(self, cuts: tuple[int, ...], loads: list[float], most: float) -> None:
        """Try the places of the next cut; `loads` are those of the stages before it."""
        self.nodes += 1
        if self.nodes > MOST_NODES or self.best <= self.lowest * (1 + 1e-12):
            return
        stage, count = len(cuts), len(self.sums) - 1
        first = cuts[-1] if cuts else 0
        is_last = stage == len(self.owners) - 1
        last = count - (len(self.owners) - 1 - stage)
        for end in [count] if is_last else range(first + 1, last + 1):
            own = self.owners[stage]
            load = loads[own] + self._stage(stage, first, end)
            if load >= self.best:
                continue  # with transfers a longer stage may be less busy
            if is_last:
                self.best, self.best_cuts = max(most, load), cuts
                return
            longer = [*loads]
            longer[own] = load
            self.extend((*cuts, end), longer, max(most, load))
