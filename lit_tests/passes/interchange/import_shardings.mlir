// RUN: sdy-opt %s --split-input-file --xla-sdy-import-shardings | filecheck %s

// The axes are what the tiles of all texts have in common.
// CHECK:       sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {"_axis_1", "_axis_2"}]>}
// CHECK-SAME:    %arg1: tensor<8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}
// CHECK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_2"}, {}]>})
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
                %arg1: tensor<8xf32> {jax.buffer_donor = true, mhlo.sharding = "{replicated}"})
    -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}) {
  // CHECK-NEXT: stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>}
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{unknown}"} : tensor<8x8xf32>
  // CHECK-NEXT: @Sharding(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"_axis_0"}], unreduced=max{"_axis_1", "_axis_2"}>]>}
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dims={unreduced} metadata={op_type=\22sdy::reduction_op\22 op_name=\22MAX\22}}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Kinds of groups stay apart.
// CHECK-LABEL: func.func @unreduced
// CHECK-SAME:    <@mesh, [{"_axis_0"}], unreduced={"_axis_1"}>}, {{.*}}<@mesh, [{}], unreduced={"_axis_1", "_axis_2"}>}
func.func @unreduced(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2,2,2]<=[8] last_tile_dims={unreduced, replicated}}"},
                     %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={unreduced, replicated}}"}) {
  return
}

// -----

// A single device is a mesh of its own.
// CHECK:       sdy.mesh @mesh = <[]>
// CHECK-NEXT:  sdy.mesh @single_device_1 = <[], device_ids=[1]>
// CHECK-NEXT:  sdy.mesh @single_device_3 = <[], device_ids=[3]>
// CHECK-LABEL: func.func @devices
func.func @devices(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@single_device_3, []>, <@single_device_1, []>]>}
  %0:2 = stablehlo.custom_call @f(%arg0) {mhlo.sharding = "{{maximal device=3}, {maximal device=1}}"} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: @g(%0#0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@single_device_3, []>]>}
  stablehlo.custom_call @g(%0#0) {has_side_effect = true, mhlo.sharding = "{maximal device=3}"} : (tensor<8xf32>) -> ()
  return %0#0 : tensor<8xf32>
}

// -----

// Without tiles there is nothing to say.
// CHECK-LABEL: func.func @replicated(%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @replicated(%arg0: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// Devices in an order that is no transposed iota are those of the mesh.
// CHECK:       sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=2], device_ids=[3, 1, 2, 0]>
// CHECK-LABEL: func.func @order
// CHECK-SAME:    [{"_axis_0"}, {"_axis_1"}]>}, {{.*}}[{}, {"_axis_0"}]>}
func.func @order(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]3,1,2,0}"},
                 %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[1,2,2]1,3,0,2 last_tile_dim_replicate}"}) {
  return
}

// -----

// Named text keeps its own mesh; tiles beside it are parts of the axes of the first one. Axes of size 1 say nothing.
// CHECK:       sdy.mesh @mesh_0 = <["u"=8, "one"=1]>
// CHECK-NEXT:  sdy.mesh @mesh_1 = <["v"=2, "w"=4]>
// CHECK-NEXT:  sdy.mesh @mesh = <["taken"=2]>
// CHECK-LABEL: func.func @named
// CHECK-SAME:    #sdy.sharding<@mesh_0, [{"u", ?}, {}]>}, {{.*}}#sdy.sharding<@mesh_0, [{"u":(1)2}, {"u":(2)4}]>}, {{.*}}#sdy.sharding<@mesh_1, [{"w"}, {}], replicated={"v"}>}
sdy.mesh @mesh = <["taken"=2]>
func.func @named(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['u'=8,'one'=1], [{'u', 'one', ?}, {}]}"},
                 %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
                 %arg2: tensor<8x8xf32> {mhlo.sharding = "{mesh['v'=2,'w'=4], [{'w'}, {}], replicated={'v'}}"}) {
  return
}

// -----

// Values of one number are sharded alike.
// CHECK-LABEL: func.func @groups
func.func @groups(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2] shard_as 7}"}) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=7
  // CHECK-NEXT: %[[S:.*]] = stablehlo.sine
  // CHECK-NEXT: sdy.sharding_group %[[S]] group_id=7
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{unknown shard_like 7}"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What is replicated without a mesh is so on the one that tiles make.
// CHECK:       sdy.mesh @mesh = <["_axis_0"=2]>
// CHECK-LABEL: func.func @nowhere(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
func.func @nowhere(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{mesh[], replicated}"}) {
  return
}

// -----

// One sharding that is no tuple is that of all results.
// CHECK-LABEL: func.func @one_for_all
func.func @one_for_all(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}, {}]>, <@mesh, [{"_axis_0"}, {}]>]>}
  %0:2 = stablehlo.custom_call @f(%arg0, %arg1) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

// Nothing is cut: the constraint goes, and what comes behind it is imported.
// CHECK-LABEL: func.func @uncut
func.func @uncut(%arg0: tensor<24xf32>) -> tensor<24xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.sine %arg0 : tensor<24xf32>
  // CHECK-NEXT: return %[[V0]]
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[1,6]<=[6] last_tile_dim_replicate}"} : (tensor<24xf32>) -> tensor<24xf32>
  %1 = stablehlo.sine %0 {mhlo.sharding = "{devices=[1,6]<=[3,2]T(0,1) last_tile_dim_replicate}"} : tensor<24xf32>
  return %1 : tensor<24xf32>
}
