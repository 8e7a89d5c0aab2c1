// RUN: sdy-opt %s --sdy-export-pipeline='partitioner-stage=reshard-to-collectives' | filecheck %s
// RUN: sdy-opt %s --sdy-export-pipeline='partitioner-stage=convert-global-to-local' | filecheck %s --check-prefix=LOCAL

// Meshes that are written into shardings are as good as mesh symbols; the groups of collectives hold them in StableHLO's
// own words. Unlike the reference, which crashes.
// CHECK-LABEL: func.func @main
// LOCAL-LABEL: func.func @main(%arg0: tensor<2x8xf32>) -> tensor<8x2xf32>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{}, {"x"}]>}) {
  // CHECK: sdy.all_to_all [{"x"}: 0->1] %{{.*}} out_sharding=<mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{}, {"x"}]>
  // LOCAL: stablehlo.all_to_all
  // LOCAL-SAME: replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 4>], device_ids=dense<[3, 2, 1, 0]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "x">]>
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
