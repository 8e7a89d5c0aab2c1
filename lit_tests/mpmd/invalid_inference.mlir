// RUN: sdy-opt %s --split-input-file --verify-diagnostics --mpmd-infer-mesh-rewrite-using-analysis

#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
func.func public @unassigned(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = stablehlo.tanh %arg0 : tensor<4xf32>
  // expected-error @+1 {{uses a value that was not assigned to a mesh before}}
  return %0 : tensor<4xf32>
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
func.func public @caller(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  // expected-error @+1 {{calls a function without topology}}
  %0 = mpmd.call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-note @+1 {{defined here}}
func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
