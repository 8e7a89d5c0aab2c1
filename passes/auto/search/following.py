"""Where a program is too wide to be solved exactly: a rougher problem, in which variables do as their operands do.

Tables are too large where many values depend on each other, as in scans that are written out. If some of these values
stay as they are, all do: to shard one while its neighbours are not costs more than it saves. So what can follow an
operand does, the largest one, in the way that costs least; only the others lead, and have a choice. The plan that is
found so is where the solution with all choices begins.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdy.passes.auto.search.elimination import NEVER, Edge, Elimination, Tables


@dataclass(slots=True)
class Following:
    """A graph in which `followers` do as their largest operands do, of which `tensor_bytes` tells for each edge.

    `edges` go from operands to what uses them; `sizes` say how many states variables have as a rule.
    """

    tables: Tables
    edges: Sequence[Edge]
    tensor_bytes: Sequence[float]
    sizes: Sequence[int]
    followers: Collection[int]
    _along: list[int] = field(init=False)
    _leaders: list[int] = field(init=False)
    _numbers: dict[int, int] = field(init=False)
    _pairs: dict[Edge, list[int]] = field(init=False)
    _elimination: Elimination = field(init=False)

    def __post_init__(self) -> None:
        self._leaders = list(range(len(self.sizes)))
        self._along = self._edges_followed()
        for edge in self._along:
            source, target = self.edges[edge]
            self._leaders[target] = self._leaders[source]
        leading = [variable for variable, leader in enumerate(self._leaders) if leader == variable]
        self._numbers = {variable: number for number, variable in enumerate(leading)}
        self._pairs = {}
        for number, pair in enumerate(self.edges):
            first, second = sorted(self._numbers[self._leaders[one]] for one in pair)
            if first != second:
                self._pairs.setdefault((first, second), []).append(number)
        self._elimination = Elimination(self.tables, list(self._pairs), [self.sizes[one] for one in leading])

    def _edges_followed(self) -> list[int]:
        """The edges along which variables follow, those that lead to a variable before those from there."""
        largest: dict[int, int] = {}
        following = set(self.followers)
        for number, (_, target) in enumerate(self.edges):
            if target in following:
                other = largest.setdefault(target, number)
                if self.tensor_bytes[number] > self.tensor_bytes[other]:
                    largest[target] = number
        found: list[int] = []
        done: set[int] = set()
        for variable in largest:
            chain: dict[int, int] = {}
            while variable in largest and variable not in done and variable not in chain:
                chain[variable] = largest[variable]
                variable = self.edges[chain[variable]][0]
            if variable in chain:  # of those that would follow each other in a circle, as loops do, one leads
                del chain[variable]
                done.add(variable)
            found.extend(edge for edge in reversed(chain.values()))
            done.update(chain)
        return found

    def oversized(self, sizes: np.ndarray, limit: int) -> list[int]:
        """Variables that have to keep their state so that no table exceeds the limit; all that follow them do, too."""
        leading = list(self._numbers)
        return [leading[one] for one in self._elimination.oversized(sizes[leading], limit)]

    def solve(self, own: Sequence[int], between: Sequence[int]) -> list[int]:
        """States of all variables, as places in their tables (see `Elimination.solve`)."""
        follow = self._followed(own, between)
        moves = [self._joint(pair, numbers, follow, between) for pair, numbers in self._pairs.items()]
        found, _ = self._elimination.solve(self._totals(follow, own, between), moves)
        chosen = [found[self._numbers[leader]] for leader in self._leaders]
        return [int(states[choice]) for states, choice in zip(follow, chosen, strict=True)]

    def _totals(self, follow: Sequence[np.ndarray], own: Sequence[int], between: Sequence[int]) -> list[int]:
        """The number of the table of each leader: what it costs, with all that follow and all moves among them."""
        totals = {leader: np.zeros(len(follow[leader]), dtype=np.int64) for leader in self._numbers}
        for variable, leader in enumerate(self._leaders):
            totals[leader] += self.tables[own[variable]][follow[variable]]
        for number, (source, target) in enumerate(self.edges):
            leader = self._leaders[source]
            if leader == self._leaders[target]:
                totals[leader] += self.tables[between[number]][follow[source], follow[target]]
        return [self.tables.number(np.minimum(total, NEVER)) for total in totals.values()]

    def _followed(self, own: Sequence[int], between: Sequence[int]) -> list[np.ndarray]:
        """The state of each variable for each of its leader, which may be itself."""
        found = [np.arange(len(self.tables[number])) for number in own]
        for edge in self._along:
            source, target = self.edges[edge]
            found[target] = (self.tables[between[edge]][found[source]] + self.tables[own[target]]).argmin(axis=1)
        return found

    def _joint(self, pair: Edge, numbers: Sequence[int], follow: Sequence[np.ndarray], between: Sequence[int]) -> int:
        """The number of the table of all moves between two groups of variables."""
        total: np.ndarray | None = None
        for number in numbers:
            source, target = self.edges[number]
            moves = self.tables[between[number]][np.ix_(follow[source], follow[target])]
            moves = moves if self._numbers[self._leaders[source]] == pair[0] else moves.T
            total = moves if total is None else total + moves
        assert total is not None, "a pair has edges"
        return self.tables.number(np.minimum(total, NEVER))
