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

// What a member inside of a loop gets is put on the edge of the loop, which is visited only if the member is used elsewhere.
// CHECK-LABEL: func.func @member_in_a_loop
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
// CHECK-SAME:    %arg1: tensor<8xf32>, %arg2: tensor<i1>
func.func @member_in_a_loop(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<i1>) -> tensor<8xf32> {
  %0 = stablehlo.while(%iterArg = %arg1) : tensor<8xf32>
  cond {
    stablehlo.return %arg2 : tensor<i1>
  } do {
    sdy.sharding_group %iterArg group_id=2 : tensor<8xf32>
    stablehlo.return %arg1 : tensor<8xf32>
  }
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a", ?}]>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=2 : tensor<8xf32>
  %2 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Other members of the group of a computation's result get what the body sees: the manual axes are not for them.
// CHECK-LABEL: func.func @result_of_a_manual_computation
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {}]>}
func.func @result_of_a_manual_computation(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}, {"b", ?}]>] out_shardings=[<@mesh, [{?}, {"b"}]>] manual_axes={"b"} (%arg2: tensor<8x4xf32>) {
    %2 = sdy.data_flow_edge %arg2 sharding=<@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %3 = stablehlo.tanh %2 : tensor<8x4xf32>
    sdy.return %3 : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.data_flow_edge %0 sharding=<@mesh, [{"a", ?}, {"b"}]>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{?}, {"b"}]> : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=3 : tensor<8x8xf32>
  sdy.sharding_group %arg1 group_id=3 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
