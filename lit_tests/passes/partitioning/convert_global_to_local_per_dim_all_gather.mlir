// RUN: sdy-opt %s --sdy-convert-global-to-local='per-dim-all-gather=true' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// By default replica groups name the mesh and its axes; the option gathers dimension by dimension, from the last.
// CHECK-LABEL: func.func @all_gather
// CHECK-SAME: (%arg0: tensor<4x4xf32>{{.*}}) -> tensor<8x8xf32> {
func.func @all_gather(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[GATHER_2:.*]] = "stablehlo.all_gather"(%[[GATHER]]) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[GATHER_2]] : tensor<8x8xf32>
  %0 = sdy.all_gather [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
