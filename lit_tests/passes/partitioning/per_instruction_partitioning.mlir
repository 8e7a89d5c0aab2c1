// RUN: sdy-opt %s --sdy-per-instruction-partitioning='filter=func=f,selectLow=1,dot,reshard' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Of the ops that are sharded, those from number 1 on are partitioned whose names contain one of the words.
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%arg0: tensor<8x7xf32>{{.*}}, %arg1: tensor<7x4xf32>) -> tensor<8x4xf32> {
func.func @f(%arg0: tensor<8x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<7x4xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x7xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %[[NEGATE]], %[[C]], low = [0, 0], high = [0, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x7xf32>, tensor<f32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[MANUAL:.*]] = sdy.manual_computation(%[[PAD]]) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg2: tensor<4x8xf32>) {
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<[0, 4, 0, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_3]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %arg2, %[[C_2]], %[[R]], sizes = [4, 4] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  // CHECK-NEXT: sdy.return %[[DS_2]] : tensor<4x4xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[MANUAL]] [0:8, 0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x8xf32>) -> tensor<8x7xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[SLICE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x7xf32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD_2:.*]] = stablehlo.pad %[[ABS]], %[[C_4]], low = [0, 0], high = [0, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x7xf32>, tensor<f32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[MANUAL_2:.*]] = sdy.manual_computation(%[[PAD_2]]) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<4x4xf32>) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: sdy.return %[[GATHER]] : tensor<4x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[SLICE_2:.*]] = stablehlo.slice %[[MANUAL_2]] [0:8, 0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<8x7xf32>
  // CHECK-NEXT: %[[MANUAL_3:.*]] = sdy.manual_computation(%[[SLICE_2]], %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<4x7xf32>, %arg3: tensor<7x4xf32>) {
  // CHECK-NEXT: %[[DOT_GENERAL:.*]] = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x7xf32>, tensor<7x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: sdy.return %[[DOT_GENERAL]] : tensor<4x4xf32>
  // CHECK-NEXT: } : (tensor<8x7xf32>, tensor<7x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[MANUAL_3]] : tensor<8x4xf32>
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x7xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}, {"y"}]> : tensor<8x7xf32>
  %2 = stablehlo.abs %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x7xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}, {}]> : tensor<8x7xf32>
  %4 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x7xf32>, tensor<7x4xf32>) -> tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}
