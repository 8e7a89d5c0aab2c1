// RUN: sdy-opt %s --sdy-basic-propagate 2>/dev/null | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// A result is constrained right behind its op. Its other users see the constraint only, and so does the group.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[X:.*]] = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>}
  // CHECK-NEXT: %[[CX:.*]] = sdy.sharding_constraint %[[X]] <@mesh, [{"a", ?}]>
  %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>}
  // CHECK-NEXT: %[[CY:.*]] = sdy.sharding_constraint %[[Y]] <@mesh, [{"a", ?}]>
  %1 = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>} : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[CX]] group_id=0
  sdy.sharding_group %0 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[CY]] group_id=0
  sdy.sharding_group %1 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: return %[[CX]], %[[CY]]
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
