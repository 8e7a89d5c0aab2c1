"""Cheapest vertex cuts, against trying all subsets."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from sdy.passes.partitioning.collectives.place_all_reduces import VertexCut


def reachable(edges: set[tuple[int, int]], sources: set[int], removed: set[int]) -> set[int]:
    """Vertices that a source reaches without entering what is removed; removed ones that are entered count."""
    seen: set[int] = set()
    waiting = list(sources)
    while waiting:
        vertex = waiting.pop()
        if vertex not in seen:
            seen.add(vertex)
            if vertex not in removed:
                waiting += [end for start, end in edges if start == vertex]
    return seen


@pytest.mark.parametrize("seed", range(40))
def test_cut_is_cheapest(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randrange(2, 9)
    weights = [rng.randrange(1, 10) for _ in range(count)]
    edges = {(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randrange(3 * count))}
    sources = set(rng.sample(range(count), k=rng.randrange(1, count)))
    sinks = set(rng.sample(range(count), k=rng.randrange(1, count)))
    graph = VertexCut(weights)
    for start, end in sorted(edges):
        graph.edge(start, end)
    for vertex in sorted(sources):
        graph.source(vertex)
    for vertex in sorted(sinks):
        graph.sink(vertex)
    reached, cut = graph.solve()

    def separates(removed: set[int]) -> bool:
        return not (reachable(edges, sources, removed) - removed) & sinks

    assert separates(cut)
    assert reached == reachable(edges, sources, cut)
    subsets = (set(chosen) for size in range(count + 1) for chosen in combinations(range(count), size))
    assert sum(weights[v] for v in cut) == min(sum(weights[v] for v in each) for each in subsets if separates(each))


def test_first_of_equals_is_taken() -> None:
    graph = VertexCut([2, 2, 2])
    graph.edge(0, 1)
    graph.edge(1, 2)
    graph.source(0)
    graph.sink(2)
    assert graph.solve() == ({0}, {0})


def test_what_follows_is_reached_through_a_cut() -> None:
    graph = VertexCut([1, 5])
    graph.follows(0, 1)
    graph.source(0)
    graph.sink(0)
    graph.sink(1)
    assert graph.solve() == ({0, 1}, {0, 1})


def test_a_graph_without_sinks_needs_no_cut() -> None:
    graph = VertexCut([3, 4])
    graph.edge(0, 1)
    graph.source(0)
    assert graph.solve() == ({0, 1}, set())
