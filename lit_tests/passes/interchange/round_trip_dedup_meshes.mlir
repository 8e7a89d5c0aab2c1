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
