// RUN: sdy-opt %s --canonicalize | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other_order = <["x"=2, "y"=2, "z"=4], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @one_device = <["a"=1, "b"=1]>
sdy.mesh @maximal = <[], device_ids=[3]>

// Arguments that the body does not use are dropped, with their operands and shardings.
// CHECK-LABEL: func.func @manual_computation_unused_arguments(
// CHECK-NEXT:  %[[V0:.*]] = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "z"} (%arg3: tensor<8xf32>) {
// CHECK-NEXT:    sdy.return %arg3 : tensor<8xf32>
// CHECK-NEXT:  } {note = "kept"} : (tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<16xf32>
func.func @manual_computation_unused_arguments(%arg0: tensor<8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<32xf32>) -> tensor<16xf32> {
  %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}]>, <@mesh, [{"x"}]>, <@mesh, [{"z"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "z"} (%arg3: tensor<8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xf32>) {
    sdy.return %arg4 : tensor<8xf32>
  } {note = "kept"} : (tensor<8xf32>, tensor<16xf32>, tensor<32xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A manual computation that does nothing is nothing.
// CHECK-LABEL: func.func @manual_computation_empty(
// CHECK-NEXT:  return
func.func @manual_computation_empty() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  return
}

// On one device along its manual axes a manual computation is its body.
// CHECK-LABEL: func.func @manual_computation_one_device(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT:  %[[V1:.*]] = stablehlo.custom_call @effect(%[[V0]]) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8xf32>
func.func @manual_computation_one_device(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@one_device, [{"a"}]>] out_shardings=[<@one_device, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8xf32>
    %2 = stablehlo.custom_call @effect(%1) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A computation goes if its results are unused and its body has no effects.
// CHECK-LABEL: func.func @unused_computations(
// CHECK-NEXT:  %[[V0:.*]] = sdy.named_computation<"effects">(%arg0) (%arg1: tensor<8xf32>) {
// CHECK-NEXT:    %[[V1:.*]] = stablehlo.custom_call @effect(%arg1) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    sdy.return %[[V1]] : tensor<8xf32>
// CHECK-NEXT:  } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:  return
func.func @unused_computations(%arg0: tensor<8xf32>) {
  %0 = sdy.named_computation<"pure">(%arg0) (%arg1: tensor<8xf32>) {
    %2 = stablehlo.negate %arg1 : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"effects">(%arg0) (%arg1: tensor<8xf32>) {
    %2 = stablehlo.custom_call @effect(%arg1) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// Unused ops without effects go: reshard, constant, barrier. Constraints and collectives stay.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:  %[[V0:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT:  return
func.func @unused(%arg0: tensor<8xf32>) {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.constant dense<1.0> : tensor<8xf32>
  %2 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8xf32>
  %3 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %4 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  return
}

// Equal constants of StableHLO are one, in front; those of this dialect are two.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:  %[[CST:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:  %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:  return %[[V0]], %[[V1]], %[[CST]], %[[CST]] : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @constants() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = sdy.constant dense<1.0> : tensor<2xf32>
  %1 = sdy.constant dense<1.0> : tensor<2xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %3 = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A constant does not leave the body of a manual computation.
// CHECK-LABEL: func.func @constant_in_body(
// CHECK-NEXT:  %[[V0:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
// CHECK-NEXT:    %[[CST:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.*]] = stablehlo.add %arg1, %[[CST]] : tensor<4xf32>
// CHECK-NEXT:    sdy.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT:  } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8xf32>
func.func @constant_in_body(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    %1 = stablehlo.constant dense<1.0> : tensor<4xf32>
    %2 = stablehlo.add %arg1, %1 : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A reshard that only another one uses goes.
// CHECK-LABEL: func.func @reshard_of_reshard(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @reshard_of_reshard(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y"}]> {note = "dropped"} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A reshard with other uses stays.
// CHECK-LABEL: func.func @reshard_of_shared_reshard(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]], %[[V1]] : tensor<8x8xf32>, tensor<8x8xf32>
func.func @reshard_of_shared_reshard(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// The first of two reshards of a value to one sharding does for both, whichever dimensions are open.
// CHECK-LABEL: func.func @reshard_twice(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {?}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]], %[[V0]] : tensor<8x8xf32>, tensor<8x8xf32>
func.func @reshard_twice(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {?}]> : tensor<8x8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{"x", ?}, {}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A reshard of the transposed value is the transpose of the reshard, if the tensor is square.
// CHECK-LABEL: func.func @reshard_of_transpose(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = stablehlo.transpose %[[V0]], dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]], %[[V1]] : tensor<8x8xf32>, tensor<8x8xf32>
func.func @reshard_of_transpose(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A reshard of a reshaped value is found if the distribution is the same.
// CHECK-LABEL: func.func @reshard_of_reshape(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{"x"}]> : tensor<32xf32>
// CHECK-NEXT:  %[[V2:.*]] = stablehlo.reshape %[[V1]] : (tensor<32xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:  %[[V3:.*]] = stablehlo.reshape %[[V2]] : (tensor<8x4xf32>) -> tensor<32xf32>
// CHECK-NEXT:  return %[[V1]], %[[V3]] : tensor<32xf32>, tensor<32xf32>
func.func @reshard_of_reshape(%arg0: tensor<8x4xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<32xf32>
  %2 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}]> : tensor<32xf32>
  return %1, %3 : tensor<32xf32>, tensor<32xf32>
}

// So is one to a single device, which has no dimensions to be moved by a transpose.
// CHECK-LABEL: func.func @reshard_to_one_device(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reshard %arg0 <@maximal, []> : tensor<8x4xf32>
// CHECK-NEXT:  %[[V1:.*]] = stablehlo.reshape %[[V0]] : (tensor<8x4xf32>) -> tensor<32xf32>
// CHECK-NEXT:  %[[V2:.*]] = stablehlo.transpose %[[V0]], dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:  return %[[V0]], %[[V2]], %[[V1]] : tensor<8x4xf32>, tensor<4x8xf32>, tensor<32xf32>
func.func @reshard_to_one_device(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>, tensor<32xf32>) {
  %0 = sdy.reshard %arg0 <@maximal, []> : tensor<8x4xf32>
  %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = sdy.reshard %1 <@maximal, []> : tensor<4x8xf32>
  %3 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
  %4 = sdy.reshard %3 <@maximal, []> : tensor<32xf32>
  return %0, %2, %4 : tensor<8x4xf32>, tensor<4x8xf32>, tensor<32xf32>
}

// What replaces a reshard is looked at again before what uses it.
// CHECK-LABEL: func.func @reshards_in_a_row(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 : (tensor<2x1xf32>) -> tensor<2xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{"y"}]> : tensor<2xf32>
// CHECK-NEXT:  %[[V2:.*]] = stablehlo.reshape %[[V1]] : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK-NEXT:  %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{}, {}]> : tensor<2x1xf32>
// CHECK-NEXT:  return %[[V1]], %[[V3]] : tensor<2xf32>, tensor<2x1xf32>
func.func @reshards_in_a_row(%arg0: tensor<2x1xf32>) -> (tensor<2xf32>, tensor<2x1xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x1xf32>) -> tensor<2xf32>
  %1 = sdy.reshard %0 <@mesh, [{"y"}]> : tensor<2xf32>
  %2 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<2x1xf32>
  %3 = sdy.reshard %2 <@mesh, [{"y"}, {}]> : tensor<2x1xf32>
  %4 = sdy.reshard %3 <@mesh, [{}, {}]> : tensor<2x1xf32>
  return %1, %4 : tensor<2xf32>, tensor<2x1xf32>
}

// Collectives over no axes are their operands.
// CHECK-LABEL: func.func @no_axes(
// CHECK-NEXT:  return %arg0, %arg0, %arg0, %arg0 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
func.func @no_axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.all_gather [{}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_reduce {} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %3 = sdy.reduce_scatter [{}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %0, %1, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// A slice along what has been gathered is what there was before; the gather stays.
// CHECK-LABEL: func.func @slice_of_gather(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %arg0 : tensor<8x8xf32>
func.func @slice_of_gather(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A permute to the operand's own sharding is the operand.
// CHECK-LABEL: func.func @permute_to_the_same(
// CHECK-NEXT:  return %arg0 : tensor<8x8xf32>
func.func @permute_to_the_same(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"x"}, {?}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A permute of replicated data stays as long as what comes next needs the other mesh.
// CHECK-LABEL: func.func @permute_of_replicated(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@other_order, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{"x"}, {}] %[[V0]] out_sharding=<@other_order, [{"x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]], %arg0 : tensor<8x8xf32>, tensor<8x8xf32>
func.func @permute_of_replicated(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@other_order, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@other_order, [{"x"}, {}]> : tensor<8x8xf32>
  %2 = sdy.collective_permute %arg0 out_sharding=<@other_order, [{}, {}]> : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Moves between four dimensions are one op.
// CHECK-LABEL: func.func @moves(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_to_all [{"x"}: 0->1, {"y"}: 2->3] %arg0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8x8x8xf32>
func.func @moves(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}) -> tensor<8x8x8x8xf32> {
  %0 = sdy.all_to_all [{"y"}: 2->3] %arg0 out_sharding=<@mesh, [{"x"}, {}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]> : tensor<8x8x8x8xf32>
  return %1 : tensor<8x8x8x8xf32>
}

// Moves that have a dimension in common are two ops.
// CHECK-LABEL: func.func @moves_to_the_same(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_to_all [{"y"}: 2->1] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}, {}]> : tensor<8x8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->1] %[[V0]] out_sharding=<@mesh, [{}, {"y", "x"}, {}]> : tensor<8x8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8x8xf32>
func.func @moves_to_the_same(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> tensor<8x8x8xf32> {
  %0 = sdy.all_to_all [{"y"}: 2->1] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}, {}]> : tensor<8x8x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"y", "x"}, {}]> : tensor<8x8x8xf32>
  return %1 : tensor<8x8x8xf32>
}

// An unused move goes, other than an unused gather.
// CHECK-LABEL: func.func @unused_collectives(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return
func.func @unused_collectives(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// Making a value unreduced and reducing it is nothing; what made it stays.
// CHECK-LABEL: func.func @replicated_to_unreduced(
// CHECK-NEXT:  %[[V0:.*]] = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
// CHECK-NEXT:  return %arg0 : tensor<8x8xf32>
func.func @replicated_to_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
  %1 = sdy.all_reduce {"y"} %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Making axes of dimensions unreduced and reducing along them is a gather.
// CHECK-LABEL: func.func @sharded_to_unreduced(
// CHECK-NEXT:  %[[V0:.*]] = sdy.sharded_to_unreduced [{"z":(2)2}, {"y"}] %arg0 out_sharding=<@mesh, [{"z":(1)2}, {"x"}], unreduced={"y", "z":(2)2}> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_gather [{"z":(2)2}, {"y"}] %arg0 out_sharding=<@mesh, [{"z":(1)2}, {"x"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @sharded_to_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x", "y"}]>}) -> tensor<8x8xf32> {
  %0 = sdy.sharded_to_unreduced [{"z":(2)2}, {"y"}] %arg0 out_sharding=<@mesh, [{"z":(1)2}, {"x"}], unreduced={"y", "z":(2)2}> : tensor<8x8xf32>
  %1 = sdy.all_reduce {"y", "z":(2)2} %0 out_sharding=<@mesh, [{"z":(1)2}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A reduction that all users slice is a reduce-scatter, and a slice along what is left.
// CHECK-LABEL: func.func @reduce_scatter(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reduce_scatter [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{"z":(1)2, "x"}, {"y"}]> : tensor<16x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{}, {"z":(2)2}] %[[V0]] out_sharding=<@mesh, [{"z":(1)2, "x", ?}, {"y", "z":(2)2}]> : tensor<16x8xf32>
// CHECK-NEXT:  return %[[V1]], %[[V1]] : tensor<16x8xf32>, tensor<16x8xf32>
func.func @reduce_scatter(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z":(1)2, ?}, {}], unreduced={"x", "y"}>}) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{"z":(1)2, ?}, {?}]> : tensor<16x8xf32>
  %1 = sdy.all_slice [{"x"}, {"y", "z":(2)2}] %0 out_sharding=<@mesh, [{"z":(1)2, "x", ?}, {"y", "z":(2)2}]> : tensor<16x8xf32>
  %2 = sdy.all_slice [{"x"}, {"y", "z":(2)2}] %0 out_sharding=<@mesh, [{"z":(1)2, "x"}, {"y", "z":(2)2}]> : tensor<16x8xf32>
  return %2, %1 : tensor<16x8xf32>, tensor<16x8xf32>
}

// The kind of the reduction is that of the reduce-scatter.
// CHECK-LABEL: func.func @reduce_scatter_max(
// CHECK-NEXT:  %[[V0:.*]] = sdy.reduce_scatter max [{}, {"x"}] %arg0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<8x8xf32>
func.func @reduce_scatter_max(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced=max{"x"}>}) -> tensor<8x8xf32> {
  %0 = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{}, {"x"}] %0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A reduction along axes that are not sliced stays.
// CHECK-LABEL: func.func @not_all_sliced(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{"x"}, {}] %[[V0]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @not_all_sliced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> tensor<8x8xf32> {
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A reduction with another use stays.
// CHECK-LABEL: func.func @not_only_sliced(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_slice [{"x"}, {}] %[[V0]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V0]], %[[V1]] : tensor<8x8xf32>, tensor<8x8xf32>
func.func @not_only_sliced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// An op that loses an argument is looked at again in the next sweep, so the second body is in place before the first
// one, and its constant comes to the front earlier.
// CHECK-LABEL: func.func @constants_of_bodies(
// CHECK-NEXT:  %[[FIRST:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT:  %[[SECOND:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<8xf32>
// CHECK-NEXT:  sdy.sharding_constraint %arg0
// CHECK-NEXT:  sdy.sharding_constraint %[[FIRST]]
// CHECK-NEXT:  sdy.sharding_constraint %[[SECOND]]
// CHECK-NEXT:  return
func.func @constants_of_bodies(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) {
  %0 = sdy.sharding_constraint %arg0 <@one_device, [{}]> : tensor<8xf32>
  %1 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@one_device, [{}]>, <@one_device, [{}]>] out_shardings=[<@one_device, [{}]>] manual_axes={} (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
    %3 = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
    %4 = sdy.sharding_constraint %3 <@one_device, [{}]> : tensor<8xf32>
    sdy.return %arg3 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.manual_computation(%1, %arg1) in_shardings=[<@one_device, [{}]>, <@one_device, [{}]>] out_shardings=[<@one_device, [{}]>] manual_axes={} (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
    %3 = stablehlo.constant dense<2.000000e+00> : tensor<8xf32>
    %4 = sdy.sharding_constraint %3 <@one_device, [{}]> : tensor<8xf32>
    %5 = stablehlo.negate %arg3 : tensor<8xf32>
    %6 = stablehlo.add %5, %5 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}
