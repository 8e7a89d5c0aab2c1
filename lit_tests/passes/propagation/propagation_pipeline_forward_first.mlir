// RUN: sdy-opt %s --sdy-propagation-pipeline='forward-first=true' | filecheck %s
// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s --check-prefix=TOGETHER

sdy.mesh @mesh = <["a"=2, "b"=2]>

// An argument shards the product before the constraint behind it has its say; otherwise the constraint does, which is
// applied to what it constrains before propagation begins. What no argument shards is left to constraints.
// CHECK-LABEL:    func.func @main
// TOGETHER-LABEL: func.func @main
// CHECK-SAME:     %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
// TOGETHER-SAME:  %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT:    %[[DOT:.*]] = stablehlo.dot_general {{.*}}[{"a"}, {}]
  // TOGETHER-NEXT: %[[DOT:.*]] = stablehlo.dot_general {{.*}}[{}, {"a"}]
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT:    sdy.reshard %[[DOT]] <@mesh, [{}, {"a"}]>
  // TOGETHER-NEXT: sdy.reshard %[[DOT]] <@mesh, [{}, {"a"}]>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  // CHECK-NEXT:    stablehlo.tanh {{.*}}[{"a"}, {}]
  // TOGETHER-NEXT: stablehlo.tanh {{.*}}[{}, {"a"}]
  %2 = stablehlo.tanh %1 : tensor<8x8xf32>
  // CHECK-NEXT:    stablehlo.sine {{.*}}[{"b"}, {}]
  // TOGETHER-NEXT: stablehlo.sine {{.*}}[{"b"}, {}]
  %3 = stablehlo.sine %arg2 : tensor<8x8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return %2, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
