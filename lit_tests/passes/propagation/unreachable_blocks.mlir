// RUN: sdy-opt %s --sdy-basic-propagate='debug-sharding-origins=true' | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=4]>

// Blocks that control does not get to are erased before anything is propagated: %arg0 gets nothing from them.
// Unlike the reference, which crashes with this option.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg0: tensor<8xf32>) -> tensor<8xf32> {
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %arg0 : tensor<8xf32>
  // CHECK-NEXT: return %[[TANH]] : tensor<8xf32>
  // CHECK-NEXT: }
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
^bb1:
  %1 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %2 = "stablehlo.case"(%3) ({
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
^bb2:
  %3 = stablehlo.constant dense<0> : tensor<i32>
  return %arg0 : tensor<8xf32>
}
