// RUN: sdy-opt %s --sdy-lift-inlined-meshes='use-single-device-mesh-names=true' | filecheck %s

// The option changes the name of meshes of one device only.

// CHECK: sdy.mesh @single_device_2 = <[], device_ids=[2]> {stablehlo.mesh = {axes = [], device_ids = dense<2> : tensor<1xi64>}}
// CHECK-NEXT: sdy.mesh @mesh = <["a"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-LABEL: func.func @names(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@single_device_2, []>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
func.func @names(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[2]>, []>},
                 %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) {
  // CHECK-NEXT: return
  return
}
