// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Tensors that agree stay as they are, even if the sharded factor needs exchanges with neighbours.
// CHECK-LABEL: func.func @compatible(
func.func @compatible(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  return
}

// Of two tensors the one with more shards keeps its axes; the other is resharded.
// CHECK-LABEL: func.func @two_tensors(
func.func @two_tensors(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.negate %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  return
}

// A tensor without sharding is closed: its result is resharded to replicated.
// CHECK-LABEL: func.func @result_without_sharding(
func.func @result_without_sharding(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  return
}

// One value used as two operands gets two reshards.
// CHECK-LABEL: func.func @one_value_twice(
func.func @one_value_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.custom_call @f(%[[V0]], %[[V1]], %arg1, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j], [i, j], [i, j])->([i, j]) {i=8, j=8}>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.custom_call @f(%arg0, %arg0, %arg1, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j], [i, j], [i, j])->([i, j]) {i=8, j=8}>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// The largest tensors decide: "y" on the contracting dimension is that of 768 elements, "x" on the second free
// dimension of 512, on the first of 384. What is left to reduce is all-reduced.
// CHECK-LABEL: func.func @matmul(
func.func @matmul(%arg0: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x32xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.dot %[[V0]], %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"y"} %[[V1]] out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x16xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"x"}, {}]> : tensor<8x16xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return
}

// Of an axis that another factor gets in part, the part in front is kept.
// CHECK-LABEL: func.func @sub_axes(
func.func @sub_axes(%arg0: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(2)2}]>}, %arg2: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(2)2}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : tensor<8x32xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg2 <@mesh, [{"x"}, {}]> : tensor<8x32xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.clamp %arg0, %[[V0]], %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x32xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %arg1 <@mesh, [{"x":(1)2}, {"x":(2)2}]> : tensor<8x32xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %arg0 <@mesh, [{"x":(1)2}, {"x":(2)2}]> : tensor<8x32xf32>
  // CHECK-NEXT: %[[V5:.*]] = sdy.reshard %arg2 <@mesh, [{"x":(1)2}, {"x":(2)2}]> : tensor<8x32xf32>
  // CHECK-NEXT: %[[V6:.*]] = stablehlo.clamp %[[V3]], %[[V4]], %[[V5]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}, {"x":(2)2}]>]>} : tensor<8x32xf32>
  // CHECK-NEXT: %[[V7:.*]] = sdy.reshard %[[V6]] <@mesh, [{}, {"x":(2)2}]> : tensor<8x32xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.clamp %arg0, %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x32xf32>
  %1 = stablehlo.clamp %arg1, %arg0, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x":(2)2}]>]>} : tensor<8x32xf32>
  return
}

// A dimension that must be whole gives its axes to a batch dimension, if all tensors have both.
// CHECK-LABEL: func.func @need_replication(
func.func @need_replication(%arg0: tensor<16x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x", "y"}, {}, {}]> : tensor<16x8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.cholesky %[[V0]], lower = true {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}, {}]>]>} : tensor<16x8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{}, {"x"}, {"y"}]> : tensor<16x8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.cholesky %arg0, lower = true {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}]>]>} : tensor<16x8x8xf32>
  return
}

// The axes of a dimension that is not in all tensors are given up.
// CHECK-LABEL: func.func @need_replication_in_some_tensors(
func.func @need_replication_in_some_tensors(%arg0: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %arg1: tensor<8x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}, {}, {}]> : tensor<8x4x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.triangular_solve"(%[[V0]], %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}, {}]>]>} : (tensor<8x4x4xf32>, tensor<8x4x5xf32>) -> tensor<8x4x5xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}, {}]>]>} : (tensor<8x4x4xf32>, tensor<8x4x5xf32>) -> tensor<8x4x5xf32>
  return
}

// All results of an op with several are looked at.
// CHECK-LABEL: func.func @sort(
func.func @sort(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg1 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[V2:.*]]:2 = "stablehlo.sort"(%[[V0]], %[[V1]]) <{dimension = 0 : i64}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[V4]] : tensor<i1>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>]>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]]#0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: return
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>]>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// Ops without a rule, or with one that the user wrote, are left alone.
// CHECK-LABEL: func.func @no_rule(
func.func @no_rule(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// A sharding is read in front of barriers, and kept behind them.
// CHECK-LABEL: func.func @barrier(
func.func @barrier(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.negate %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// Where results had no shardings a list is made.
// CHECK-LABEL: func.func @several_results(
func.func @several_results(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: tensor<8x4xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[V1:.*]]:2 = "stablehlo.sort"(%arg0, %[[V0]]) <{dimension = 0 : i64}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[V4]] : tensor<i1>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>]>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]]#0 <@mesh, [{}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V1]]#1 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
  // CHECK-NEXT: return
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// One of two results has another sharding than all other tensors.
// CHECK-LABEL: func.func @one_of_two_results(
func.func @one_of_two_results(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[SORT:.*]]:2 = "stablehlo.sort"(%arg0, %arg0)
  // CHECK: {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: sdy.reshard %[[SORT]]#1 <@mesh, [{"y"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: return
  %0:2 = "stablehlo.sort"(%arg0, %arg0) ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"y"}, {}]>]>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// A dimension that only the other of two tensors has keeps what the first one does not use.
// CHECK-LABEL: func.func @dimension_of_the_result(
func.func @dimension_of_the_result(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8xf32>) -> tensor<8x1xf32>
  // CHECK-NEXT: sdy.reshard %[[V0]] <@mesh, [{}, {"y"}]> : tensor<8x1xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8xf32>) -> tensor<8x1xf32>
  // CHECK-NEXT: sdy.reshard %[[V1]] <@mesh, [{"y"}, {"x":(1)2}]> : tensor<8x1xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x":(1)2}]>]>} : (tensor<8xf32>) -> tensor<8x1xf32>
  return
}
