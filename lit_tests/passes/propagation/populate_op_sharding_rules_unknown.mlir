// RUN: sdy-opt %s --sdy-populate-op-sharding-rules --verify-diagnostics

// Nothing is known about some ops and most targets of custom calls. The first of either is warned about.
func.func @unknown(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<4xf32> {
  // expected-warning@+1 {{sharding rule}}
  %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg2: tensor<f32>):
    stablehlo.return %arg2 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.replica_id : tensor<ui32>
  // expected-warning@+1 {{sharding rule}}
  %2 = stablehlo.custom_call @unheard_of(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.custom_call @unheard_of_too(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
