// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=sharding-groups,constraints-to-reshards | filecheck %s
// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=constraints-to-reshards --sdy-place-reshards=enable-patterns=fold-reshards | filecheck %s --check-prefix=FOLDED

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Attributes of a constraint stay. The members of a group have equal shardings by now.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:  %[[X:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]> {mine} : tensor<8xf32>
// CHECK-NEXT:  %[[Y:.*]] = sdy.reshard %[[X]] <@mesh, [{"y"}]> : tensor<8xf32>
// CHECK-NEXT:  return %[[Y]]
// FOLDED-LABEL: func.func @main
// FOLDED-NEXT:  %[[Y:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
// FOLDED-NEXT:  sdy.sharding_group %[[Y]] group_id=0
// FOLDED-NEXT:  return %[[Y]]
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> {mine} : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}]> : tensor<8xf32>
  sdy.sharding_group %1 group_id=0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Propagation is over: its barriers are reshards, or nothing.
// CHECK-LABEL: func.func @barriers
// CHECK-NEXT:  %[[X:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<3xf32>
// CHECK-NEXT:  %[[ALL:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<3xf32>
// CHECK-NEXT:  return %[[X]], %arg0, %[[ALL]]
func.func @barriers(%arg0: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<3xf32>
  %1 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<3xf32>
  %2 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
