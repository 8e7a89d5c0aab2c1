// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// A value that gets its sharding from the function's result hands it to its group.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.custom_call @sdy_testonly(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>}
  %0 = stablehlo.custom_call @sdy_testonly(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  sdy.sharding_group %0 group_id=0 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
