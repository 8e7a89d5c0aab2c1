// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @device = <[], device_ids=[3]>

// An op on one device takes its operands from all, replicated, and gives its result back to all.
// CHECK-LABEL: func.func @on_one_device(
func.func @on_one_device(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %arg1 <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.add %[[V1]], %[[V2]] {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %[[V3]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<8xf32>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A result with another sharding comes from the device too, and is resharded to what it was.
// CHECK-LABEL: func.func @other_results(
func.func @other_results(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]]:3 = stablehlo.custom_call @f(%[[V0]], %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>, <@device, []>, <@mesh, []>]>} : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, tensor<8xf32>, !stablehlo.token)
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]]#0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V1]]#1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %[[V3]] <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0:3 = stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>, <@mesh, [{"x"}]>, <@mesh, []>]>} : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, tensor<8xf32>, !stablehlo.token)
  return
}

// A token stays where it is, also on a device.
// CHECK-LABEL: func.func @token_on_the_device(
func.func @token_on_the_device(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.create_token {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : !stablehlo.token
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@device, []> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.custom_call @f(%[[V0]]) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : (tensor<8xf32>) -> !stablehlo.token
  %0 = stablehlo.create_token {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : !stablehlo.token
  %1 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : (tensor<8xf32>) -> !stablehlo.token
  return
}

// A propagation barrier is looked through, at the reshard that has been put in front of it.
// CHECK-LABEL: func.func @barrier(
func.func @barrier() -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>}
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.propagation_barrier %[[V1]] allowed_direction=NONE : tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} dense<0.0> : tensor<8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<8xf32>
  return %1 : tensor<8xf32>
}
