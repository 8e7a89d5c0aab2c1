// RUN: sdy-opt %s --split-input-file --xla-sdy-round-trip-dedup-meshes | filecheck %s

// The mesh with the most axes stays, wherever it stands.
// CHECK-NOT:   @uv
// CHECK:       sdy.mesh @ab = <["a"=2, "b"=4]>
// CHECK-NOT:   sdy.mesh
sdy.mesh @flat = <["u"=8]>
sdy.mesh @ab = <["a"=2, "b"=4]>
sdy.mesh @uv = <["u"=4, "v"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME:    <@ab, [{"a", "b"}, {}]>}, {{.*}}<@ab, [{"a", "b":(1)2}, {"b":(2)2}]>}, {{.*}}<@ab, [{"b"}, {}], replicated={"a"}>}, {{.*}}<@ab, [{"b":(1)2}, {"b":(2)2, ?}p2]>}
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"u"}, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@uv, [{"u"}, {"v"}]>},
                %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"u":(2)4}, {}], replicated={"u":(1)2}>},
                %arg3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@uv, [{"u":(2)2}, {"v", ?}p2]>}) {
  return
}

// -----

// Axes that do not suit each other, other orders of devices, and single devices stay apart.
// CHECK:      sdy.mesh @a = <["u"=2, "v"=6]>
// CHECK-NEXT: sdy.mesh @b = <["a"=3, "b"=4]>
// CHECK-NEXT: sdy.mesh @c = <["a"=2], device_ids=[1, 0]>
// CHECK-NEXT: sdy.mesh @d = <["a"=2]>
// CHECK-NEXT: sdy.mesh @one = <[], device_ids=[0]>
// CHECK-NEXT: sdy.mesh @two = <[], device_ids=[1]>
// CHECK-NOT:  sdy.mesh
sdy.mesh @a = <["u"=2, "v"=6]>
sdy.mesh @b = <["a"=3, "b"=4]>
sdy.mesh @c = <["a"=2], device_ids=[1, 0]>
sdy.mesh @d = <["a"=2]>
sdy.mesh @one = <[], device_ids=[0]>
sdy.mesh @two = <[], device_ids=[1]>
sdy.mesh @again = <[], device_ids=[1]>

// -----

// Replica groups and manual axes go along.
// CHECK:       module
// CHECK:       sdy.mesh @ab = <["a"=2, "b"=4]>
// CHECK-NOT:   sdy.mesh
sdy.mesh @ab = <["a"=2, "b"=4]>
sdy.mesh @flat = <["u"=8]>
// CHECK-LABEL: func.func @groups
func.func @groups(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.manual_computation(%arg0) in_shardings=[<@ab, [{"a", "b"}]>] out_shardings=[<@ab, [{"a", "b"}]>] manual_axes={"a", "b"}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@flat, [{"u"}]>] out_shardings=[<@flat, [{"u"}]>] manual_axes={"u"} (%x: tensor<1xf32>) {
    // CHECK-NEXT: replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @ab, axes = [#stablehlo.axis_ref<name = "b", sub_axis_info = (1)2>]>
    %1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @flat, axes = [#stablehlo.axis_ref<name = "u", sub_axis_info = (2)2>]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1xf32>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A mesh stays if something is manual along what would be a part of an axis.
// CHECK:       module
// CHECK:       sdy.mesh @ab = <["a"=2, "b"=4]>
// CHECK-NEXT:  sdy.mesh @uv = <["u"=4, "v"=2]>
sdy.mesh @ab = <["a"=2, "b"=4]>
sdy.mesh @uv = <["u"=4, "v"=2]>
// CHECK-LABEL: func.func @parts
func.func @parts(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.manual_computation(%arg0) in_shardings=[<@uv, [{"u"}]>] out_shardings=[<@uv, [{"u"}]>] manual_axes={"u"}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@uv, [{"u"}]>] out_shardings=[<@uv, [{"u"}]>] manual_axes={"u"} (%x: tensor<2xf32>) {
    sdy.return %x : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// On an equal mesh axes of size 1 stay where they are; on one of another arrangement they go.
// CHECK:      sdy.mesh @first = <["a"=2, "b"=1, "c"=4]>
// CHECK-NOT:  sdy.mesh
// CHECK:      func.func @size_one(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@first, [{"b"}, {"a"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@first, [{}, {"a", "c"}]>})
sdy.mesh @first = <["a"=2, "b"=1, "c"=4]>
sdy.mesh @equal = <["a"=2, "b"=1, "c"=4]>
sdy.mesh @other = <["d"=8, "b"=1]>
func.func @size_one(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@equal, [{"b"}, {"a"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"b"}, {"d"}]>}) {
  return
}
