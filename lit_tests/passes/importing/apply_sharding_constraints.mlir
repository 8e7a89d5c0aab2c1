// RUN: sdy-opt %s --sdy-apply-sharding-constraints --split-input-file | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
sdy.mesh @same = <["a"=2, "b"=2, "c"=2]>

// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// A closed constraint hands its sharding to its input, op result or argument, and keeps its rule.
// CHECK-LABEL: func.func @closed(
// CHECK-SAME:  %arg0: tensor<8x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<8x1xf32>) -> tensor<8x1xf32>
func.func @closed(%arg0: tensor<8x1xf32>, %arg1: tensor<8x1xf32>) -> tensor<8x1xf32> {
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}p1, {}], replicated={"b"}, unreduced={"c"}>]>} : tensor<8x1xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[ADD]] <@mesh, [{"a"}p1, {}], replicated={"b"}, unreduced={"c"}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=1}>} : tensor<8x1xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg0 <@mesh, [{}, {}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=1}>} : tensor<8x1xf32>
  // CHECK-NEXT: return %[[CONSTRAINT]] : tensor<8x1xf32>
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x1xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}p1, {}], replicated={"b"}, unreduced={"c"}> : tensor<8x1xf32>
  %2 = sdy.sharding_constraint %arg0 <@mesh, [{}, {}]> : tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// One with an open dimension does not.
// CHECK-LABEL: func.func @open(
func.func @open(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT]] : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A sharding that says something stays; one that says nothing is replaced.
// CHECK-LABEL: func.func @existing(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p0]>})
func.func @existing(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>},
                    %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p0]>}) {
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg2 <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %arg2 <@mesh, [{"a"}]> : tensor<8xf32>
  return
}

// The sharding of a scalar says something, except among several results, where it may just fill the list.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME:  %arg0: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg1: tensor<f32>) -> tensor<f32>
func.func @scalars(%arg0: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [], replicated={"a"}> : tensor<f32>
  // CHECK-NEXT: %[[CUSTOM_CALL:.*]]:2 = stablehlo.custom_call @two(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [], replicated={"a"}>]>} : (tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[CUSTOM_CALL]]#1 <@mesh, [], replicated={"a"}> {sdy.sharding_rule = #sdy.op_sharding_rule<([])->([])>} : tensor<f32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CONSTRAINT]], %[[CONSTRAINT_1]] : tensor<f32>
  // CHECK-NEXT: return %[[ADD]] : tensor<f32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [], replicated={"a"}> : tensor<f32>
  %1:2 = stablehlo.custom_call @two(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>]>} : (tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  %2 = sdy.sharding_constraint %1#1 <@mesh, [], replicated={"a"}> : tensor<f32>
  %3 = stablehlo.add %0, %2 : tensor<f32>
  return %3 : tensor<f32>
}

// Different constraints, in shardings of manual computations included, cancel each other; equal ones do not.
// CHECK-LABEL: func.func @several(
// CHECK-SAME:  %arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg2: tensor<8xf32>) -> tensor<8xf32>
func.func @several(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg2 <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg2) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg3: tensor<4xf32>) {
  // CHECK-NEXT:   sdy.return %arg3 : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  %4 = sdy.sharding_constraint %arg2 <@mesh, [{"b"}]> : tensor<8xf32>
  %5 = sdy.manual_computation(%arg2) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg3: tensor<4xf32>) {
    sdy.return %arg3 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}

// In shardings of a manual computation are constraints on its operands. They have no rule to keep.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}], replicated={"b"}>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[NEGATE]], %arg1) in_shardings=[<@mesh, [{"a"}], replicated={"b"}>, <@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
  // CHECK-NEXT:   sdy.return %arg2 : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = sdy.manual_computation(%0, %arg1) in_shardings=[<@mesh, [{"a"}], replicated={"b"}>, <@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
    sdy.return %arg2 : tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Where several results share an attribute the others become open.
// CHECK-LABEL: func.func @several_results(
func.func @several_results(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CUSTOM_CALL:.*]]:2 = stablehlo.custom_call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [{?}, {?}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4x4xf32>)
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[CUSTOM_CALL]]#0 <@mesh, [{"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT]] : tensor<8xf32>
  %0:2 = stablehlo.custom_call @two(%arg0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4x4xf32>)
  %1 = sdy.sharding_constraint %0#0 <@mesh, [{"a"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A list of shardings is filled up on the mesh of the first that is given, even if that one is replaced.
// CHECK-LABEL: func.func @mesh_of_a_new_list(
func.func @mesh_of_a_new_list(%arg0: tensor<i32>, %arg1: tensor<8xf32>, %arg2: tensor<i1>) -> tensor<i32> {
  // CHECK-NEXT: %[[WHILE:.*]]:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@same, []>, <@mesh, [{?}]>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.return %arg2 : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[CONSTRAINT:.*]] = sdy.sharding_constraint %iterArg <@mesh, []> {sdy.sharding_rule = #sdy.op_sharding_rule<([])->([])>} : tensor<i32>
  // CHECK-NEXT:   stablehlo.return %[[CONSTRAINT]], %iterArg_0 : tensor<i32>, tensor<8xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[WHILE]]#0 <@same, []> {sdy.sharding_rule = #sdy.op_sharding_rule<([])->([])>} : tensor<i32>
  // CHECK-NEXT: return %[[CONSTRAINT_1]] : tensor<i32>
  %0:2 = stablehlo.while(%arg3 = %arg0, %arg4 = %arg1) : tensor<i32>, tensor<8xf32>
   cond {
    stablehlo.return %arg2 : tensor<i1>
  } do {
    %2 = sdy.sharding_constraint %arg3 <@mesh, []> : tensor<i32>
    stablehlo.return %2, %arg4 : tensor<i32>, tensor<8xf32>
  }
  %1 = sdy.sharding_constraint %0#0 <@same, []> : tensor<i32>
  return %1 : tensor<i32>
}

