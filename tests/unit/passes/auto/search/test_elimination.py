"""Elimination against brute force, on random graphs."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from sdy.passes.auto.search.elimination import (
    NEVER,
    Elimination,
    Following,
    Tables,
    cost_of,
    elimination_order,
    total_cost,
)
from tests import depth


class Problem:
    """A random graph with random tables, some entries of which must not be."""

    def __init__(self, seed: int, count: int = 7) -> None:
        draw = random.Random(seed)
        self.tables = Tables()
        self.sizes = [draw.randint(1, 4) for _ in range(count)]
        pairs = list(itertools.combinations(range(count), 2))
        drawn = draw.sample(pairs, draw.randint(0, 2 * count))
        self.edges = [(b, a) if draw.random() < 0.5 else (a, b) for a, b in drawn]
        self.own = [self._table(draw, [size]) for size in self.sizes]
        self.between = [self._table(draw, [self.sizes[a], self.sizes[b]], never=0.1) for a, b in self.edges]

    def _table(self, draw: random.Random, shape: list[int], never: float = 0.0) -> int:
        array = np.array([NEVER if draw.random() < never else draw.randint(0, 9) for _ in range(int(np.prod(shape)))])
        return self.tables.number(array.reshape(shape))

    def point_upwards(self) -> None:
        """Turns edges round, so that there are no circles."""
        for number, (a, b) in enumerate(self.edges):
            if a > b:
                self.edges[number] = (b, a)
                self.between[number] = self.tables.number(self.tables[self.between[number]].T)

    def cost(self, states: list[int] | tuple[int, ...]) -> int:
        return total_cost(self.tables, self.own, self.edges, self.between, states)

    def best(self) -> int:
        return min(map(self.cost, itertools.product(*map(range, self.sizes))))


@pytest.mark.parametrize("first", range(0, 1000 if depth.ALL else 200, 50))
def test_it_finds_what_trying_all_finds(first: int) -> None:
    for seed in range(first, first + 50):
        problem = Problem(seed)
        solver = Elimination(problem.tables, problem.edges, problem.sizes)
        states, cost = solver.solve(problem.own, problem.between)
        best = problem.best()
        assert problem.cost(states) == best or best >= NEVER, seed
        assert cost == best or cost >= NEVER, seed
        # What is remembered does not change what is found.
        assert solver.solve(problem.own, problem.between) == (states, cost), seed


@pytest.mark.parametrize("count", [31, 33, 34, 40, 90] if depth.ALL else [33])
def test_more_neighbours_than_arrays_have_axes_if_few_have_several_states(count: int) -> None:
    """As of a program most of which the user has sharded; in one order, whichever these few are."""
    draw = random.Random(count)
    edges = list(itertools.combinations(range(count), 2))
    tables = Tables()
    solver = Elimination(tables, edges, [2] * count)
    for several in (draw.sample(range(count), 6) for _ in range(4)):
        sizes = [3 if number in several else 1 for number in range(count)]
        own = [tables.row([draw.randint(0, 99) for _ in range(size)]) for size in sizes]
        shapes = [(sizes[a], sizes[b]) for a, b in edges]
        between = [
            tables.number(np.array([[draw.randint(0, 9) for _ in range(b)] for _ in range(a)])) for a, b in shapes
        ]
        states, cost = solver.solve(own, between)
        every = itertools.product(*map(range, sizes))
        assert cost == total_cost(tables, own, edges, between, states)
        assert cost == min(total_cost(tables, own, edges, between, each) for each in every)


def test_a_cycle_needs_tables_over_two_neighbours_only() -> None:
    count = 50
    edges = [(number, (number + 1) % count) for number in range(count)]
    _, left = elimination_order(count, edges, [5] * count)
    assert max(map(len, left)) == 2


def test_layers_that_are_alike_are_eliminated_once() -> None:
    tables, layers = Tables(), 400
    edges = [(number, number + 1) for number in range(layers - 1)]
    own = [tables.row([3, 1, 2])] * layers
    between = [tables.number(np.array([[0, 4, 4], [4, 0, 4], [4, 4, 0]]))] * len(edges)
    solver = Elimination(tables, edges, [3] * layers)
    assert solver.solve(own, between) == ([1] * layers, layers)
    assert len(solver._joints) < 20


def test_pairs_that_become_neighbours_are_few() -> None:
    """A ladder, the rungs of which are far apart in number, needs tables over two neighbours, not over one side."""
    count = 40
    rungs = [(number, 2 * count - 1 - number) for number in range(count)]
    edges = [(number, number + 1) for number in range(2 * count - 1)] + rungs[:-1]
    _, left = elimination_order(2 * count, edges, [5] * 2 * count)
    assert max(map(len, left)) == 2


def test_where_tables_would_be_too_large_variables_are_named_to_be_fixed() -> None:
    edges = list(itertools.combinations(range(6), 2))
    solver = Elimination(Tables(), edges, [4] * 6)
    assert solver.oversized([4] * 6, limit=4**6) == []
    fixed = solver.oversized([4] * 6, limit=4**4)
    sizes = [1 if number in fixed else 4 for number in range(6)]
    assert len(fixed) == 2 and solver.oversized(sizes, limit=4**4) == []


def test_the_first_of_the_best_is_taken() -> None:
    tables = Tables()
    solver = Elimination(tables, [(1, 0)], [3, 2])
    assert solver.solve([tables.row([5, 5, 5]), tables.row([7, 7])], [tables.number(np.zeros((2, 3)))]) == ([0, 0], 12)


def test_costs_are_picoseconds() -> None:
    assert cost_of(1.5e-12) == 2 and cost_of(1e-3) == 10**9 and cost_of(float("inf")) == NEVER


def test_others_keep_their_state_the_next_time() -> None:
    solver = Elimination(Tables(), [(0, 1), (1, 2), (0, 2)], [4, 4, 4])
    first = solver.oversized([4, 4, 4], 16)
    second = solver.oversized([4, 4, 4], 16, first)
    assert len(first) == len(second) == 1
    assert first != second


def test_with_small_tables_it_is_no_worse_than_what_variables_keep() -> None:
    """Variables that keep a state, so that no table exceeds 16 entries; all else is solved for exactly."""
    kept = 0
    for seed in range(1000 if depth.ALL else 200):
        problem, draw = Problem(seed), random.Random(seed)
        incumbent = [draw.randrange(size) for size in problem.sizes]
        solver = Elimination(problem.tables, problem.edges, problem.sizes)
        fixed = solver.oversized(problem.sizes, 16)
        kept += bool(fixed)
        own, between = list(problem.own), list(problem.between)
        for number in fixed:
            own[number] = problem.tables.number(problem.tables[own[number]][[incumbent[number]]])
        for number, (a, b) in enumerate(problem.edges):
            table = problem.tables[between[number]]
            table = table[[incumbent[a]]] if a in fixed else table
            table = table[:, [incumbent[b]]] if b in fixed else table
            between[number] = problem.tables.number(table)
        places, _ = solver.solve(own, between)
        states = [incumbent[number] if number in fixed else place for number, place in enumerate(places)]
        choices = [[incumbent[one]] if one in fixed else range(size) for one, size in enumerate(problem.sizes)]
        best = min(map(problem.cost, itertools.product(*choices)))
        assert problem.cost(states) == best or best >= NEVER, seed
        assert problem.cost(states) <= problem.cost(incumbent) or best >= NEVER, seed
    assert kept > 20


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_who_follows_does_what_costs_least_beside_the_operand(share: float) -> None:
    """Against all that the leaders may do."""
    for seed in range(30):
        problem, draw = Problem(seed), random.Random(seed)
        problem.point_upwards()
        count = len(problem.sizes)
        followers = [one for one in range(count) if draw.random() < share]
        weights = [draw.randint(1, 9) for _ in problem.edges]
        following = Following(problem.tables, problem.edges, weights, problem.sizes, followers)
        leads = {one: _followed(problem, weights, one) if one in followers else None for one in range(count)}
        choices = [range(1) if leads[one] is not None else range(size) for one, size in enumerate(problem.sizes)]
        best = min(problem.cost(_all(problem, leads, chosen)) for chosen in itertools.product(*choices))
        found = problem.cost(following.solve(problem.own, problem.between))
        assert found == best or min(found, best) >= NEVER, seed


def _followed(problem: Problem, weights: list[int], variable: int) -> int | None:
    """The edge of the largest operand of a variable."""
    edges = [number for number, (a, b) in enumerate(problem.edges) if b == variable]
    return max(edges, key=lambda number: (weights[number], -number), default=None)


def _all(problem: Problem, leads: dict[int, int | None], chosen: tuple[int, ...]) -> list[int]:
    states = list(chosen)
    for variable, edge in leads.items():
        if edge is not None:
            row = problem.tables[problem.between[edge]][states[problem.edges[edge][0]]]
            states[variable] = int((row + problem.tables[problem.own[variable]]).argmin())
    return states
