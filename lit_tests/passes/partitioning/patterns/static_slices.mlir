// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=static-slices | filecheck %s
// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=static-slices --sdy-propagation-pipeline | filecheck %s --check-prefix=AFTER

sdy.mesh @mesh = <["x"=4]>

// Rows 6 to 9 there are not: the slice moves until it fits. Its rows are sharded like those it is taken from.
// CHECK-LABEL: func.func @main
// AFTER-LABEL: func.func @main
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x16xf32> {
  // CHECK: %[[S:.*]] = stablehlo.slice %arg0 [4:8, 0:16] : (tensor<8x16xf32>) -> tensor<4x16xf32>
  // CHECK-NEXT: return %[[S]]
  // AFTER: stablehlo.slice %arg0 [4:8, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %c = stablehlo.constant dense<6> : tensor<i32>
  %c_0 = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %arg0, %c, %c_0, sizes = [4, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// One start is not known. A sharding stays.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8x16xf32>, %arg1: tensor<i32>) -> (tensor<4x16xf32>, tensor<8x16xf32>) {
  // CHECK: stablehlo.dynamic_slice
  // CHECK-NEXT: stablehlo.slice %arg0 [0:8, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [4, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<4x16xf32>
  %1 = stablehlo.dynamic_slice %arg0, %c, %c, sizes = [8, 16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<4x16xf32>, tensor<8x16xf32>
}
