// RUN: sdy-opt %s --sdy-propagation-pipeline --split-input-file | filecheck %s

// The ways in which a user has a say in shardings, end to end.

sdy.mesh @mesh_xy = <["x"=2, "y"=2]>

// Input and output shardings: those of arguments and results of the main function stay, and spread from there.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {}]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{}, {"y"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{}, {"y"}]>})
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {}]>}, %arg1: tensor<8x16xf32>) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{}, {"y"}]>}) {
  // CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{"x"}, {"y"}]>]>} : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK-NEXT: return %[[DOT]] : tensor<8x16xf32>
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

sdy.mesh @mesh_xy = <["x"=2, "y"=2]>

// A constraint that is not used says how the tensor itself is sharded.
// CHECK-LABEL: func.func @dangling(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {}]>})
func.func @dangling(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[NEGATE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[ABS]] : tensor<8x8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh_xy, [{"x"}, {?}]> : tensor<8x8xf32>
  %2 = stablehlo.abs %0 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh_xy = <["x"=2, "y"=2]>

// Constraints that are used say how their uses are sharded; the tensor itself may differ.
// CHECK-LABEL: func.func @used(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_xy, [{}, {"y"}]>})
func.func @used(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{"x"}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[NEGATE]] <@mesh_xy, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[RESHARD_1:.*]] = sdy.reshard %[[NEGATE]] <@mesh_xy, [{}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[RESHARD]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[ABS_1:.*]] = stablehlo.abs %[[RESHARD_1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{}, {"y"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[ABS]], %[[ABS_1]] : tensor<8x8xf32>, tensor<8x8xf32>
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh_xy, [{"x"}, {}]> : tensor<8x8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh_xy, [{}, {"y"}]> : tensor<8x8xf32>
  %3 = stablehlo.abs %1 : tensor<8x8xf32>
  %4 = stablehlo.abs %2 : tensor<8x8xf32>
  return %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

sdy.mesh @mesh_xy = <["x"=2, "y"=2]>

// A group hands a sharding on where no data flows.
// CHECK-LABEL: func.func @zeros_like(
// CHECK-SAME:  %arg0: tensor<8x2xi64> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {"y"}]>}) -> (tensor<8x2xi64> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {"y"}]>})
func.func @zeros_like(%arg0: tensor<8x2xi64> {sdy.sharding = #sdy.sharding<@mesh_xy, [{"x"}, {"y"}]>}) -> tensor<8x2xi64> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh_xy, [{"x"}, {"y"}]>]>} dense<0> : tensor<8x2xi64>
  // CHECK-NEXT: return %[[CONSTANT]] : tensor<8x2xi64>
  sdy.sharding_group %arg0 group_id=0 : tensor<8x2xi64>
  %0 = stablehlo.constant dense<0> : tensor<8x2xi64>
  sdy.sharding_group %0 group_id=0 : tensor<8x2xi64>
  return %0 : tensor<8x2xi64>
}

// -----

sdy.mesh @mesh_name = <["data"=2, "model"=2]>

// A manual computation is local along its manual axes; free axes propagate through its border, behind manual ones.
// CHECK-LABEL: func.func @free_axes(
// CHECK-SAME:  %arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh_name, [{"data"}, {"model"}]>}) -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh_name, [{"data"}, {"model"}]>})
func.func @free_axes(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_name, [{"data"}, {"model"}]>]>} : tensor<16x32xf32>
  // CHECK-NEXT: %[[MANUAL_COMPUTATION:.*]] = sdy.manual_computation(%[[NEGATE]]) in_shardings=[<@mesh_name, [{"data"}, {"model"}]>] out_shardings=[<@mesh_name, [{"data"}, {"model"}]>] manual_axes={"data"} (%arg1: tensor<8x32xf32>) {
  // CHECK-NEXT:   %[[ABS:.*]] = stablehlo.abs %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_name, [{}, {"model"}]>]>} : tensor<8x32xf32>
  // CHECK-NEXT:   sdy.return %[[ABS]] : tensor<8x32xf32>
  // CHECK-NEXT: } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  // CHECK-NEXT: return %[[MANUAL_COMPUTATION]] : tensor<16x32xf32>
  %0 = stablehlo.negate %arg0 : tensor<16x32xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh_name, [{"data"}, {"model", ?}]>] out_shardings=[<@mesh_name, [{"data"}, {?}]>] manual_axes={"data"} (%arg1: tensor<8x32xf32>) {
    %2 = stablehlo.abs %arg1 : tensor<8x32xf32>
    sdy.return %2 : tensor<8x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}

// -----

sdy.mesh @mesh_name = <["data"=2, "model"=2]>

// Manual computations nest, each with manual axes of its own.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:  %arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh_name, [{"data"}, {"model"}]>}) -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh_name, [{"data"}, {"model"}]>})
func.func @nested(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK-NEXT: %[[MANUAL_COMPUTATION:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh_name, [{"data"}, {"model"}]>] out_shardings=[<@mesh_name, [{"data"}, {"model"}]>] manual_axes={"data"} (%arg1: tensor<8x32xf32>) {
  // CHECK-NEXT:   %[[MANUAL_COMPUTATION_1:.*]] = sdy.manual_computation(%arg1) in_shardings=[<@mesh_name, [{}, {"model"}]>] out_shardings=[<@mesh_name, [{}, {"model"}]>] manual_axes={"model"} (%arg2: tensor<8x16xf32>) {
  // CHECK-NEXT:     %[[ABS:.*]] = stablehlo.abs %arg2 : tensor<8x16xf32>
  // CHECK-NEXT:     sdy.return %[[ABS]] : tensor<8x16xf32>
  // CHECK-NEXT:   } : (tensor<8x32xf32>) -> tensor<8x32xf32>
  // CHECK-NEXT:   sdy.return %[[MANUAL_COMPUTATION_1]] : tensor<8x32xf32>
  // CHECK-NEXT: } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  // CHECK-NEXT: return %[[MANUAL_COMPUTATION]] : tensor<16x32xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh_name, [{"data"}, {?}]>] out_shardings=[<@mesh_name, [{"data"}, {?}]>] manual_axes={"data"} (%arg1: tensor<8x32xf32>) {
    %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh_name, [{}, {"model"}]>] out_shardings=[<@mesh_name, [{}, {"model"}]>] manual_axes={"model"} (%arg2: tensor<8x16xf32>) {
      %2 = stablehlo.abs %arg2 : tensor<8x16xf32>
      sdy.return %2 : tensor<8x16xf32>
    } : (tensor<8x32xf32>) -> tensor<8x32xf32>
    sdy.return %1 : tensor<8x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
