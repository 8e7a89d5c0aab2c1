// RUN: sdy-opt %s --sdy-resolve-single-device-sharding | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// Device 1 adds, the others have zeros, and the sum is what device 1 has.
// CHECK-LABEL: func.func @add
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<8xf32> {
func.func @add(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1> : tensor<ui32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare EQ, %[[ID]], %[[C]] : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  // CHECK-NEXT: %[[IF:.*]] = "stablehlo.if"(%[[CMP]]) ({
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg0 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[C_2]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i1>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x", "y"} %[[IF]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<8xf32>
  %0 = sdy.reshard %arg0 <@device_1, []> : tensor<8xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : tensor<8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Tokens need no sum.
// CHECK-LABEL: func.func @token
// CHECK-SAME: (%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
func.func @token(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1> : tensor<ui32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare EQ, %[[ID]], %[[C]] : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  // CHECK-NEXT: %[[IF:.*]]:2 = "stablehlo.if"(%[[CMP]]) ({
  // CHECK-NEXT: %[[CUSTOM_CALL:.*]]:2 = stablehlo.custom_call @foo(%arg0, %arg1) {has_side_effect = true} : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  // CHECK-NEXT: stablehlo.return %[[CUSTOM_CALL]]#0, %[[CUSTOM_CALL]]#1 : tensor<8xf32>, !stablehlo.token
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CREATE_TOKEN:.*]] = stablehlo.create_token : !stablehlo.token
  // CHECK-NEXT: stablehlo.return %[[C_2]], %[[CREATE_TOKEN]] : tensor<8xf32>, !stablehlo.token
  // CHECK-NEXT: }) : (tensor<i1>) -> (tensor<8xf32>, !stablehlo.token)
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x", "y"} %[[IF]]#0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[SUM]], %[[IF]]#1 : tensor<8xf32>, !stablehlo.token
  %0:2 = stablehlo.custom_call @foo(%arg0, %arg1) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>, <@device_1, []>]>} : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<8xf32>, !stablehlo.token
}
