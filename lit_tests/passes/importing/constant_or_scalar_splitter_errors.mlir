// RUN: sdy-opt %s --sdy-constant-or-scalar-splitter --verify-diagnostics

// A call that is copied takes along what it calls, which has no end here.
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @recursive(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @recursive(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  // expected-error @+1 {{recursive call of 'recursive' is not supported}}
  %1 = call @recursive(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %1, %arg0 : tensor<8xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
