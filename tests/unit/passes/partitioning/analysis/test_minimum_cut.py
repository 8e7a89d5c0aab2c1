"""Cheapest cuts of edges, against trying all sides."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from sdy.passes.partitioning.analysis.minimum_cut import UNLIMITED, FlowNetwork

SOURCE, SINK = FlowNetwork.SOURCE, FlowNetwork.SINK

Edges = list[tuple[int, int, int]]


def _random(seed: int) -> tuple[FlowNetwork, list[int], Edges]:
    rng = random.Random(seed)
    network = FlowNetwork()
    nodes = [network.add_node() for _ in range(rng.randrange(1, 7))]
    everything = [SOURCE, SINK, *nodes]
    edges: Edges = []
    for _ in range(rng.randrange(20)):
        start, end = rng.sample(everything, 2)
        edges.append((start, end, rng.choice([rng.randrange(10), UNLIMITED])))
        network.add_edge(*edges[-1])
    return network, nodes, edges


@pytest.mark.parametrize("seed", range(40))
def test_cut_is_cheapest(seed: int) -> None:
    network, nodes, edges = _random(seed)
    sides = [{SOURCE, *chosen} for size in range(len(nodes) + 1) for chosen in combinations(nodes, size)]

    def cost(side: set[int]) -> int:
        return sum(capacity for start, end, capacity in edges if start in side and end not in side)

    least = min(map(cost, sides))
    if least < UNLIMITED:
        found = network.minimum_cut()
        assert cost(found) == least
        assert found == set.intersection(*(side for side in sides if cost(side) == least)), "closest to the source"


@pytest.mark.parametrize("seed", range(40))
def test_flow_ends_once_each_cut_costs_more(seed: int) -> None:
    network, _, edges = _random(seed)
    side = network.minimum_cut()
    least = sum(capacity for start, end, capacity in edges if start in side and end not in side)
    assert _random(seed)[0].push(least)
    assert not _random(seed)[0].push(least - 1)
