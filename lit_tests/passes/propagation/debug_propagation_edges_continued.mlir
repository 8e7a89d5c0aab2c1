// RUN: sdy-opt %s --sdy-basic-propagate='debug-propagation-edge-sharding=true' --sdy-aggressive-propagate='debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// Steps count on from those of an earlier pass. What was recorded is replaced where there is news, and stays elsewhere.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.tanh {{.*}}<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>
  %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.dot {{.*}}<[{step-1 = [{"a" = operand-0 -> [result-0]}]}]>
  %1 = stablehlo.dot %0, %arg1 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
