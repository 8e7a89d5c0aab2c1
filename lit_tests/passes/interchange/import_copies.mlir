// RUN: sdy-opt %s --split-input-file --allow-unregistered-dialect --sdy-import-foreign-shardings | filecheck %s

// Behind propagation XLA has copies in the place of constraints; named text then counts on all ops.
// CHECK:      sdy.mesh @mesh = <["a"=2, "b"=4]>
// CHECK-LABEL: func.func @propagated
func.func @propagated(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'b'}, {}]}"}) {
  // CHECK-NEXT: %[[S:.*]] = stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}
  // CHECK-NEXT: %[[C:.*]] = sdy.sharding_constraint %[[S]] <@mesh, [{"b"}, {}]>
  // CHECK-NEXT: return %[[C]]
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"} : tensor<8x8xf32>
  %1 = mhlo.copy %0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'b'}, {}]}"} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Bodies that XLA has exported stand between calls of GSPMD, with named text.
// CHECK-LABEL: func.func @on_each_device
// CHECK-NEXT: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"a"} (%[[X:.*]]: tensor<4x8xf32>) {
// CHECK-NEXT:   %[[S:.*]] = stablehlo.sine %[[X]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>}
// CHECK-NEXT:   sdy.return %[[S]]
// CHECK-NOT:  manual_computation_body
func.func private @xla.sdy.inlinable_manual_computation_body(%arg0: tensor<4x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"}) -> (tensor<4x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"}) {
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @on_each_device(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"}) -> tensor<8x8xf32> {
  %0 = mhlo.copy %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"} : tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = call @xla.sdy.inlinable_manual_computation_body(%1) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = "mhlo.copy"(%2) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// -----

// A copy that says nothing is what it copies. That of one type to another is none.
// CHECK-LABEL: func.func @says_nothing
func.func @says_nothing(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<?xf32>) {
  // CHECK-NEXT: %[[C:.*]] = "mhlo.copy"(%arg0)
  // CHECK-NEXT: return %arg0, %[[C]]
  %0 = "mhlo.copy"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "mhlo.copy"(%arg0) : (tensor<8xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<8xf32>, tensor<?xf32>
}

// -----

// jaxlib declares the mesh that replica groups name; beside tiles that is no sharding, and they are written with its axes.
// CHECK:      sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-NOT:  sdy.mesh
// CHECK-LABEL: func.func @groups_name_a_mesh
// CHECK-SAME:    sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>
// CHECK-NEXT:  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}], replicated={"y"}>] manual_axes={"x", "y"}
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @groups_name_a_mesh(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> {mhlo.sharding = "{manual}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// A mesh whose axes tiles do not suit stays beside that of the tiles.
// CHECK:      sdy.mesh @mesh_0 = <["_axis_0"=6]>
// CHECK-NEXT: sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @other_devices(%arg0: tensor<12xf32> {mhlo.sharding = "{devices=[6]<=[6]}"}) -> tensor<12xf32> {
  return %arg0 : tensor<12xf32>
}
