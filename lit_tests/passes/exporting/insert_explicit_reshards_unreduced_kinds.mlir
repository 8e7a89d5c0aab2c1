// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Axes that are unreduced by a maximum before and by a sum after are reduced in between.
// Unlike the reference, which takes one for the other.
// CHECK-LABEL: func.func @other_kind
func.func @other_kind(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.tanh %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// An op without results cannot say that it takes partial values, so it gets reduced ones.
// Unlike the reference, which aborts.
// CHECK-LABEL: func.func @no_results
func.func @no_results(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.custom_call @f(%[[V0]]) {has_side_effect = true} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: return
  stablehlo.custom_call @f(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  return
}
