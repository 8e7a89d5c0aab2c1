// RUN mpmd-generate-sdy-meshes-from-topology
#topology = #mpmd.topology<<"m1" : <["m1_x"=2, "m1_y"=2]>>, <"m2" : <["m2_x"=4]>>>
!t = tensor<4x4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
sdy.mesh @mesh = <["m1_x"=2, "m1_y"=2, "m2_x"=4]>
func.func @main(%a: !t {sdy.sharding = #sdy.sharding<@mesh, [{"m1_x"}, {"m1_y"}]>}, %b: !t {sdy.sharding = #sdy.sharding<@mesh, [{"m2_x"}, {?}]>}, %c: !t {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>}) -> (!t, !t {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) attributes {topology = #topology} {
  %0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"m1_x"}, {}]>]>} : !t
  return %0, %b : !t, !t
}
// ==>
module {
  sdy.mesh @empty_mesh = <[]>
  sdy.mesh @m1 = <["m1_x"=2, "m1_y"=2]>
  sdy.mesh @m2 = <["m2_x"=4]>
  func.func @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m1, [{"m1_x"}, {"m1_y"}]>}, %arg1: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m2, [{"m2_x"}, {?}]>}, %arg2: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {?}]>}) -> (tensor<4x4xf32>, tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {}]>}) attributes {topology = #mpmd.topology<<"m1" : <["m1_x"=2, "m1_y"=2]>>, <"m2" : <["m2_x"=4]>>, <"empty_mesh" : <[]>>>} {
    %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m1, [{"m1_x"}, {}]>]>} : tensor<4x4xf32>
    return %0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
