"""Minimum cuts of directed graphs."""

from __future__ import annotations

from collections import deque
from typing import Final

UNLIMITED: Final = 1 << 100
"""Capacity of an edge that no cut goes through."""


class FlowNetwork:
    """A directed graph with capacities on its edges.

    `minimum_cut` pushes a maximum flow along shortest paths, level by level.
    """

    SOURCE: Final = 0
    SINK: Final = 1

    def __init__(self) -> None:
        self._edges: list[list[int]] = [[], []]
        self._ends: list[int] = []
        self._capacities: list[int] = []

    def add_node(self) -> int:
        """Return the number of a new node."""
        self._edges.append([])
        return len(self._edges) - 1

    def add_edge(self, start: int, end: int, capacity: int) -> None:
        """Add an edge of which a cut costs its capacity."""
        self._edges[start].append(len(self._ends))
        self._edges[end].append(len(self._ends) + 1)
        self._ends += (end, start)
        self._capacities += (capacity, 0)

    def minimum_cut(self) -> set[int]:
        """Return the nodes on the source's side of the cheapest cut: the one closest to the source of several."""
        while self.SINK in (levels := self._levels()):
            position = [0] * len(self._edges)
            while self._augment(levels, position):
                pass
        return set(levels)

    def _levels(self) -> dict[int, int]:
        """Return the distance from the source of every node that more flow could reach."""
        distance = {self.SOURCE: 0}
        waiting = deque([self.SOURCE])
        while waiting:
            node = waiting.popleft()
            for edge in self._edges[node]:
                end = self._ends[edge]
                if self._capacities[edge] and end not in distance:
                    distance[end] = distance[node] + 1
                    waiting.append(end)
        return distance

    def _augment(self, levels: dict[int, int], position: list[int]) -> bool:
        """Send as much as possible along one shortest path; `position` remembers edges that lead nowhere."""
        path: list[int] = []
        node = self.SOURCE
        while node != self.SINK:
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
