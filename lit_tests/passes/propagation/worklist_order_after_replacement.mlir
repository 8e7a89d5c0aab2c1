// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// Replacing a value by its edge reverses the order of its uses, so the last user comes first: the transpose is visited
// before the add, and %arg1 gets its sharding from the multiply.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %b = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  // CHECK: stablehlo.add %{{.*}}, %arg1 : tensor<8x8xf32>
  %0 = stablehlo.add %b, %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.transpose {{.*}}[{?}, {"a", ?}]
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.multiply {{.*}}[{?}, {"a", ?}]
  %2 = stablehlo.multiply %1, %arg1 : tensor<8x8xf32>
  %3 = stablehlo.tanh %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : tensor<8x8xf32>
  return %0, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
