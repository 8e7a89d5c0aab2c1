// RUN: sdy-opt %s --sdy-lift-inlined-meshes --split-input-file | filecheck %s

// The second of two equal meshes goes; its users name the first. Other meshes stay where they are.

sdy.mesh @first = <["a"=2, "b"=4]>
sdy.mesh @other = <["b"=4, "a"=2]>
sdy.mesh @second = <["a"=2, "b"=4]>

// CHECK: sdy.mesh @first = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
// CHECK-NEXT: sdy.mesh @other = <["b"=4, "a"=2]> {stablehlo.mesh = {axes = [{name = "b", size = 4 : i64}, {name = "a", size = 2 : i64}]}}
// CHECK-LABEL: func.func @duplicate(
// CHECK-SAME:  %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@first, [{"a"}, {?}p1], replicated={"b":(2)2}>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"a"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@first, [{}, {}], unreduced={"b"}>})
func.func @duplicate(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@second, [{"a"}, {?}p1], replicated={"b":(2)2}>},
                     %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"a"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@second, [{}, {}], unreduced={"b"}>}) {
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@first, [{?}, {"b", ?}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8x8xf32>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@second, [{?}, {"b", ?}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// An inlined mesh becomes a symbol behind the last one; one that has a symbol takes that.

sdy.mesh @named = <["a"=2]>

// CHECK: sdy.mesh @named = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
// CHECK-LABEL: func.func @inlined(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@named, [{"a"}]>}) -> tensor<8xf32>
func.func @inlined(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.reshard %[[CONSTRAINT]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[ALL_GATHER:.*]] = sdy.all_gather [{"x"}] %[[CONSTRAINT]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[ALL_GATHER]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <mesh<["x"=4]>, [{"x"}]> : tensor<8xf32>
  %1 = sdy.reshard %0 <mesh<["x"=4]>, [{}]> : tensor<8xf32>
  %2 = sdy.all_gather [{"x"}] %0 out_sharding=<mesh<["x"=4]>, [{}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Every kind of op: results of several, computations, an op without results, edges.

// CHECK: sdy.mesh @mesh = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_0 = <["b"=2]> {stablehlo.mesh = {axes = [{name = "b", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_1 = <["c"=2]> {stablehlo.mesh = {axes = [{name = "c", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_2 = <["d"=2]> {stablehlo.mesh = {axes = [{name = "d", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_3 = <["e"=2]> {stablehlo.mesh = {axes = [{name = "e", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_4 = <["f"=2]> {stablehlo.mesh = {axes = [{name = "f", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_5 = <["g"=2]> {stablehlo.mesh = {axes = [{name = "g", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]> {stablehlo.mesh = {axes = [], device_ids = dense<3> : tensor<1xi64>}}
// CHECK-LABEL: func.func @all_places(
func.func @all_places(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> tensor<8xf32> {
  // CHECK-NEXT: %[[BARRIER:.*]]:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh_0, [{"b"}]>]>} %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]]#0 sharding=<@mesh_1, [{"c"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"f">(%[[EDGE]]) in_shardings=[<@mesh_2, [{"d"}]>] out_shardings=[<@mesh_3, [{"e"}]>] (%arg2: tensor<8xf32>) {
  // CHECK-NEXT:   sdy.return %arg2 : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[NAMED_COMPUTATION]]) in_shardings=[<@mesh_4, [{"f"}]>] out_shardings=[<@mesh_4, [{}], replicated={"f"}>] manual_axes={"f"} (%arg2: tensor<4xf32>) {
  // CHECK-NEXT:   %[[CONCAT:.*]] = stablehlo.concatenate %arg2, %arg2, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_5, [{?}]>]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[CONCAT]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.custom_call @sink(%[[COMPUTATION]]) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>]>} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}]>, <mesh<["b"=2]>, [{"b"}]>]>} %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
  %1 = sdy.data_flow_edge %0#0 sharding=<mesh<["c"=2]>, [{"c"}]> : tensor<8xf32>
  %2 = sdy.named_computation<"f">(%1) in_shardings=[<mesh<["d"=2]>, [{"d"}]>] out_shardings=[<mesh<["e"=2]>, [{"e"}]>] (%arg2: tensor<8xf32>) {
    sdy.return %arg2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.manual_computation(%2) in_shardings=[<mesh<["f"=2]>, [{"f"}]>] out_shardings=[<mesh<["f"=2]>, [{}], replicated={"f"}>] manual_axes={"f"} (%arg2: tensor<4xf32>) {
    %5 = stablehlo.concatenate %arg2, %arg2, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["g"=2]>, [{?}]>]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  stablehlo.custom_call @sink(%3) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[3]>, []>]>} : (tensor<8xf32>) -> ()
  return %3 : tensor<8xf32>
}

// -----

// Names: one for a single device, one for no device, `mesh` for the rest; those that are taken get a running number.

// CHECK: sdy.mesh @mesh_0 = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @maximal_mesh_5 = <[], device_ids=[5]> {stablehlo.mesh = {axes = [], device_ids = dense<5> : tensor<1xi64>}}
// CHECK-NEXT: sdy.mesh @empty_mesh_1 = <[]> {stablehlo.mesh = {axes = []}}
// CHECK-NEXT: sdy.mesh @mesh_2 = <["a"=2], device_ids=[1, 0]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}], device_ids = dense<[1, 0]> : tensor<2xi64>}}
// CHECK-LABEL: func.func @mesh(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"a"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_5, []>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@empty_mesh_1, [{}]>}, %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_2, [{"a"}]>})
func.func @mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[5]>, []>},
                %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}]>},
                %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2], device_ids=[1, 0]>, [{"a"}]>}) {
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func.func private @empty_mesh(
// CHECK-SAME:  )
func.func private @empty_mesh()

// -----

// Replica groups: an erased symbol is replaced, an inlined mesh gets a symbol of its own, without device ids, even if
// an equal one exists.

sdy.mesh @kept = <["a"=2]>
sdy.mesh @gone = <["a"=2]>

// CHECK: sdy.mesh @kept = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_0 = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-LABEL: func.func @replica_groups(
func.func @replica_groups(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[COLLECTIVE_BROADCAST:.*]] = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @kept, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[COLLECTIVE_BROADCAST_1:.*]] = "stablehlo.collective_broadcast"(%[[COLLECTIVE_BROADCAST]]) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @kept, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ALL_TO_ALL:.*]] = "stablehlo.all_to_all"(%[[COLLECTIVE_BROADCAST_1]]) <{concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "a">]>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[COLLECTIVE_BROADCAST_2:.*]] = "stablehlo.collective_broadcast"(%[[ALL_TO_ALL]]) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[COLLECTIVE_BROADCAST_3:.*]] = "stablehlo.collective_broadcast"(%[[COLLECTIVE_BROADCAST_2]]) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COLLECTIVE_BROADCAST_3]] : tensor<8xf32>
  %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @gone, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.collective_broadcast"(%0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @kept, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "stablehlo.all_to_all"(%1) <{concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>]>, axes = [#stablehlo.axis_ref<name = "a">]>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<8xf32>) -> tensor<8xf32>
  %3 = "stablehlo.collective_broadcast"(%2) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>]>, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  %4 = "stablehlo.collective_broadcast"(%3) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>], device_ids = dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// A mesh with a tag keeps it.

