// RUN: sdy-opt %s --sdy-op-priority-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// With a dead user gone two are left: the negation waits until the addition has passed on what its operands have.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"a", ?}]
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  %1 = stablehlo.exponential %0 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.negate {{.*}}[{"b", ?}]
  %2 = stablehlo.negate %0 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.add {{.*}}[{"b", ?}]
  %3 = stablehlo.add %2, %arg1 : tensor<8xf32>
  %4 = stablehlo.abs %0 : tensor<8xf32>
  return %3, %4 : tensor<8xf32>, tensor<8xf32>
}

// With a dead user gone the negation is the only one, and comes before the addition.
// CHECK-LABEL: func.func @only_user_left
func.func @only_user_left(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"a", ?}]
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  %1 = stablehlo.exponential %0 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.negate {{.*}}[{"a", ?}]
  %2 = stablehlo.negate %0 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.add %{{[0-9]+}}, %arg1 : tensor
  %3 = stablehlo.add %2, %arg1 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
