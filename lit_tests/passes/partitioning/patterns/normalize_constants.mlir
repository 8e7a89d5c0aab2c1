// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=constants,empty-values | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// The sum of nothing does not follow from the argument.
// CHECK-LABEL: func.func @sum
func.func @sum(%arg0: tensor<8x4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[Z:.*]] = stablehlo.constant dense<0
  // CHECK-NEXT: %[[E:.*]] = stablehlo.constant dense<> : tensor<0x4xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reduce(%[[E]] init: %[[Z]])
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.slice %arg0 [0:0, 0:4] : (tensor<8x4xf32>) -> tensor<0x4xf32>
  %2 = stablehlo.negate %1 : tensor<0x4xf32>
  %3 = stablehlo.reduce(%2 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Other results are computed as before, and effects happen. How many elements a dynamic tensor has is not known.
// CHECK-LABEL: func.func @stay
// CHECK-SAME: (%[[A:.*]]: tensor<0x4xf32>,
func.func @stay(%arg0: tensor<0x4xf32>, %arg1: tensor<8xf32>, %arg2: tensor<?x0xf32>)
    -> (tensor<0x4xf32>, tensor<8xf32>, tensor<0xf32>, tensor<0xf32>, tensor<?x0xf32>) {
  // CHECK-NEXT: %[[F:.*]] = stablehlo.custom_call @f
  // CHECK-NEXT: %[[E:.*]] = stablehlo.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: %[[G:.*]]:2 = stablehlo.custom_call @g
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate
  // CHECK-NEXT: return %[[A]], %[[G]]#0, %[[E]], %[[F]], %[[N]]
  %0 = stablehlo.custom_call @f(%arg1) {has_side_effect = true} : (tensor<8xf32>) -> tensor<0xf32>
  %1:2 = stablehlo.custom_call @g(%arg1) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<0xf32>)
  %2 = stablehlo.negate %arg2 : tensor<?x0xf32>
  return %arg0, %1#0, %1#1, %0, %2 : tensor<0x4xf32>, tensor<8xf32>, tensor<0xf32>, tensor<0xf32>, tensor<?x0xf32>
}

// A constant of another dialect; one that is no tensor stays.
// CHECK-LABEL: func.func @foreign
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %[[D:.*]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: %[[I:.*]] = arith.constant 3 : index
// CHECK-NEXT: return %[[C]], %[[D]], %[[I]]
func.func @foreign() -> (tensor<8xf32>, tensor<2xi32>, index) {
  %0 = arith.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<8xf32>
  %1 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = arith.constant 3 : index
  return %0, %1, %2 : tensor<8xf32>, tensor<2xi32>, index
}
