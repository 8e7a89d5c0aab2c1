"""Which communication may hide behind computation: what arguments alone go into, and what goes to results alone."""

from __future__ import annotations

import sdy
from sdy.dialect.surroundings import op_name
from sdy.mlir import ir
from sdy.passes.auto.search.graph_reader import read_program
from sdy.passes.auto.search.program_graph import ProgramGraph, hide

LAYERS = """
func.func @main(%w: tensor<4x8x8xf32>, %x: tensor<16x8xf32>) -> (tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<4x8x8xf32>
  %0:4 = stablehlo.while(%i = %zero, %ws = %w, %a = %x, %g = %none)
      : tensor<i32>, tensor<4x8x8xf32>, tensor<16x8xf32>, tensor<4x8x8xf32>
  cond {
    %more = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %slice = stablehlo.dynamic_slice %ws, %i, %zero, %zero, sizes = [1, 8, 8]
        : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %layer = stablehlo.reshape %slice : (tensor<1x8x8xf32>) -> tensor<8x8xf32> loc("layer")
    %b = stablehlo.dot_general %a, %layer, contracting_dims = [1] x [0]
        : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32> loc("forward")
    %d = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
        : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32> loc("gradient")
    %e = stablehlo.reshape %d : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %f = stablehlo.dynamic_update_slice %g, %e, %i, %zero, %zero
        : (tensor<4x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %ws, %b, %f : tensor<i32>, tensor<4x8x8xf32>, tensor<16x8xf32>, tensor<4x8x8xf32>
  }
  %1 = stablehlo.add %w, %0#3 : tensor<4x8x8xf32>
  %2 = stablehlo.dot_general %x, %0#2, contracting_dims = [0] x [0]
      : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32> loc("returned and used")
  %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc("loss")
  return %1, %2, %3 : tensor<4x8x8xf32>, tensor<8x8xf32>, tensor<f32>
}
"""


def hidden_graph(text: str) -> tuple[ir.Module, ProgramGraph]:
    module = sdy.parse(text)
    with module.context:
        graph = read_program(module.operation)
        hide(graph, 0.75)
    return module, graph


def test_weights_of_a_loop_are_gathered_and_gradients_summed_up_behind_what_is_computed() -> None:
    module, graph = hidden_graph(LAYERS)
    with module.context:
        ops = graph.snapshot.ops
        sums = {
            op_name(ops[variable.op].location): variable.profile.hidden
            for variable in graph.variables
            if variable.op is not None and variable.profile.can_reduce
        }
        products = {
            (op_name(ops[use.op].location), use.place): use.hidden
            for use in graph.uses
            if ops[use.op].name == "stablehlo.dot_general" and use.place >= 0
        }
    assert sums == {"forward": 0, "gradient": 0.75, "returned and used": 0, "loss": 0.75}
    assert products["forward", 1] == 0.75  # the weights of the layer
    assert products["forward", 0] == products["gradient", 0] == products["gradient", 1] == 0
    assert products["returned and used", 0] == 0.75 > products["returned and used", 1] == 0
