"""Cheapest cuts of edges, against trying all sides."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from sdy.passes.partitioning.analysis.minimum_cut import UNLIMITED, FlowNetwork

SOURCE, SINK = FlowNetwork.SOURCE, FlowNetwork.SINK


@pytest.mark.parametrize("seed", range(40))
def test_cut_is_cheapest(seed: int) -> None:
    rng = random.Random(seed)
    network = FlowNetwork()
    nodes = [network.add_node() for _ in range(rng.randrange(1, 7))]
    everything = [SOURCE, SINK, *nodes]
    edges = [(*rng.sample(everything, 2), rng.choice([rng.randrange(10), UNLIMITED])) for _ in range(rng.randrange(20))]
    for start, end, capacity in edges:
        network.add_edge(start, end, capacity)
    sides = [{SOURCE, *chosen} for size in range(len(nodes) + 1) for chosen in combinations(nodes, size)]

    def cost(side: set[int]) -> int:
        return sum(capacity for start, end, capacity in edges if start in side and end not in side)

    least = min(map(cost, sides))
    if least < UNLIMITED:
        found = network.minimum_cut()
        assert cost(found) == least
        assert found == set.intersection(*(side for side in sides if cost(side) == least)), "closest to the source"