// Without edges the sharding of a loop variable is kept on the loop; arguments of other regions have none.
// CHECK-LABEL: func.func @block_arguments(
func.func @block_arguments(%arg0: tensor<8xf32>, %arg1: tensor<i1>, %arg2: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[WHILE:.*]] = stablehlo.while(%iterArg = %arg0) : tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.return %arg1 : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[CONSTRAINT:.*]] = sdy.sharding_constraint %iterArg <@mesh, [{"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[CONSTRAINT]] : tensor<8xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT:  reducer(%arg3: tensor<f32>, %arg4: tensor<f32>)  {
  // CHECK-NEXT:   %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %arg3 <@mesh, []> : tensor<f32>
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %[[CONSTRAINT_1]], %arg4 : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[WHILE]], %[[REDUCE]] : tensor<8xf32>, tensor<f32>
  %0 = stablehlo.while(%arg3 = %arg0) : tensor<8xf32>
   cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    %2 = sdy.sharding_constraint %arg3 <@mesh, [{"a"}]> : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }
  %1 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg3: tensor<f32>, %arg4: tensor<f32>) {
    %2 = sdy.sharding_constraint %arg3 <@mesh, []> : tensor<f32>
    %3 = stablehlo.add %2, %arg4 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  return %0, %1 : tensor<8xf32>, tensor<f32>
}

// Later uses of the head of a chain of constraints, in the block, go to its end.
// CHECK-LABEL: func.func @chain(
func.func @chain(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[NEGATE]] : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[NEGATE]] <@mesh, [{"a", ?}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[CONSTRAINT]] <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CONSTRAINT_1]], %[[ABS]] : tensor<8xf32>
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT:   stablehlo.return %[[NEGATE]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = stablehlo.multiply %[[ADD]], %[[CASE]] : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT_1]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = stablehlo.abs %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"a", ?}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"b"}]> : tensor<8xf32>
  %4 = stablehlo.add %0, %1 : tensor<8xf32>
  %5 = "stablehlo.case"(%arg1) ({
    stablehlo.return %0 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Not if the value has a sharding, or another constraint, or the end has one.
// CHECK-LABEL: func.func @no_chain(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
func.func @no_chain(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}]>}, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[CONSTRAINT]] <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_2:.*]] = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[CONSTRAINT_2]] <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_5:.*]] = sdy.sharding_constraint %arg2 <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_6:.*]] = sdy.sharding_constraint %[[CONSTRAINT_5]] <@mesh, [{"b"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[CONSTRAINT_6]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[CONSTRAINT_6]] <@mesh, [{"c"}]> : tensor<8xf32>
  // CHECK-NEXT: return %arg0, %arg1, %arg2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"b"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"b"}]> : tensor<8xf32>
  %4 = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
  %5 = sdy.sharding_constraint %arg2 <@mesh, [{?}]> : tensor<8xf32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{"b"}]> : tensor<8xf32>
  %7 = sdy.sharding_constraint %6 <@mesh, [{"a"}]> : tensor<8xf32>
  %8 = sdy.sharding_constraint %6 <@mesh, [{"c"}]> : tensor<8xf32>
  return %arg0, %arg1, %arg2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Another name of the same mesh makes another sharding.
// CHECK-LABEL: func.func @other_name(
func.func @other_name(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[NEGATE]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.sharding_constraint %[[NEGATE]] <@same, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %0 <@same, [{"a"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Without edges the shardings of block arguments are in shardings, which then count as constraints on the operand.
// CHECK-LABEL: func.func @computation_arguments(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
func.func @computation_arguments(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[MANUAL_COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "b"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>) {
  // CHECK-NEXT:   %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg2 <@mesh, [{"b"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>} : tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[CONSTRAINT]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"f">(%arg0, %arg1) in_shardings=[<@mesh, [{?}]>, <@mesh, [{"c"}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
  // CHECK-NEXT:   %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %arg3 <@mesh, [{"c"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[CONSTRAINT_1]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[MANUAL_COMPUTATION]], %[[NAMED_COMPUTATION]] : tensor<8xf32>, tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>) {
    %2 = sdy.sharding_constraint %arg2 <@mesh, [{"b"}]> : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"f">(%arg0, %arg1) (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
    %2 = sdy.sharding_constraint %arg3 <@mesh, [{"c"}]> : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A constraint on a token hands over its sharding, but has no rule.
// CHECK-LABEL: func.func @tokens(
// CHECK-SAME:  %arg0: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, []>}) -> !stablehlo.token
func.func @tokens(%arg0: !stablehlo.token) -> !stablehlo.token {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, []> : !stablehlo.token
  // CHECK-NEXT: return %[[CONSTRAINT]] : !stablehlo.token
  %0 = sdy.sharding_constraint %arg0 <@mesh, []> : !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// What the main function returns is not redirected.

sdy.mesh @mesh = <["a"=2, "b"=2]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xf32>, tensor<8xf32>)
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTRAINT_1:.*]] = sdy.sharding_constraint %[[CONSTRAINT]] <@mesh, [{"b"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT_1]] : tensor<8xf32>
  // CHECK-NEXT: return %arg0, %[[NEGATE]] : tensor<8xf32>, tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"b"}]> : tensor<8xf32>
  %2 = stablehlo.negate %arg0 : tensor<8xf32>
  return %arg0, %2 : tensor<8xf32>, tensor<8xf32>
}
