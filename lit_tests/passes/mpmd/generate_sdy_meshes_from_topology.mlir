// RUN: sdy-opt %s --mpmd-generate-sdy-meshes-from-topology | filecheck %s

#topology = #mpmd.topology<<"m1" : <["m1_x"=2, "m1_y"=2]>>, <"m2" : <["m2_x"=4]>>>
!t = tensor<4x4xf32>

// Each sharding goes to the mesh of its axes, a replicated one to an empty mesh.
// CHECK: sdy.mesh @empty_mesh = <[]>
// CHECK-NEXT: sdy.mesh @m1 = <["m1_x"=2, "m1_y"=2]>
// CHECK-NEXT: sdy.mesh @m2 = <["m2_x"=4]>
sdy.mesh @mesh = <["m1_x"=2, "m1_y"=2, "m2_x"=4]>
// CHECK-NEXT: func.func @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m1, [{"m1_x"}, {"m1_y"}]>},
// CHECK-SAME: %arg1: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m2, [{"m2_x"}, {?}]>},
// CHECK-SAME: %arg2: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {?}]>})
// CHECK-SAME: <"empty_mesh" : <[]>>
func.func @main(
    %a: !t {sdy.sharding = #sdy.sharding<@mesh, [{"m1_x"}, {"m1_y"}]>},
    %b: !t {sdy.sharding = #sdy.sharding<@mesh, [{"m2_x"}, {?}]>},
    %c: !t {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>}
) -> !t attributes {topology = #topology} {
  return %a : !t
}
