// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// One gathered dimension is one all_gather along it, with the groups of its axes.
// CHECK-LABEL: func.func @all_gather
// CHECK-SAME: (%arg0: tensor<4x4xf32>{{.*}}) -> (tensor<4x8xf32>{{.*}}) {
func.func @all_gather(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[GATHER]] : tensor<4x8xf32>
  %0 = sdy.all_gather [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Several gathered dimensions are gathered at once in a new dimension, whose parts then go where they belong.
// CHECK-LABEL: func.func @all_gather_two_dims
// CHECK-SAME: (%arg0: tensor<4x4xf32>{{.*}}) -> tensor<8x8xf32> {
func.func @all_gather_two_dims(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%[[R]]) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x4x4xf32>) -> tensor<4x4x4xf32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[GATHER]] : (tensor<4x4x4xf32>) -> tensor<2x2x4x4xf32>
  // CHECK-NEXT: %[[TRANSPOSE:.*]] = stablehlo.transpose %[[R_2]], dims = [0, 2, 1, 3] : (tensor<2x2x4x4xf32>) -> tensor<2x4x2x4xf32>
  // CHECK-NEXT: %[[R_3:.*]] = stablehlo.reshape %[[TRANSPOSE]] : (tensor<2x4x2x4xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[R_3]] : tensor<8x8xf32>
  %0 = sdy.all_gather [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A reduction takes the op of its kind.
// CHECK-LABEL: func.func @all_reduce_max
// CHECK-SAME: (%arg0: tensor<8x8xf32>{{.*}}) -> tensor<8x8xf32> {
func.func @all_reduce_max(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"y"}>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[MAXIMUM:.*]] = stablehlo.maximum %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[MAXIMUM]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<8x8xf32>
  %0 = sdy.all_reduce max {"y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A device slices at its place; dimensions without axes start at 0.
// CHECK-LABEL: func.func @all_slice
// CHECK-SAME: (%arg0: tensor<8x8xf32>) -> (tensor<8x4xf32>{{.*}}) {
func.func @all_slice(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %arg0, %[[C]], %[[R]], sizes = [8, 4] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[DS_2]] : tensor<8x4xf32>
  %0 = sdy.all_slice [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Axes that move from dimension 0 to 1 split dimension 1 and concatenate dimension 0.
// CHECK-LABEL: func.func @all_to_all
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}) -> (tensor<8x4xf32>{{.*}}) {
func.func @all_to_all(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[A2A:.*]] = "stablehlo.all_to_all"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[A2A]] : tensor<8x4xf32>
  %0 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Two moves become one all_to_all on a dimension that stands for both targets.
// CHECK-LABEL: func.func @all_to_all_two_moves
// CHECK-SAME: (%arg0: tensor<4x12x4x20xf32>{{.*}}) -> (tensor<8x6x8x10xf32>{{.*}}) {
func.func @all_to_all_two_moves(%arg0: tensor<8x12x8x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}) -> (tensor<8x12x8x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}, {"x"}]>}) {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4x12x4x20xf32>) -> tensor<4x2x6x4x2x10xf32>
  // CHECK-NEXT: %[[TRANSPOSE:.*]] = stablehlo.transpose %[[R]], dims = [1, 4, 0, 2, 3, 5] : (tensor<4x2x6x4x2x10xf32>) -> tensor<2x2x4x6x4x10xf32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[TRANSPOSE]] : (tensor<2x2x4x6x4x10xf32>) -> tensor<4x4x6x4x10xf32>
  // CHECK-NEXT: %[[A2A:.*]] = "stablehlo.all_to_all"(%[[R_2]]) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 2, 1, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x6x4x10xf32>) -> tensor<4x4x6x4x10xf32>
  // CHECK-NEXT: %[[R_3:.*]] = stablehlo.reshape %[[A2A]] : (tensor<4x4x6x4x10xf32>) -> tensor<2x2x4x6x4x10xf32>
  // CHECK-NEXT: %[[TRANSPOSE_2:.*]] = stablehlo.transpose %[[R_3]], dims = [1, 2, 3, 0, 4, 5] : (tensor<2x2x4x6x4x10xf32>) -> tensor<2x4x6x2x4x10xf32>
  // CHECK-NEXT: %[[R_4:.*]] = stablehlo.reshape %[[TRANSPOSE_2]] : (tensor<2x4x6x2x4x10xf32>) -> tensor<8x6x8x10xf32>
  // CHECK-NEXT: return %[[R_4]] : tensor<8x6x8x10xf32>
  %0 = sdy.all_to_all [{"x"}: 0->3, {"y"}: 2->1] %arg0 out_sharding=<@mesh, [{}, {"y"}, {}, {"x"}]> : tensor<8x12x8x20xf32>
  return %0 : tensor<8x12x8x20xf32>
}

