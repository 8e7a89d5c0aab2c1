// RUN: sdy-opt %s --sdy-basic-propagate --split-input-file --verify-diagnostics

// Arguments may have any type as long as no op makes a tensor of them that has no static shape.
func.func @main(%arg0: tensor<?x8xf32>, %arg1: !stablehlo.token) -> tensor<?x8xf32> {
  return %arg0 : tensor<?x8xf32>
}

// -----

func.func @main(%arg0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{static}}
  %0 = stablehlo.tanh %arg0 : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @main(%arg0: tensor<8xf32>) -> tuple<tensor<8xf32>> {
  // expected-error @below {{static}}
  %0 = stablehlo.custom_call @f(%arg0) : (tensor<8xf32>) -> tuple<tensor<8xf32>>
  return %0 : tuple<tensor<8xf32>>
}
