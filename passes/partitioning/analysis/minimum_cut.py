"""Minimum cuts of directed graphs."""

from __future__ import annotations

import math
from collections.abc import Iterator
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
        self._left: list[dict[int, int]] = [{}, {}]
        """For each node, how much more flow the edges to its neighbours can take."""

    def add_node(self) -> int:
        """Return the number of a new node."""
        self._left.append({})
        return len(self._left) - 1

    def add_edge(self, start: int, end: int, capacity: int) -> None:
        """Add an edge of which a cut costs its capacity; capacities of edges between the same nodes add up."""
        self._left[start][end] = self._left[start].get(end, 0) + capacity
        self._left[end].setdefault(start, 0)

    def minimum_cut(self) -> set[int]:
        """Return the nodes on the source's side of the cheapest cut: the one closest to the source of several."""
        self.push(math.inf)
        return set(self._levels())

    def push(self, most: float) -> bool:
        """Push as much flow as possible; return False as soon as it is more than `most`: each cut costs more then."""
        flow = 0
        while flow <= most:
            levels = self._levels()
            if self.SINK not in levels:
                return True
            for amount in self._paths(levels):
                flow += amount
                if flow > most:
                    break
        return False

    def _levels(self) -> dict[int, int]:
        """Return the distance from the source of every node that more flow could reach, none behind the sink."""
        levels = {self.SOURCE: 0}
        reached = [self.SOURCE]
        for node in reached:
            if node == self.SINK:
                break
            level = levels[node] + 1
            for end, left in self._left[node].items():
                if left and end not in levels:
                    levels[end] = level
                    reached.append(end)
        return levels

    def _paths(self, levels: dict[int, int]) -> Iterator[int]:
        """Send as much as possible along each shortest path; yield the amounts."""
        ahead: dict[int, list[int]] = {}
        path = [self.SOURCE]
        while path:
            node = path[-1]
            if node not in ahead:
                level = levels[node] + 1
                ahead[node] = [end for end, left in self._left[node].items() if left and levels.get(end) == level]
            ends = ahead[node]
            while ends and not self._left[node][ends[-1]]:
                ends.pop()
            if not ends:
                path.pop()
                if path:
                    ahead[path[-1]].pop()
                continue
            path.append(ends[-1])
            if ends[-1] == self.SINK:
                yield self._send(path)
                path = [self.SOURCE]

    def _send(self, path: list[int]) -> int:
        """Send as much as possible along a path; return how much."""
        edges = list(zip(path, path[1:], strict=False))
        amount = min(self._left[start][end] for start, end in edges)
        for start, end in edges:
            self._left[start][end] -= amount
            self._left[end][start] += amount
        return amount