// Every device sends its part to the device that has its place afterwards, also if that is itself.
// CHECK-LABEL: func.func @collective_permute
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}) -> (tensor<4x8xf32>{{.*}}) {
func.func @collective_permute(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  // CHECK-NEXT: %[[PERMUTE:.*]] = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, source_target_pairs = dense<{{\[\[}}0, 0], [1, 2], [2, 1], [3, 3]]> : tensor<4x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return %[[PERMUTE]] : tensor<4x8xf32>
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Along one dimension there is a reduce_scatter for it.
// CHECK-LABEL: func.func @reduce_scatter
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}) -> (tensor<4x4xf32>{{.*}}) {
func.func @reduce_scatter(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[RS:.*]] = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: return %[[RS]] : tensor<4x4xf32>
  %0 = sdy.reduce_scatter [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Along several dimensions an all_reduce is sliced.
// CHECK-LABEL: func.func @reduce_scatter_two_dims
// CHECK-SAME: (%arg0: tensor<8x8xf32>{{.*}}) -> (tensor<4x4xf32>{{.*}}) {
func.func @reduce_scatter_two_dims(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[ID_2:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[0, 4, 0, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID_2]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[DS_2]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_3:.*]] = stablehlo.dynamic_slice %[[SUM]], %[[R]], %[[R_2]], sizes = [4, 4] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  // CHECK-NEXT: return %[[DS_3]] : tensor<4x4xf32>
  %0 = sdy.reduce_scatter [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Only the first device along the axes keeps its value, the others add nothing.
// CHECK-LABEL: func.func @replicated_to_unreduced
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}) -> (tensor<4x8xf32>{{.*}}) {
func.func @replicated_to_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[R]], %arg0, %[[C_2]] : tensor<i1>, tensor<4x8xf32>
  // CHECK-NEXT: return %[[SEL]] : tensor<4x8xf32>
  %0 = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// The part stands at its place in a tensor of zeros.
// CHECK-LABEL: func.func @sharded_to_unreduced
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}) -> (tensor<8x8xf32>{{.*}}) {
func.func @sharded_to_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[DYNAMIC_UPDATE_SLICE:.*]] = stablehlo.dynamic_update_slice %[[C]], %arg0, %[[R]], %[[C_3]] : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[DYNAMIC_UPDATE_SLICE]] : tensor<8x8xf32>
  %0 = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A collective without axes is its operand.
// Unlike the reference, which aborts.
// CHECK-LABEL: func.func @nothing_to_gather
// CHECK-SAME: (%arg0: tensor<4x8xf32>{{.*}}) -> (tensor<4x8xf32>{{.*}}) {
func.func @nothing_to_gather(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: return %arg0 : tensor<4x8xf32>
  %0 = sdy.all_gather [{}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A tensor of dynamic size cannot be reshaped, so it is gathered one dimension after the other.
// CHECK-LABEL: func.func @gather_dynamic(
// CHECK-SAME: %arg0: tensor<?x4x4xf32>
func.func @gather_dynamic(%arg0: tensor<?x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) -> tensor<?x8x8xf32> {
  // CHECK-NEXT: %[[INNER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 2 : i64
  // CHECK-SAME: (tensor<?x4x4xf32>) -> tensor<?x4x8xf32>
  // CHECK-NEXT: %[[WHOLE:.*]] = "stablehlo.all_gather"(%[[INNER]]) <{all_gather_dim = 1 : i64
  // CHECK-SAME: (tensor<?x4x8xf32>) -> tensor<?x8x8xf32>
  // CHECK-NEXT: return %[[WHOLE]]
  %0 = sdy.all_gather [{}, {"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{}, {}, {}]> : tensor<?x8x8xf32>
  return %0 : tensor<?x8x8xf32>
}
