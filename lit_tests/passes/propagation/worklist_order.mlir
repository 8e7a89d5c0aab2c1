// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

// Which op is visited when decides conflicts.

sdy.mesh @mesh = <["a"=2, "b"=2]>

func.func @main() {
  return
}

// An update is followed up at once: the add, done already, is visited again before the sine.
// CHECK-LABEL: func.func @depth_first
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @depth_first(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a", ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  %1 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  // CHECK: stablehlo.sine {{.*}}[{"b", ?}]
  %2 = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>} : tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// An op that is still to come keeps its place: the add is visited after the sine although the tanh has news for it.
// CHECK-LABEL: func.func @pending_ops_keep_their_place
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}
func.func @pending_ops_keep_their_place(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  %1 = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>} : tensor<8xf32>
  // CHECK: stablehlo.add %arg0, %arg1 : tensor<8xf32>
  %2 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Of several users the first one in the program comes first, since it was added last: %arg1 gets the sharding of the
// add, not that of the multiply.
// CHECK-LABEL: func.func @first_user_first
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
func.func @first_user_first(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.transpose {{.*}}[{"a", ?}, {?}]
  %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.multiply {{.*}}[{"a", ?}, {?}]
  %2 = stablehlo.multiply %1, %arg1 : tensor<8x8xf32>
  %3 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : tensor<8x8xf32>
  return %0, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
