// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=4, "y"=2, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>

// Unreduced axes that the result does not have are all-reduced, by the reduction that they have; others stay.
// CHECK-LABEL: func.func @operands(
func.func @operands(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"z"}>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.add %[[V0]], %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.all_reduce max {"z"} %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.negate %[[V3]] : tensor<8xf32>
  // CHECK-NEXT: %[[V5:.*]] = sdy.all_reduce {"x"} %[[V2]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V5]] : tensor<8xf32>
  %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  %1 = stablehlo.negate %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A reshard to unreduced axes becomes ops that create them: sharded axes are taken from the end of a dimension.
// CHECK-LABEL: func.func @reshard(
func.func @reshard(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", "y"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.sharded_to_unreduced [{"y"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", "y"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.sharded_to_unreduced [{"x":(2)2, "y"}, {}] %[[V2]] out_sharding=<@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V5:.*]] = sdy.replicated_to_unreduced {"y"} %[[V4]] out_sharding=<@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@mesh, [{"x", "y"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
  %2 = sdy.reshard %arg0 <@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}> : tensor<8x8xf32>
  %3 = sdy.reshard %arg0 <@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<8x8xf32>
  return
}

// A reshard may reduce some axes and create others: the former comes first.
// CHECK-LABEL: func.func @reduce_and_create(
func.func @reduce_and_create(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.replicated_to_unreduced {"y"} %[[V0]] out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// A value without a sharding is replicated.
// CHECK-LABEL: func.func @missing_sharding(
func.func @missing_sharding(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.replicated_to_unreduced {"y"} %[[V0]] out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// Between device orders nothing can stay unreduced.
// CHECK-LABEL: func.func @device_order(
func.func @device_order(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@reversed, [{}], unreduced={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@reversed, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.replicated_to_unreduced {"x"} %[[V1]] out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// Axes that an op reduces by itself are spared.
// CHECK-LABEL: func.func @reducing(
func.func @reducing(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @scattering(
func.func @scattering(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reduce_scatter [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reduce_scatter [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}], unreduced={"y"}> : tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @reducing_by_device_ids(
func.func @reducing_by_device_ids(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"z"}>}) {
  // CHECK-NEXT: "stablehlo.all_reduce"(%arg0)
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// Axes that the groups do not lie along are reduced in front.
// CHECK-LABEL: func.func @reducing_other_axes(
func.func @reducing_other_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) {
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: "stablehlo.all_reduce"(%[[SUM]])
  %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7], [8, 10], [9, 11], [12, 14], [13, 15]]> : tensor<8x2xi64>, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// Unreduced axes of another order of devices are not those of the operand.
// CHECK-LABEL: func.func @other_devices_in_the_result(
func.func @other_devices_in_the_result(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.custom_call @split(%[[V0]])
  %0 = stablehlo.custom_call @split(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{}], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// Results may differ in what they are unreduced over, as long as no operand is.
// CHECK-LABEL: func.func @results_that_differ(
func.func @results_that_differ(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  // CHECK-NEXT: stablehlo.custom_call @two(%arg0)
  // CHECK-NEXT: return
  %0:2 = stablehlo.custom_call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>, <@mesh, [{}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// An unreduced result of an op with a reduction factor is all-reduced over the other axes of that factor.
// CHECK-LABEL: func.func @dot(
func.func @dot(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"y"} %[[V0]] out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// Where the axes of the reduction factor are on the result too, or the operands disagree, the op gets the treatment of
// the full version: an all-reduce would make no sense.
// CHECK-LABEL: func.func @overlap(
func.func @overlap(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x1xi32>) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x"} %[[V0]] out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<4x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<4x8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}], unreduced={"y"}>]>} : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}
// CHECK-LABEL: func.func @disagreement(
func.func @disagreement(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<8x8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.dot %arg0, %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"x"} %[[V1]] out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
