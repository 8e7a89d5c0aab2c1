// RUN: sdy-opt %s --sdy-propagate-to-func-results --verify-diagnostics
// RUN: sdy-opt %s --sdy-remove-sub-axes-in-input-output-shardings --verify-diagnostics

// One of several functions has to be main. Unlike here, the reference aborts.
// expected-error @-4 {{expected a function named 'main', or exactly one function}}
func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func @g(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
