// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

func.func @main() {
  return
}

// Members get what one of them gets.
// CHECK-LABEL: func.func @members_follow
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}
func.func @members_follow(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"a", ?}, {"b", ?}]
  %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.sine {{.*}}[{"a", ?}, {"b", ?}]
  %1 = stablehlo.sine %arg1 : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=0 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=0 : tensor<8x8xf32>
  // CHECK: stablehlo.add {{.*}}[{"a", ?}, {"b", ?}]
  %2 = stablehlo.add %1, %arg2 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Before anything is propagated members without a sharding take that of the others. One that is empty and open is none.
// CHECK-LABEL: func.func @at_the_start
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}
// CHECK-SAME:    %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}
func.func @at_the_start(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=1 : tensor<8xf32>
  sdy.sharding_group %arg2 group_id=1 : tensor<8xf32>
  return
}
