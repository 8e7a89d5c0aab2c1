// RUN: sdy-opt %s --sdy-basic-propagate --verify-diagnostics
// RUN: sdy-opt %s --sdy-basic-propagate 2>/dev/null | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// Members with different shardings keep theirs; open constraints take their places in the group.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
// expected-warning @below {{sharding group}}
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[Y:.*]] = sdy.sharding_constraint %arg1 <@mesh, [{"b", ?}, {?}]>
  // CHECK-NEXT: %[[X:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"b", ?}, {?}]>
  // CHECK-NEXT: sdy.sharding_group %[[X]] group_id=0
  sdy.sharding_group %arg0 group_id=0 : tensor<8x8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[Y]] group_id=0
  sdy.sharding_group %arg1 group_id=0 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.tanh %[[X]] {{.*}}[{"b", ?}, {?}]
  %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
