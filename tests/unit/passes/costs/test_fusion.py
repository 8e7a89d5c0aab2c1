"""What is fused: through other names of values, and through calls."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.functions import main_function
from sdy.mlir.walk import pre_order
from sdy.passes.costs.liveness import live_memory
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import Fusion, fused_seconds, renames

MACHINE = Machine(flops=1e12, bandwidth=1e9, memory_bandwidth=1e9, overhead=1e-6)

CALLED = """
func.func @main(%x: tensor<1024xf32>) -> tensor<f32> {
  %0 = stablehlo.tanh %x : tensor<1024xf32>
  %1 = call @squared(%0) : (tensor<1024xf32>) -> tensor<1024xf32>
  %2 = stablehlo.negate %1 : tensor<1024xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @squared(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"""  # noqa: E501

INLINED = """
func.func @main(%x: tensor<1024xf32>) -> tensor<f32> {
  %0 = stablehlo.tanh %x : tensor<1024xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1024xf32>
  %2 = stablehlo.negate %1 : tensor<1024xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
"""  # noqa: E501

KEPT = """
func.func @main(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %0 = stablehlo.tanh %x : tensor<1024xf32>
  %1 = call @squared(%0) : (tensor<1024xf32>) -> tensor<1024xf32>
  %2 = call @squared(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %3 = stablehlo.negate %2 : tensor<1024xf32>
  return %1, %3 : tensor<1024xf32>, tensor<1024xf32>
}
func.func private @squared(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"""


def fused(text: str) -> set[str]:
    module = sdy.parse(text)
    with module.context:
        fusion = Fusion.of(module.operation)
        names = [op.name.removeprefix("stablehlo.") for op in pre_order(module.operation) if fusion.is_fused(op)]
        return {*names} - {"constant", "add"}  # what a reduce begins with, and does


def test_calls_are_seen_through() -> None:
    assert fused(CALLED) == {"tanh", "multiply", "negate"}
    assert fused(CALLED) == fused(INLINED)
    # One of the two calls returns what is returned by the program, so it has to be in memory.
    assert fused(KEPT) == {"tanh"}


def test_a_program_with_calls_takes_what_it_takes_inlined() -> None:
    def cost(text: str) -> tuple[float, int]:
        module = sdy.parse(text)
        with module.context:
            seconds_of = fused_seconds(module.operation)
            ops = [op for op in pre_order(module.operation) if op.name.startswith("stablehlo.") and len(op.results)]
            seconds = sum(seconds_of(op, MACHINE) for op in ops if op.name != "stablehlo.return" and op.results[0].type)
            return seconds, live_memory(main_function(module.operation), module.operation).peak

    assert cost(CALLED) == cost(INLINED)
    assert sdy.auto.estimate(CALLED, MACHINE).step == sdy.auto.estimate(INLINED, MACHINE).step


def test_dimensions_of_size_1_are_names() -> None:
    module = sdy.parse("""
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x1x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<4x8xf32>) -> tensor<8x1x4xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x2x8xf32>
  %3 = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  %4 = stablehlo.tanh %x : tensor<4x8xf32>
  return %0 : tensor<4x1x8xf32>
}
""")
    with module.context:
        block = main_function(module.operation).regions[0].blocks[0]
        assert [renames(each.operation) for each in block.operations][:5] == [True, False, False, True, False]


@pytest.mark.parametrize(("user", "found"), [("tanh", {"negate"}), ("dot_general", set())])
def test_ops_that_say_where_values_are_are_names(user: str, found: set[str]) -> None:
    """What the user constrains is computed where it is used, or not, as if nothing were said."""
    row, table = "tensor<8xf32>", "tensor<8x8xf32>"
    uses = {
        "tanh": f"stablehlo.tanh %2 : {row}",
        "dot_general": f"stablehlo.dot_general %2, %m, contracting_dims = [0] x [0] : ({row}, {table}) -> {row}",
    }
    text = f"""sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: {row}, %m: {table}) -> {row} {{
  %1 = stablehlo.negate %x : {row}
  %2 = sdy.sharding_constraint %1 <@mesh, [{{}}]> : {row}
  %3 = {uses[user]}
  return %3 : {row}
}}"""
    assert fused(text) - {"sdy.sharding_constraint"} == found


def test_borders_of_manual_computations_are_seen_through() -> None:
    text = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %1 = stablehlo.negate %x : tensor<8xf32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
      (%a: tensor<4xf32>) {
    %3 = stablehlo.tanh %a : tensor<4xf32>
    sdy.return %3 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %4 = stablehlo.sine %2 : tensor<8xf32>
  return %4 : tensor<8xf32>
}"""
    assert fused(text) == {"negate", "tanh"}
    module = sdy.parse(text)
    with module.context:
        fusion = Fusion.of(module.operation)
        operands = {op.name: op.operands[0] for op in pre_order(module.operation) if op.name.startswith("stablehlo.")}
        in_memory = {name for name, value in operands.items() if fusion.is_in_memory(value)}
    assert in_memory == {"stablehlo.negate"}
