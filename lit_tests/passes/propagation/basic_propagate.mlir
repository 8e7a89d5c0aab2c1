// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK-LABEL: func.func @main
func.func @main() {
  return
}

// From operands to results and, in a later visit, back from results to operands.
// CHECK-LABEL: func.func @forward_and_backward
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}
func.func @forward_and_backward(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.tanh %[[ADD]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b"}]>]>}
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b"}]>]>} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Along the factors of a dot: rows, columns and the contracted dimension.
// CHECK-LABEL: func.func @dot
// CHECK-SAME:    %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"c", ?}]>}
func.func @dot(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"c", ?}]>}) -> tensor<16x4xf32> {
  // CHECK-NEXT: stablehlo.dot {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"c", ?}]>]>}
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// Two factors want one axis: neither gets it.
// CHECK-LABEL: func.func @conflict_between_factors
func.func @conflict_between_factors(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<16x4xf32> {
  // CHECK-NEXT: stablehlo.dot %arg0, %arg1 : (
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// Tensors that disagree on a factor share what their axes have in common at the front.
// CHECK-LABEL: func.func @common_prefix
func.func @common_prefix(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// One closed operand stops all tensors of the op.
// CHECK-LABEL: func.func @closed_operand
func.func @closed_operand(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Replicated axes are not passed on and keep others out.
// CHECK-LABEL: func.func @replicated
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}], replicated={"b"}>}
func.func @replicated(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"b"}>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Unreduced axes likewise.
// CHECK-LABEL: func.func @unreduced
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}], unreduced={"b"}>}
func.func @unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], unreduced={"b"}>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A value that is two operands of one op is written twice; the last time counts.
// CHECK-LABEL: func.func @last_write_wins
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}
func.func @last_write_wins(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// The other results of an op get a sharding together with the first one that does.
// CHECK-LABEL: func.func @results_come_as_a_list
func.func @results_come_as_a_list(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32>) {
  // CHECK-NEXT: stablehlo.custom_call @f({{.*}}sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>, <@mesh, [{?}]>]>
  %0:2 = stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k])->([i, j], [k]) {i=8, j=8, k=4}, custom>} : (tensor<8x8xf32>, tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<4xf32>
}

// Both operands and results of a sort.
// CHECK-LABEL: func.func @several_results
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}
func.func @several_results(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}]>, <@mesh, [{?}, {"a", ?}]>]>
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A scalar has no dimension to pass on.
// CHECK-LABEL: func.func @scalar
func.func @scalar(%arg0: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"a"}>}) -> tensor<f32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 : tensor<f32>
  %0 = stablehlo.tanh %arg0 : tensor<f32>
  return %0 : tensor<f32>
}

// What is updated loses its priorities; what is not keeps them.
// CHECK-LABEL: func.func @priorities
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {"b", ?}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}
func.func @priorities(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {"b", ?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p2, {"b", ?}p1]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// The unsharded part of a program gets no shardings at all.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NOT: sdy.sharding
func.func @nothing_to_do(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Ops that have a sharding of their own, without a rule or with one, get more of it there.
// CHECK-LABEL: func.func @own_shardings
func.func @own_shardings(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: sdy.reshard %arg0 <@mesh, [{"a", ?}, {"c", ?}]>
  %0 = sdy.reshard %arg0 <@mesh, [{?}, {?}]> : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : tensor<8x8xf32>
  // CHECK: sdy.sharding_constraint %1 <@mesh, [{"a", ?}, {"c", ?}]>
  %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {"c", ?}]> : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// What nothing uses goes, and what only that used.
// CHECK-LABEL: func.func @dead_code
func.func @dead_code(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.abs %arg0
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  %2 = stablehlo.abs %arg0 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
