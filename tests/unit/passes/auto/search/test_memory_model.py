"""What memory costs the search, at a price for a byte, is what a plan holds."""

from __future__ import annotations

import random

import pytest

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.memory_model import MemoryModel
from sdy.passes.auto.search.problem import Problem, States
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine
from tests.unit.passes.auto.search.test_exchanges import CONVOLUTION

MACHINE = Machine.parse("flops=1e12 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e11 overhead=1e-6")
MATRIX, CUBE = "tensor<64x64xf32>", "tensor<8x8x64xf32>"

# What is reshaped is another name for the product; both sums need it, the last one long after the first.
RENAMED = f"""
func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> {CUBE} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %1 = stablehlo.reshape %0 : ({MATRIX}) -> {CUBE}
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [2] x [0] : ({CUBE}, {MATRIX}) -> {CUBE}
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0] : ({CUBE}, {MATRIX}) -> {CUBE}
  %4 = stablehlo.dot_general %1, %3, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : ({CUBE}, {CUBE}) -> tensor<8x64x64xf32>
  %5 = stablehlo.dot_general %3, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : ({CUBE}, tensor<8x64x64xf32>) -> {CUBE}
  return %5 : {CUBE}
}}"""


# Of the two results of the last op one is not used; the product is there until then.
UNUSED = f"""
func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}
  %1:2 = "stablehlo.sort"(%0, %x) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }}) {{dimension = 1 : i64}} : ({MATRIX}, {MATRIX}) -> ({MATRIX}, {MATRIX})
  return %1#0 : {MATRIX}
}}"""


class Priced:
    """A program on two devices."""

    def __init__(self, text: str) -> None:
        self.module = sdy.parse(text)
        with self.module.context, exclusively(self.module.context), ir.Location.unknown():
            graph = read_program(self.module.operation)
            self.problem = Problem(graph, ReshardPrices(Mesh.of(a=2), MACHINE), ["a"])
            self.memory = MemoryModel(graph)

    def with_state(self, states: States, op: str, number: int) -> States:
        """The first op of that name does what is number `number` of what it may do."""
        graph = self.problem.graph
        names = [None if one.op is None else graph.snapshot.names[one.op] for one in graph.variables]
        at = names.index(f"stablehlo.{op}")
        with self.module.context, ir.Location.unknown():
            variants = self.problem.variants(at, states[at], "a")
        return (*states[:at], variants[number], *states[at + 1 :])

    def at_peak(self, states: States) -> tuple[float, float]:
        """Bytes at the peak of a plan: what a picosecond for each of them adds to what is minimised, and the peak."""
        problem = self.problem
        peak = self.memory.peak(problem.options(states), problem.shards)
        problem.forget_weights()
        free = problem.objective(states)
        problem.weigh(1.0, *self.memory.weights([peak.at]))
        return problem.objective(states) - free, peak.bytes


def test_copies_of_what_is_another_name_are_priced() -> None:
    program = Priced(RENAMED)
    states = program.problem.replicated()
    # Rows of the product and of its other name; what they are needed for is whole.
    for op, number in (("dot_general", 0), ("reshape", 1)):
        states = program.with_state(states, op, number)
    priced, held = program.at_peak(states)
    # Arguments; half of the product, which its other name stands for, a whole copy of that, and two products.
    assert held == 2 * 16384 + 8192 + 16384 + 16384 + 131072
    assert priced == held


def test_what_an_op_holds_while_it_runs_is_priced() -> None:
    program = Priced(CONVOLUTION)
    options = [strategies.options for strategies in program.problem.strategies]
    states = program.problem.replicated()
    for number in range(8):
        tried = program.with_state(states, "convolution", number)
        if any(of[state].held for of, state in zip(options, tried, strict=True)):
            break
    else:
        pytest.fail("no way to shard the convolution exchanges anything")
    assert program.at_peak(tried)[0] == pytest.approx(program.at_peak(tried)[1], abs=2)


def test_no_plan_of_a_search_holds_more_than_is_priced() -> None:
    program = Priced(RENAMED)
    draw = random.Random(0)
    problem = program.problem
    for _ in range(20):
        states = problem.replicated()
        with program.module.context, ir.Location.unknown():
            states = tuple(draw.choice(problem.variants(number, one, "a")) for number, one in enumerate(states))
            problem.weigh(float(draw.randint(1, 10**6)), *program.memory.weights([program.memory.end // 2]))
            for _ in range(3):
                states, _ = problem.improve(states, "a")
        priced, held = program.at_peak(states)
        assert priced >= held - 1


def test_what_is_not_used_takes_room_where_it_is_made() -> None:
    program = Priced(UNUSED)
    states = program.problem.replicated()
    priced, held = program.at_peak(states)
    # Arguments, the product, and both results.
    assert held == priced == 5 * 16384
    assert program.memory.least(1).bytes == held
