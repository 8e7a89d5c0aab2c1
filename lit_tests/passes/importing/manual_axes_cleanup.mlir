// RUN: sdy-opt %s --split-input-file --sdy-manual-axes-cleanup | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=4, "c"=2]>
sdy.mesh @empty = <[]>
sdy.mesh @same = <["a"=2, "b"=4, "c"=2]>

// Manual axes go to mesh order; those that a sharding does not mention become replicated.
// CHECK-LABEL: func.func @missing(
func.func @missing(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"b"}, {?}p1], replicated={"a"}>, <@mesh, [{"c", ?}, {}], replicated={"a", "b"}>] out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"a", "b"} (%arg2: tensor<2x8xf32>, %arg3: tensor<8x8xf32>) {
  // CHECK-NEXT:   %[[SLICE:.*]] = stablehlo.slice %arg3 [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
  // CHECK-NEXT:   sdy.return %[[SLICE]] : tensor<1x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8x8xf32>
  %0 = sdy.manual_computation(%arg0, %arg1)
      in_shardings=[<@mesh, [{"b"}, {?}p1]>, <@mesh, [{"c", ?}, {}], replicated={"b"}>]
      out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"b", "a"} (%arg2: tensor<2x8xf32>, %arg3: tensor<8x8xf32>) {
    %1 = stablehlo.slice %arg3 [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    sdy.return %1 : tensor<1x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Parts that are there count: only the rest is added, and merged with replicated neighbours.
// CHECK-LABEL: func.func @sub_axes(
func.func @sub_axes(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b":(2)2}], replicated={"b":(1)2}>] out_shardings=[<@mesh, [{}], replicated={"b"}>] manual_axes={"b"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT:   %[[CONCAT:.*]] = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[CONCAT]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b":(2)2}]>] out_shardings=[<@mesh, [{}], replicated={"b":(1)2}>] manual_axes={"b"} (%arg1: tensor<4xf32>) {
    %1 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Unreduced axes are mentioned, and stay.
// CHECK-LABEL: func.func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}], replicated={"c"}, unreduced=max{"a"}>] out_shardings=[<@mesh, [{}], replicated={"c"}, unreduced={"a"}>] manual_axes={"a", "c"} (%arg1: tensor<8xf32>) {
  // CHECK-NEXT:   sdy.return %arg1 : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}], unreduced=max{"a"}>] out_shardings=[<@mesh, [{}], unreduced={"a"}>] manual_axes={"c", "a"} (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A sharding on the empty mesh moves to the common mesh when it needs an axis.
// CHECK-LABEL: func.func @empty_mesh(
func.func @empty_mesh(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}], replicated={"a"}>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
  // CHECK-NEXT:   %[[SLICE:.*]] = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[SLICE]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@empty, [{?}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
    %1 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Tokens have no axes.
// CHECK-LABEL: func.func @token(
func.func @token(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]]:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"a"}]>, <@mesh, []>] manual_axes={"a"} (%arg2: tensor<4xf32>, %arg3: !stablehlo.token) {
  // CHECK-NEXT:   sdy.return %arg2, %arg3 : tensor<4xf32>, !stablehlo.token
  // CHECK-NEXT: } : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  // CHECK-NEXT: return %[[COMPUTATION]]#0 : tensor<8xf32>
  %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"a"}]>, <@mesh, []>] manual_axes={"a"} (%arg2: tensor<4xf32>, %arg3: !stablehlo.token) {
    sdy.return %arg2, %arg3 : tensor<4xf32>, !stablehlo.token
  } : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  return %0#0 : tensor<8xf32>
}

// A computation without shardings may have manual axes if it does nothing.
// CHECK-LABEL: func.func @nothing_to_shard(
func.func @nothing_to_shard() {
  // CHECK-NEXT: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"b", "a"} () {
  // CHECK-NEXT:   sdy.return
  // CHECK-NEXT: } : () -> ()
  // CHECK-NEXT: return
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"b", "a"} () {
    sdy.return
  } : () -> ()
  return
}

// Nested computations are cleaned up each for itself.
// CHECK-LABEL: func.func @nested(
func.func @nested(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT:   %[[COMPUTATION_1:.*]] = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{?}], replicated={"c"}>] out_shardings=[<@mesh, [{}], replicated={"c"}>] manual_axes={"c"} (%arg2: tensor<4xf32>) {
  // CHECK-NEXT:     sdy.return %arg2 : tensor<4xf32>
  // CHECK-NEXT:   } : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[COMPUTATION_1]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{?}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"c"} (%arg2: tensor<4xf32>) {
      sdy.return %arg2 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Two names of one mesh are a common mesh: the first is used where an axis is added.
// CHECK-LABEL: func.func @same_mesh(
func.func @same_mesh(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[MANUAL_COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@same, [{}], replicated={"a", "b"}>] out_shardings=[<@same, [{}], replicated={"a", "b"}>] manual_axes={"a", "b"} (%arg1: tensor<8xf32>) {
  // CHECK-NEXT:   sdy.return %arg1 : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[MANUAL_COMPUTATION]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@same, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"b", "a"} (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Without shardings the one mesh that has the axes is meant.
sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @empty = <[]>
// CHECK-LABEL: func.func @effects_alone(
func.func @effects_alone() {
  // CHECK-NEXT: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a", "b"} () {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"b", "a"} () {
    stablehlo.custom_call @foo() {has_side_effect = true} : () -> ()
    sdy.return
  } : () -> ()
  return
}
