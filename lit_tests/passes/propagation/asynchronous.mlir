// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// In an asynchronous op an argument of the body has the sharding of the operand.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8x8xf32>):
    %2 = stablehlo.slice %arg1 [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %2 : tensor<4x8xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
