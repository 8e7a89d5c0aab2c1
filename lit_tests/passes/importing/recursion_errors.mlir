// RUN: sdy-opt %s --sdy-flatten-call-graph --split-input-file --verify-diagnostics
// RUN: sdy-opt %s --sdy-import-func-calls --split-input-file --verify-diagnostics

// A function that calls itself has no end.
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{recursive call of 'main' is not supported}}
  %0 = call @main(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Nor have functions that call each other.
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @even(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @even(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @odd(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @odd(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{recursive call of 'even' is not supported}}
  %0 = call @even(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
