// RUN: sdy-opt %s --sdy-basic-propagate='debug-sharding-origins=true' 2>/dev/null | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Of the constraints that a conflict in a group leads to, the one that got its axis from a value with an origin has it, too.
// Unlike the reference, which crashes.
// CHECK-LABEL: func.func @conflict
func.func @conflict(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.sharding_constraint %arg1 <@mesh, [{"y", ?}]> {sdy.sharding_origins = {y = "input: 1"}} : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"y", ?}]> : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[V1]] group_id=0 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[V0]] group_id=0 : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]], %[[V0]] : tensor<8xf32>, tensor<8xf32>
  sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=0 : tensor<8xf32>
  return %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
}
