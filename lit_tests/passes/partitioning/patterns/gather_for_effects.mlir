// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=gather-for-effects | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// What is sharded or unreduced becomes whole, the rest is.
// CHECK-LABEL: func.func @effect
func.func @effect(
    %arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8xf32>,
    %arg2: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={"x"}>},
    %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg4: !stablehlo.token) {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[C:.*]] = sdy.reshard %arg2 <@mesh, []> : tensor<f32>
  // CHECK-NEXT: custom_call @f(%[[A]], %arg1, %[[C]], %arg3, %arg4)
  // CHECK-NEXT: custom_call @f(%arg0) {has_side_effect = true} : (tensor<8x4xf32>) -> ()
  // CHECK-NEXT: %[[R:.*]] = stablehlo.custom_call @f(%arg0)
  stablehlo.custom_call @f(%arg0, %arg1, %arg2, %arg3, %arg4) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8x4xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, !stablehlo.token) -> ()
  stablehlo.custom_call @f(%arg0) {has_side_effect = true} : (tensor<8x4xf32>) -> ()
  %0 = stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}
