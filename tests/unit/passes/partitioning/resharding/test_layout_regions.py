"""The part of a region that changes, against all parts."""

from __future__ import annotations

from itertools import combinations

import pytest

import sdy
from sdy.passes.partitioning.resharding import layout_regions
from sdy.passes.partitioning.resharding.layout_costs import Changes, LayoutCosts
from sdy.passes.partitioning.resharding.layout_graph import Node
from sdy.programs.parsing import parse_in_lean
from tests import depth
from tests.generators.sums import generate

_ANYTHING = 1.0
"""Seconds that no change of a region takes."""

_MOST = 9
"""Ops of a region of which all parts are tried."""


def test_the_part_that_saves_most_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of several users may save what the cut counts only if all of them change: seldom more than a tenth.

    A cut may end early for it, too, in one of fifty.
    """
    cheapest = layout_regions._cheapest_part
    found: list[tuple[float, float]] = []
    ended: list[bool] = []

    def checked(node: Node, spread: Changes, costs: LayoutCosts, least: float) -> Changes:
        chosen = cheapest(node, spread, costs, -_ANYTHING)
        ended_early = cheapest(node, spread, costs, least)
        assert ended_early in (chosen, {})
        ended.append(ended_early == chosen or _saved(costs, chosen) < least)
        others = [each for each in spread if each is not node]
        if len(others) < _MOST:
            parts = [{node, *part} for size in range(len(others) + 1) for part in combinations(others, size)]
            saved = [_saved(costs, {each: spread[each] for each in spread if each in part}) for part in parts]
            found.append((_saved(costs, chosen), max(saved)))
        return ended_early

    monkeypatch.setattr(layout_regions, "_cheapest_part", checked)
    for seed in depth.seeds(60, 600):
        sdy.run(parse_in_lean(generate(seed)), "sdy-partition-pipeline")
    gains = [(cut, best) for cut, best in found if best > 0]
    assert len(gains) >= 5
    assert sum(ended) >= (0.98 if depth.ALL else 1) * len(ended)
    assert sum(cut >= 0.9 * best for cut, best in gains) >= (0.95 if depth.ALL else 1) * len(gains)
    assert sum(cut >= best * (1 - 1e-6) for cut, best in gains) >= 0.9 * len(gains)


def _saved(costs: LayoutCosts, changes: Changes) -> float:
    found = costs.saved(changes, float("-inf"))
    assert found is not None
    return found[0]
