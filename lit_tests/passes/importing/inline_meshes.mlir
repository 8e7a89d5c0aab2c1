// RUN: sdy-opt %s --sdy-inline-meshes | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @reordered = <["a"=2], device_ids=[1, 0]>
sdy.mesh @device = <[], device_ids=[1]>
sdy.mesh @unused = <["z"=2]>

// Shardings of arguments, results and ops.
// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func.func @shardings(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "b"=2]>, [{"a", ?}p1], replicated={"b"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[1]>, []>})
func.func @shardings(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1], replicated={"b"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@device, []>}) {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2], device_ids=[1, 0]>, [{"a"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[NEGATE]] <mesh<["x"=2]>, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[RESHARD]]) in_shardings=[<mesh<["a"=2, "b"=2]>, [{"a"}]>] out_shardings=[<mesh<["a"=2, "b"=2]>, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT:   sdy.return %arg1 : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@reordered, [{"a"}]>]>} : tensor<8xf32>
  %1 = sdy.reshard %0 <mesh<["x"=2]>, [{"x"}]> : tensor<8xf32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Replica groups get StableHLO's own meshes, device ids included.
// CHECK-LABEL: func.func @replica_groups(
func.func @replica_groups(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COLLECTIVE_BROADCAST:.*]] = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[COLLECTIVE_BROADCAST_1:.*]] = "stablehlo.collective_broadcast"(%[[COLLECTIVE_BROADCAST]]) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>, <name = "b", size = 2>]>, axes = [#stablehlo.axis_ref<name = "a">, #stablehlo.axis_ref<name = "b">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COLLECTIVE_BROADCAST_1]] : tensor<8xf32>
  %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @reordered, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.collective_broadcast"(%0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "a">, #stablehlo.axis_ref<name = "b">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// So do those of any other op.
// CHECK-LABEL: func.func @other_op(
func.func @other_op(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.custom_call @other(%arg0) {has_side_effect = true, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>, <name = "b", size = 2>]>, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: return
  stablehlo.custom_call @other(%arg0) {has_side_effect = true, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<8xf32>) -> ()
  return
}
