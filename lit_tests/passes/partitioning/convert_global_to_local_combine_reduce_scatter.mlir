// RUN: sdy-opt %s --sdy-convert-global-to-local='combine-multi-dimension-reduce-scatter=true' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// One reduce_scatter on a dimension that stands for both.
// CHECK-LABEL: func.func @reduce_scatter
// CHECK-SAME: (%arg0: tensor<8x8xf32>{{.*}}) -> (tensor<4x4xf32>{{.*}}) {
func.func @reduce_scatter(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<8x8xf32>) -> tensor<2x4x2x4xf32>
  // CHECK-NEXT: %[[TRANSPOSE:.*]] = stablehlo.transpose %[[R]], dims = [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[TRANSPOSE]] : (tensor<2x2x4x4xf32>) -> tensor<4x4x4xf32>
  // CHECK-NEXT: %[[RS:.*]] = "stablehlo.reduce_scatter"(%[[R_2]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y">]>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x4x4xf32>) -> tensor<1x4x4xf32>
  // CHECK-NEXT: %[[R_3:.*]] = stablehlo.reshape %[[RS]] : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: return %[[R_3]] : tensor<4x4xf32>
  %0 = sdy.reduce_scatter [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A dimension that is not scattered stays as it is.
// Unlike the reference, for which that is undefined.
// CHECK-LABEL: func.func @one_dim_whole
// CHECK-SAME: (%arg0: tensor<8x3x8xf32>{{.*}}) -> (tensor<4x3x4xf32>{{.*}}) {
func.func @one_dim_whole(%arg0: tensor<8x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}], unreduced={"x", "y"}>}) -> (tensor<8x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<8x3x8xf32>) -> tensor<2x4x3x2x4xf32>
  // CHECK-NEXT: %[[TRANSPOSE:.*]] = stablehlo.transpose %[[R]], dims = [0, 3, 1, 2, 4] : (tensor<2x4x3x2x4xf32>) -> tensor<2x2x4x3x4xf32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[TRANSPOSE]] : (tensor<2x2x4x3x4xf32>) -> tensor<4x4x3x4xf32>
  // CHECK-NEXT: %[[RS:.*]] = "stablehlo.reduce_scatter"(%[[R_2]]) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y">]>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  // CHECK-NEXT: %[[R_3:.*]] = stablehlo.reshape %[[RS]] : (tensor<1x4x3x4xf32>) -> tensor<4x3x4xf32>
  // CHECK-NEXT: return %[[R_3]] : tensor<4x3x4xf32>
  %0 = sdy.reduce_scatter [{"x"}, {}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {}, {"y"}]> : tensor<8x3x8xf32>
  return %0 : tensor<8x3x8xf32>
}
