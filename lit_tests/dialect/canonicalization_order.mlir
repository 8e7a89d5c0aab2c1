// RUN: sdy-opt %s --canonicalize=region-simplify=disabled | filecheck %s

sdy.mesh @single = <["x"=1]>

// What is inlined is looked at in the next sweep: the dead ops are still in front of the constant, which goes to the front.
// CHECK-LABEL: func.func @constants_of_what_is_inlined
func.func @constants_of_what_is_inlined(%arg0: tensor<6xf32>) -> (tensor<6xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[TWO:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<6xf32>
  // CHECK-NEXT: %[[USER:.*]] = stablehlo.custom_call @user(%[[TWO]])
  // CHECK-NEXT: return %[[USER]], %[[ONE]]
  %0 = stablehlo.constant dense<2.0> : tensor<6xf32>
  %1 = stablehlo.negate %arg0 : tensor<6xf32>
  %2:2 = sdy.manual_computation(%1, %0) in_shardings=[<@single, [{}]>, <@single, [{}]>] out_shardings=[<@single, [{}]>, <@single, []>] manual_axes={} (%arg1: tensor<6xf32>, %arg2: tensor<6xf32>) {
    %3 = stablehlo.add %arg1, %arg1 : tensor<6xf32>
    %4 = stablehlo.custom_call @user(%arg2) {has_side_effect = true} : (tensor<6xf32>) -> tensor<6xf32>
    %5 = stablehlo.constant dense<1.0> : tensor<f32>
    sdy.return %4, %5 : tensor<6xf32>, tensor<f32>
  } : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<f32>)
  return %2#0, %2#1 : tensor<6xf32>, tensor<f32>
}
