"""The cheapest set of vertices that separates the sources of a graph from its sinks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

_UNLIMITED = 1 << 100


class VertexCut:
    """A directed graph with weights on its vertices, which are numbered from 0.

    `solve` finds a cut by maximum flow (shortest augmenting paths, level by level). Of several cheapest cuts it returns
    the one closest to the sources, so the order of added edges does not matter.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        # Vertex v is the edge from node 2v to node 2v + 1; behind them the source and the sink.
        self._count = len(weights)
        self._source, self._sink = 2 * self._count, 2 * self._count + 1
        self._edges: list[list[int]] = [[] for _ in range(2 * self._count + 2)]
        self._ends: list[int] = []
        self._capacities: list[int] = []
        for vertex, weight in enumerate(weights):
            self._add(2 * vertex, 2 * vertex + 1, weight)

    def edge(self, start: int, end: int) -> None:
        self._add(2 * start + 1, 2 * end, _UNLIMITED)

    def follows(self, start: int, end: int) -> None:
        """An edge that a cut at `start` leaves: `end` is reached whenever `start` is."""
        self._add(2 * start, 2 * end, _UNLIMITED)

    def source(self, vertex: int) -> None:
        self._add(self._source, 2 * vertex, _UNLIMITED)

    def sink(self, vertex: int) -> None:
        self._add(2 * vertex + 1, self._sink, _UNLIMITED)

    def solve(self) -> tuple[set[int], set[int]]:
        """Return the vertices that a source reaches, including the cut; and the cut."""
        while levels := self._levels():
            position = [0] * len(self._edges)
            while self._augment(levels, position):
                pass
        seen = self._reachable()
        reached = {vertex for vertex in range(self._count) if 2 * vertex in seen}
        return reached, {vertex for vertex in reached if 2 * vertex + 1 not in seen}

    def _add(self, start: int, end: int, capacity: int) -> None:
        self._edges[start].append(len(self._ends))
        self._ends.append(end)
        self._capacities.append(capacity)
        self._edges[end].append(len(self._ends))
        self._ends.append(start)
        self._capacities.append(0)

    def _reachable(self) -> dict[int, int]:
        """Distance from the source of every node that more flow could reach."""
        distance = {self._source: 0}
        waiting = deque([self._source])
        while waiting:
            node = waiting.popleft()
            for edge in self._edges[node]:
                end = self._ends[edge]
                if self._capacities[edge] and end not in distance:
                    distance[end] = distance[node] + 1
                    waiting.append(end)
        return distance

    def _levels(self) -> dict[int, int] | None:
        distance = self._reachable()
        return distance if self._sink in distance else None

    def _augment(self, levels: dict[int, int], position: list[int]) -> bool:
        """Sends as much as possible along one shortest path; `position` remembers edges that lead nowhere."""
        path: list[int] = []
        node = self._source
        while node != self._sink:
            edge = self._next_edge(node, levels, position)
            if edge is not None:
                path.append(edge)
                node = self._ends[edge]
            elif path:
                node = self._ends[path.pop() ^ 1]
                position[node] += 1
            else:
                return False
        amount = min(self._capacities[edge] for edge in path)
        for edge in path:
            self._capacities[edge] -= amount
            self._capacities[edge ^ 1] += amount
        return True

    def _next_edge(self, node: int, levels: dict[int, int], position: list[int]) -> int | None:
        edges = self._edges[node]
        while position[node] < len(edges):
            edge = edges[position[node]]
            if self._capacities[edge] and levels.get(self._ends[edge]) == levels[node] + 1:
                return edge
            position[node] += 1
        return None
