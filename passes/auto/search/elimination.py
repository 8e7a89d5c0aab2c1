"""Exact minimisation of sums of tables over variables, by eliminating one variable after the other.

The method is bucket elimination, that is dynamic programming over a tree decomposition (R. Dechter, "Bucket
elimination: a unifying framework for reasoning", Artificial Intelligence 113, 1999). A variable is replaced by a table
over its neighbours: the least sum of its table and all tables that mention it. This makes its neighbours adjacent. The
order decides the size of the tables. It is computed once per graph and used for all domains.

Eliminating the least table first, a layer of a transformer and its gradients need tables of a million entries; the
least fill first, of forty thousand.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import field
from functools import cached_property
from operator import itemgetter
from zlib import crc32

import numpy as np

from sdy.lazy_dataclass import dataclass
from sdy.mlir import interpreter

# Where a program is too wide to be solved exactly: a rougher problem, in which variables do as their operands do.
#
# Tables are too large where many values depend on each other, as in scans that are written out. If some of these values
# stay as they are, all do: to shard one while its neighbours are not costs more than it saves. So what can follow an
# operand does, the largest one, in the way that costs least; only the others lead, and have a choice. The plan that is
# found so is where the solution with all choices begins.


@dataclass(slots=True)
class Following:
    """A graph whose `followers` take the state of their largest operands; `tensor_bytes` has the size for each edge.

    `edges` go from operands to users; `sizes` are the usual numbers of states of variables.
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
        """Return the edges along which variables follow, edges to a variable before those from it."""
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
        """Return variables that have to keep their state so that no table exceeds the limit.

        Their followers keep theirs.
        """
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
        """Return the table number of each leader: its cost with all followers and the moves among them."""
        totals = {leader: np.zeros(len(follow[leader]), dtype=np.int64) for leader in self._numbers}
        for variable, leader in enumerate(self._leaders):
            totals[leader] += self.tables[own[variable]][follow[variable]]
        for number, (source, target) in enumerate(self.edges):
            leader = self._leaders[source]
            if leader == self._leaders[target]:
                totals[leader] += self.tables[between[number]][follow[source], follow[target]]
        return [self.tables.number(np.minimum(total, NEVER)) for total in totals.values()]

    def _followed(self, own: Sequence[int], between: Sequence[int]) -> list[np.ndarray]:
        """Return the state of each variable for each state of its leader, possibly itself."""
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


LIMIT = 1 << 22
"""Entries of the largest table that is made, 32 MiB; where a larger one would be needed, a variable is fixed."""

_ROUNDING = 1e-6
"""Tolerance of sums of logarithms."""

_AT_ONCE = 1 << 12
"""Entries of tables that are added up as a whole."""

_AXES = 32
"""A table for so many variables has none for those with one state; arrays have 64 axes at most."""

Edge = tuple[int, int]
"""Two variables; the rows of its table are states of the first one."""


@dataclass(frozen=True)
class _Step:
    """A variable, its remaining neighbours, and the tables that mention it.

    `sources` are indices into the list of all tables (edges, then variables, then messages of earlier steps): first the
    variable's, then all that mention it. For these, `axes` maps their axes to the joint table's.
    """

    variable: int
    neighbours: tuple[int, ...]
    sources: tuple[int, ...]
    axes: tuple[tuple[int, ...], ...]

    @property
    def members(self) -> tuple[int, ...]:
        """The variables of the joint table."""
        return (self.variable, *self.neighbours)

    @cached_property
    def is_wide(self) -> bool:
        """Return whether the step involves a table without axes for variables with one state."""
        return len(self.neighbours) >= _AXES or any(len(axes) >= _AXES for axes in self.axes)