// CHECK: sdy.mesh @tagged = <["a"=2]> {stablehlo.mesh = {axes = []}}
// CHECK-NEXT: sdy.mesh @untagged = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 2 : i64}], device_ids = dense<[3, 2, 1, 0]> : tensor<4xi64>}}
sdy.mesh @tagged = <["a"=2]> {stablehlo.mesh = {axes = []}}
sdy.mesh @untagged = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>

// -----

// Device ids in order are none, so these meshes are equal. Replica groups of other ops than collectives stay.

sdy.mesh @mesh_a = <["a"=2]>
sdy.mesh @identity = <["a"=2], device_ids=[0, 1]>

// CHECK: sdy.mesh @mesh_a = <["a"=2]>
// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func.func @collectives(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_a, [{"a"}]>}) -> tensor<8xf32>
func.func @collectives(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@identity, [{"a"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[ALL_GATHER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_a, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[ALL_REDUCE:.*]] = "stablehlo.all_reduce"(%[[ALL_GATHER]]) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_a, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[REDUCE_SCATTER:.*]] = "stablehlo.reduce_scatter"(%[[ALL_REDUCE]]) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_a, axes = [#stablehlo.axis_ref<name = "a">]>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT:   %[[ADD_1:.*]] = stablehlo.add %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT:   stablehlo.return %[[ADD_1]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<16xf32>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.custom_call @other(%[[REDUCE_SCATTER]]) {has_side_effect = true, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>]>, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: return %[[REDUCE_SCATTER]] : tensor<8xf32>
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @identity, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<16xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @identity, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "stablehlo.reduce_scatter"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @identity, axes = [#stablehlo.axis_ref<name = "a">]>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<16xf32>) -> tensor<8xf32>
  stablehlo.custom_call @other(%2) {has_side_effect = true, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>]>, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<8xf32>) -> ()
  return %2 : tensor<8xf32>
}

// -----

// Names may be any bytes.
// CHECK: sdy.mesh @mesh = <["\FFx"=2]> {stablehlo.mesh = {axes = [{name = "\FFx", size = 2 : i64}]}}
// CHECK-LABEL: func.func @bytes(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"\FFx"}]>})
func.func @bytes(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<["\FFx"=2]>, [{"\FFx"}]>}) {
  return
}
