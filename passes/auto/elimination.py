"""Exact minimisation of sums of tables over variables, by eliminating one variable after the other.

The method is bucket elimination, that is dynamic programming over a tree decomposition (R. Dechter, "Bucket
elimination: a unifying framework for reasoning", Artificial Intelligence 113, 1999). A variable is replaced by a table
over its neighbours, the least that it and all tables which mention it add; that makes its neighbours neighbours of each
other. The order decides how large the tables get. It is made once for a graph and used for all domains.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sdy.passes.auto.tables import NEVER, Cost, Tables

LIMIT = 1 << 22
"""Entries of the largest table that is made, 32 MiB; where a larger one would be needed, a variable is fixed."""

Edge = tuple[int, int]
"""Two variables; the rows of its table are states of the first one."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A variable, its neighbours that are left, and the tables that mention it.

    Each table is that of an edge (its number) or the message of an earlier step (its number, negative: ``~step``),
    with the axes of the joint table, the variable first, that its own axes are.
    """

    variable: int
    neighbours: tuple[int, ...]
    sources: tuple[int, ...]
    axes: tuple[tuple[int, ...], ...]
    shape_of_sources: int


@dataclass(slots=True)
class Elimination:
    """The order of elimination of one graph, and what was computed in it.

    `edges` are pairs of different variables. `weights` say how many states variables have, as
    a rule: the order is that of least tables.
    """

    tables: Tables
    edges: Sequence[Edge]
    weights: Sequence[int]
    steps: list[_Step] = field(default_factory=list)
    _alignments: dict[tuple[tuple[int, ...], ...], int] = field(default_factory=dict)
    _messages: dict[tuple[int, ...], tuple[int, np.ndarray]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        order, left = elimination_order(len(self.weights), self.edges, self.weights)
        position = {variable: number for number, variable in enumerate(order)}
        sources: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in order]
        for number, pair in enumerate(self.edges):
            first = min(pair, key=position.__getitem__)
            sources[position[first]].append((number, pair))
        for number, variable in enumerate(order):
            neighbours = tuple(sorted(left[variable], key=position.__getitem__))
            place = {variable: 0, **{one: at for at, one in enumerate(neighbours, 1)}}
            axes = tuple(tuple(place[one] for one in mentioned) for _, mentioned in sources[number])
            alignment = self._alignments.setdefault((*axes, (len(neighbours),)), len(self._alignments))
            self.steps.append(_Step(variable, neighbours, tuple(n for n, _ in sources[number]), axes, alignment))
            if neighbours:
                sources[position[neighbours[0]]].append((~number, neighbours))

    def oversized(self, sizes: Sequence[int], limit: int = LIMIT) -> list[int]:
        """Variables that have to keep their state so that no table exceeds the limit, in order."""
        sizes, fixed = list(sizes), []
        for step in self.steps:
            members = (step.variable, *step.neighbours)
            while math.prod(sizes[one] for one in members) > limit:
                worst = max(members, key=lambda one: (sizes[one], -one))
                sizes[worst] = 1
                fixed.append(worst)
        return fixed

    def solve(self, own: Sequence[int], between: Sequence[int]) -> list[int]:
        """The states with the least sum: per variable an index into its table; the lowest one where several are best.

        `own` are the tables of the variables, `between` those of the edges, by their numbers in `tables`.
        """
        messages = [0] * len(self.steps)
        choices: list[np.ndarray] = []
        known = self._messages
        for number, step in enumerate(self.steps):
            mentioned = [between[source] if source >= 0 else messages[~source] for source in step.sources]
            key = (step.shape_of_sources, own[step.variable], *mentioned)
            found = known.get(key)
            if found is None:
                found = known[key] = self._eliminate(step, own[step.variable], mentioned)
            messages[number] = found[0]
            choices.append(found[1])
        states = [0] * len(self.steps)
        for step, choice in zip(reversed(self.steps), reversed(choices), strict=True):
            states[step.variable] = int(choice[tuple(states[one] for one in step.neighbours)])
        return states

    def _eliminate(self, step: _Step, own: int, mentioned: Sequence[int]) -> tuple[int, np.ndarray]:
        rank = len(step.neighbours) + 1
        total = self.tables[own].reshape((-1, *[1] * (rank - 1)))
        for table, axes in zip(mentioned, step.axes, strict=True):
            total = total + _aligned(self.tables[table], axes, rank)
        choice = total.argmin(axis=0)
        message = total.min(axis=0)
        if rank == 1:
            return 0, choice
        return self.tables.number(np.minimum(message - message.min(), NEVER)), choice


def _aligned(table: np.ndarray, axes: Sequence[int], rank: int) -> np.ndarray:
    """A view of `table` whose axis number i is axis `axes[i]` of `rank` ones."""
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [1] * rank
    for at in order:
        shape[axes[at]] = table.shape[at]
    return table.transpose(order).reshape(shape)


def elimination_order(
    count: int, edges: Sequence[Edge], weights: Sequence[int]
) -> tuple[list[int], list[tuple[int, ...]]]:
    """All variables, the next one always that with the least table, and the neighbours that each has then."""
    logs = [math.log2(max(weight, 1)) for weight in weights]
    near: list[set[int]] = [set() for _ in range(count)]
    for first, second in edges:
        near[first].add(second)
        near[second].add(first)
    size = [logs[v] + sum(logs[u] for u in sorted(near[v])) for v in range(count)]
    heap = [(round(size[v], 6), v) for v in range(count)]
    heapq.heapify(heap)
    order: list[int] = []
    left: list[tuple[int, ...]] = [()] * count
    gone = [False] * count
    while heap:
        key, v = heapq.heappop(heap)
        if gone[v] or key != round(size[v], 6):
            continue
        gone[v] = True
        order.append(v)
        around = sorted(near[v])
        left[v] = tuple(around)
        for u in around:
            near[u].discard(v)
            before = len(near[u])
            near[u].update(around)
            near[u].discard(u)
            if len(near[u]) != before or logs[v]:
                size[u] = logs[u] + sum(logs[w] for w in sorted(near[u]))
                heapq.heappush(heap, (round(size[u], 6), u))
    return order, left


def total_cost(
    tables: Tables, own: Sequence[int], edges: Sequence[Edge], between: Sequence[int], states: Sequence[int]
) -> Cost:
    """What some states cost altogether."""
    found = sum(int(tables[table][state]) for table, state in zip(own, states, strict=True))
    pairs = zip(edges, between, strict=True)
    return found + sum(int(tables[table][states[first], states[second]]) for (first, second), table in pairs)