@dataclass(slots=True)
class Elimination:
    """The elimination order of one graph, and the results computed along it.

    `edges` are pairs of different variables. `weights` say how many states variables have as a rule, for the order.
    """

    tables: Tables
    edges: Sequence[Edge]
    weights: Sequence[int]
    steps: list[_Step] = field(default_factory=list)
    _read: list[tuple[int, Callable[[Sequence[int]], Hashable]]] = field(default_factory=list)
    _around: list[tuple[int, Callable[[Sequence[int]], Hashable]]] = field(default_factory=list)
    _joints: dict[tuple[int, Hashable, tuple[int, ...] | None], tuple[int, int, Cost]] = field(default_factory=dict)
    _choices: dict[tuple[int, Hashable], int] = field(default_factory=dict)
    _members: np.ndarray = field(init=False)
    _starts: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        order, left = elimination_order(len(self.weights), self.edges, self.weights)
        position = {variable: number for number, variable in enumerate(order)}
        sources: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in order]
        for number, pair in enumerate(self.edges):
            first = min(pair, key=position.__getitem__)
            sources[position[first]].append((number, pair))
        alignments: dict[tuple[tuple[int, ...], ...], int] = {}
        messages = len(self.edges) + len(order)
        for number, variable in enumerate(order):
            neighbours = tuple(sorted(left[variable], key=position.__getitem__))
            place = {variable: 0, **{one: at for at, one in enumerate(neighbours, 1)}}
            axes = tuple(tuple(place[one] for one in mentioned) for _, mentioned in sources[number])
            places = (len(self.edges) + variable, *(source for source, _ in sources[number]))
            self.steps.append(_Step(variable, neighbours, places, axes))
            shape = alignments.setdefault((*axes, (len(neighbours),)), len(alignments))
            self._read.append((shape, itemgetter(*places)))
            self._around.append((variable, itemgetter(*neighbours) if neighbours else len))
            if neighbours:
                sources[position[neighbours[0]]].append((messages + number, neighbours))
        members = [(step.variable, *step.neighbours) for step in self.steps]
        self._members = np.array([one for each in members for one in each], dtype=np.int64)
        self._starts = np.cumsum([0, *map(len, members)][:-1], dtype=np.int64)

    def oversized(
        self, given: Sequence[int] | np.ndarray, limit: int = LIMIT, spared: Collection[int] = ()
    ) -> list[int]:
        """Return variables that have to keep their state so that no table exceeds the limit; others before the spared.

        `given` is the number of states of each variable.
        """
        logs = np.log2(np.maximum(np.asarray(given, dtype=np.float64), 1))
        totals = np.add.reduceat(logs[self._members], self._starts) if len(self.steps) else np.zeros(0)
        large = np.flatnonzero(totals > math.log2(limit) - _ROUNDING).tolist()
        sizes: list[int] = np.asarray(given).tolist() if large else []
        fixed: list[int] = []
        for number in large:
            step = self.steps[number]
            members = (step.variable, *step.neighbours)
            while math.prod(sizes[one] for one in members) > limit:
                worst = max(members, key=lambda one: (sizes[one] > 1, one not in spared, sizes[one], -one))
                sizes[worst] = 1
                fixed.append(worst)
        return fixed

    def solve(self, own: Sequence[int], between: Sequence[int]) -> tuple[list[int], Cost]:
        """The states with the least sum, and that sum.

        States are indices into the tables of the variables; the lowest one where several are best. `own` are these
        tables, `between` those of the edges, by their numbers in `tables`.
        """
        interpreter.check_interrupts()
        values = [*between, *own, *[0] * len(self.steps)]
        joints, cost, known, first = [0] * len(self.steps), 0, self._joints, len(between) + len(own)
        for number, (shape, read) in enumerate(self._read):
            step = self.steps[number]
            sizes = self._sizes(step, values) if step.is_wide else None
            key = (shape, read(values), sizes)
            found = known.get(key)
            if found is None:
                message, least = self._message(step, values, sizes)
                found = known[key] = (len(known), message, least)
            joints[number], values[first + number], least = found
            cost += least
        return self._read_back(joints, values), cost

    def _read_back(self, joints: Sequence[int], values: Sequence[int]) -> list[int]:
        """Return the state of each variable, given those of its neighbours, in reverse order of elimination."""
        states, known = [0] * len(self.steps), self._choices
        for number in range(len(self.steps) - 1, -1, -1):
            variable, read = self._around[number]
            key = (joints[number], read(states))
            found = known.get(key)
            if found is None:
                found = known[key] = self._choice(self.steps[number], values, states)
            states[variable] = found
        return states

    def _sizes(self, step: _Step, values: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of states of the members of a step."""
        return tuple(self.tables[values[len(self.edges) + one]].size for one in step.members)

    def _choice(self, step: _Step, values: Sequence[int], states: Sequence[int]) -> int:
        """The best state of a variable, given those of its neighbours."""
        own, *mentioned = (self.tables[values[source]] for source in step.sources)
        sizes = self._sizes(step, values) if step.is_wide else None
        for table, axes in zip(mentioned, step.axes, strict=True):
            if sizes is not None:
                table, axes = _squeezed(table, axes, sizes)
            own = own + table[tuple(slice(None) if axis == 0 else states[step.members[axis]] for axis in axes)]
        return int(own.argmin())

    def _message(self, step: _Step, values: Sequence[int], sizes: tuple[int, ...] | None) -> tuple[int, Cost]:
        """Return the number and the least entry of the table that a variable adds over the states of its neighbours.

        The table has the excess over the least. `sizes` of a wide step are those of its members.
        """
        own, *mentioned = (self.tables[values[source]] for source in step.sources)
        tables = list(zip(mentioned, step.axes, strict=True))
        rank = len(step.members)
        if sizes is not None:
            several = [axis for axis, size in enumerate(sizes) if axis == 0 or size > 1]
            rank = len(several)
            squeezed = (_squeezed(table, axes, sizes) for table, axes in tables)
            tables = [(table, tuple(map(several.index, axes))) for table, axes in squeezed]
        parts = [own.reshape((-1, *[1] * (rank - 1)))]
        parts += [_aligned(table, axes, rank) for table, axes in tables]
        # The small ones first: a sum is as large as it has to be, and no larger.
        parts.sort(key=lambda part: part.size)
        message = _least(parts)
        least = int(message.min())
        if not step.neighbours:
            return 0, least
        message = np.asarray(message - least)
        if sizes is not None and len(step.neighbours) < _AXES:
            message = message.reshape(sizes[1:])
        return self.tables.number(np.minimum(message, NEVER, out=message)), least


def _least(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the least sum over the states of the first axis; of large tables without materialising all sums."""
    *small, largest = parts
    if largest.size <= _AT_ONCE:
        return sum(small, largest).min(axis=0)
    found = sum(part[0] for part in small) + largest[0]
    total = np.empty_like(found)
    for state in range(1, len(largest)):
        np.add(sum(part[state] for part in small), largest[state], out=total)
        np.minimum(found, total, out=found)
    return found


def _squeezed(table: np.ndarray, axes: Sequence[int], sizes: Sequence[int]) -> tuple[np.ndarray, tuple[int, ...]]:
    """Return a table without its axes of size 1, and the remaining `axes`."""
    several = tuple(axis for axis in axes if sizes[axis] > 1)
    return table.reshape([sizes[axis] for axis in several]), several


def _aligned(table: np.ndarray, axes: Sequence[int], rank: int) -> np.ndarray:
    """Return a view of `table` whose axis number i is axis `axes[i]` of `rank` ones."""
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [1] * rank
    for at in order:
        shape[axes[at]] = table.shape[at]
    return table.transpose(order).reshape(shape)


def elimination_order(
    count: int, edges: Sequence[Edge], weights: Sequence[int]
) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the variables in elimination order, and the neighbours that each has then.

    The next variable is one that makes the fewest new pairs of neighbours, weighted by their states (minimum fill), and
    of those the one with the least table.
    """
    logs = [math.log2(max(weight, 1)) for weight in weights]
    near: list[set[int]] = [set() for _ in range(count)]
    for first, second in edges:
        near[first].add(second)
        near[second].add(first)
    scores = [_score(v, near, logs) for v in range(count)]
    heap = [(*scores[v], v) for v in range(count)]
    heapq.heapify(heap)
    order: list[int] = []
    left: list[tuple[int, ...]] = [()] * count
    gone = [False] * count
    while heap:
        interpreter.check_interrupts()
        *score, v = heapq.heappop(heap)
        if gone[v] or tuple(score) != scores[v]:
            continue
        gone[v] = True
        order.append(v)
        around = near[v]
        left[v] = tuple(sorted(around))
        changed = set(around)
        for first, second in itertools.combinations(left[v], 2):
            if second not in near[first]:
                changed |= near[first] & near[second]
                near[first].add(second)
                near[second].add(first)
        for u in around:
            near[u].discard(v)
        changed.discard(v)
        for u in changed:
            again = _score(u, near, logs)
            if again != scores[u]:
                scores[u] = again
                heapq.heappush(heap, (*again, u))
    return order, left


def _score(v: int, near: Sequence[set[int]], logs: Sequence[float]) -> tuple[float, float]:
    """Return the score of an elimination: new pairs of neighbours, weighed by states, and the size of the table."""
    around = sorted(near[v])
    missing = 0.0
    for at, a in enumerate(around[:-1], 1):
        others = near[a]
        for b in around[at:]:
            if b not in others:
                missing += logs[a] * logs[b]
    return round(missing, 6), round(logs[v] + sum([logs[u] for u in around]), 6)


def total_cost(
    tables: Tables, own: Sequence[int], edges: Sequence[Edge], between: Sequence[int], states: Sequence[int]
) -> Cost:
    """Return the total cost of some states."""
    found = sum(int(tables[table][state]) for table, state in zip(own, states, strict=True))
    pairs = zip(edges, between, strict=True)
    return found + sum(int(tables[table][states[first], states[second]]) for (first, second), table in pairs)


Cost = int
"""Picoseconds."""

NEVER: Cost = 1 << 52
"""The cost of what must not be; a few hundred of them may be added up."""

PICOSECOND = 1e-12


def cost_of(seconds: float) -> Cost:
    """Seconds as a cost; more than an hour costs as much as a forbidden state."""
    return NEVER if seconds >= NEVER * PICOSECOND else round(seconds / PICOSECOND)


class Tables:
    """Tables by their numbers."""

    def __init__(self) -> None:
        self._arrays: list[np.ndarray] = []
        self._alike: dict[tuple[tuple[int, ...], int], list[int]] = {}

    def number(self, array: np.ndarray) -> int:
        """The number of a table of int64; the array must not be changed any more."""
        array = np.ascontiguousarray(array, dtype=np.int64)
        alike = self._alike.setdefault((array.shape, crc32(array)), [])
        for number in alike:
            if np.array_equal(self._arrays[number], array):
                return number
        alike.append(len(self._arrays))
        self._arrays.append(array)
        return alike[-1]

    def row(self, costs: Sequence[Cost]) -> int:
        """The number of a table of one dimension."""
        return self.number(np.array(costs, dtype=np.int64))

    def __getitem__(self, number: int) -> np.ndarray:
        return self._arrays[number]
