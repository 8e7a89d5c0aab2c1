"""What a step takes, by hand: ops that are fused, products, collectives, and memory."""

from __future__ import annotations

import json

import pytest

import sdy
from sdy.auto import estimate
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.costs.machine import Machine

MACHINE = Machine(flops=1e9, bandwidth=1e6, latency=0, directions=1, memory_bandwidth=1e8, overhead=1e-5)
"""A kilobyte takes a millisecond between devices, 10 us to memory; a kernel takes 10 us to start."""

PROGRAM = """
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<100x50xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>},
                %w: tensor<50x100xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
    -> (tensor<100x100xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}
      : (tensor<100x50xf32>, tensor<50x100xf32>) -> tensor<100x100xf32>
  %1 = stablehlo.tanh %0 : tensor<100x100xf32>
  %2 = stablehlo.add %1, %1 : tensor<100x100xf32>
  return %2 : tensor<100x100xf32>
}
"""


def test_products_memory_and_collectives_are_told_apart() -> None:
    found = estimate(PROGRAM, MACHINE)
    # 2 * 50 * 25 * 100 operations would take 250 us; the operands are 5,000 and 10,000 bytes, the result 20,000.
    assert found.products == pytest.approx(35_000 / 1e8)
    # Reads of what is reduced, once by what is fused and never between; one write.
    assert found.traffic == pytest.approx((20_000 + 20_000) / 1e8)
    # A kernel each.
    assert found.starts == pytest.approx(2e-5)
    assert [(one.kind, one.axes, one.ops, one.bytes_sent) for one in found.collectives] == [
        ("all_reduce", '{"b"}', 1, 20_000.0)
    ]
    assert found.exposed == found.communication == pytest.approx(20e-3)
    assert found.step == pytest.approx(found.compute + found.exposed)


def test_bytes_are_those_that_the_report_counts() -> None:
    assert estimate(PROGRAM, MACHINE).bytes_sent == sdy.communication(PROGRAM).bytes_sent


def test_memory_is_arguments_and_what_lives() -> None:
    memory = estimate(PROGRAM, MACHINE).memory
    assert memory.arguments == 5_000 + 10_000
    # The product and what the all_reduce returns of it, or that and the sum: tanh is fused.
    assert memory.peak == memory.arguments + 2 * 20_000
    assert sum(one.bytes for one in memory.held) == memory.peak
    assert memory.by_kind == {"argument": 15_000, "value": 20_000, "collective": 20_000}


def test_donated_arguments_make_room_for_results() -> None:
    text = """
    func.func @main(%x: tensor<100xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<100xf32>) -> tensor<100xf32> {
      %0 = stablehlo.add %x, %y : tensor<100xf32>
      return %0 : tensor<100xf32>
    }"""
    assert estimate(text, MACHINE).memory.peak == 800
    assert estimate(text.replace("tf.aliasing_output = 0 : i32", "jax.buffer_donor = true"), MACHINE).memory.peak == 800
    assert estimate(text.replace(" {tf.aliasing_output = 0 : i32}", ""), MACHINE).memory.peak == 1200


SCATTER = """
func.func @main(%rows: tensor<10x1xi32>, %updates: tensor<10x100xf32>, %w: tensor<100x100xf32>)
    -> tensor<100x100xf32> {
  %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0]
      : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %1 = "stablehlo.scatter"(%0, %rows, %updates) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<100x100xf32>, tensor<10x1xi32>, tensor<10x100xf32>) -> tensor<100x100xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
      : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  return %2 : tensor<100x100xf32>
}
"""


def test_what_is_scattered_into_is_updated_in_place() -> None:
    """Unless it is needed afterwards: the argument, and two matrices or three; indices and updates are arguments."""
    arguments = 10 * 4 + 10 * 100 * 4 + 40_000
    assert estimate(SCATTER, MACHINE).memory.peak == arguments + 2 * 40_000
    both = SCATTER.replace("return %2", "%3 = stablehlo.add %2, %0 : tensor<100x100xf32>\n  return %3")
    assert estimate(both, MACHINE).memory.peak == arguments + 3 * 40_000


LOOP = """
func.func @main(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<100x100xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0]
          : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      stablehlo.return %n, %p : tensor<i32>, tensor<100x100xf32>
    }
  return %0#1 : tensor<100x100xf32>
}
"""


def test_loops_are_multiplied_out_and_keep_what_they_carry_once() -> None:
    found = estimate(LOOP, MACHINE)
    assert (found.products, found.starts) == (pytest.approx(10 * 2e-3), pytest.approx(10 * 1e-5))
    # The argument, which stays, what is carried, and what a round makes of it.
    assert found.memory.peak == pytest.approx(3 * 40_000, rel=1e-3)
    assert found.is_exact


def test_json_and_table_say_the_same() -> None:
    found = estimate(PROGRAM, MACHINE)
    data = json.loads(found.to_json())
    assert data["step"] == found.step and data["memory"]["peak"] == found.memory.peak
    assert '"b"' in str(found) and "tensor" not in str(found)


def test_machines_and_programs_that_are_none() -> None:
    with pytest.raises(TypeError, match="takes a Machine, not int"):
        estimate(PROGRAM, 3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="nothing"):
        estimate(PROGRAM, "nothing")
    with pytest.raises(DiagnosticError, match="dynamic size"):
        estimate(
            "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
            "%0 = stablehlo.tanh %x : tensor<?xf32>\nreturn %0 : tensor<?xf32>\n}",
            MACHINE,
        )
