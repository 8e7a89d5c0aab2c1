// RUN: sdy-opt %s --sdy-add-data-flow-edges --verify-diagnostics

// Edges are inserted once: an edge op has no edges itself.
func.func @twice(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{defined here}}
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // expected-error @+1 {{which has no data-flow edges}}
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
