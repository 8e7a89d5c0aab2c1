// RUN: not sdy-opt %s --sdy-auto-partition 2>&1 | filecheck %s
// RUN: sdy-opt %s --sdy-lift-inlined-meshes --sdy-auto-partition | filecheck %s --check-prefix=LIFTED

// CHECK: auto_partition_inlined_mesh.mlir:1:1: error: 'builtin.module' op has shardings with inlined meshes; run 'sdy-lift-inlined-meshes' first
// LIFTED-LABEL: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=4]>, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
