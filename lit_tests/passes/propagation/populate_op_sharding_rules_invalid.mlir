// RUN: sdy-opt %s --sdy-populate-op-sharding-rules --split-input-file --verify-diagnostics

// A rule is made from types without a static shape too, but it is not valid there.
func.func @dynamic_shape(%arg0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error@+1 {{static shape}}
  %0 = stablehlo.add %arg0, %arg0 : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @token_beside_a_tensor(%arg0: tensor<4xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{static shape}}
  %0:2 = stablehlo.custom_call @MoveToHost(%arg0, %arg1) : (tensor<4xf32>, !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @no_operands() -> tensor<4xf32> {
  // expected-error@+1 {{operand}}
  %0 = stablehlo.custom_call @MoveToHost() : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @operand_of_higher_rank(%arg0: tensor<4x8x2xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{rank 3}}
  %0 = stablehlo.custom_call @MoveToHost(%arg0) : (tensor<4x8x2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What has no rule may have any type.
func.func @dynamic_shape_without_rule(%arg0: tensor<?x8xf32>, %arg1: !stablehlo.token) -> tensor<?x8xf32> {
  %0 = stablehlo.optimization_barrier %arg0 : tensor<?x8xf32>
  %1:2 = stablehlo.custom_call @MoveToHost(%arg1, %0) : (!stablehlo.token, tensor<?x8xf32>) -> (!stablehlo.token, tensor<?x8xf32>)
  return %1#1 : tensor<?x8xf32>
}
