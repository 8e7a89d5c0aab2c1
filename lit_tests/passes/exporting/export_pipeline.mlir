// RUN: sdy-opt %s --sdy-export-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-export-pipeline='avoid-export-for-partitioning=true' | filecheck %s --check-prefix=CLOSED
// RUN: sdy-opt %s --sdy-export-pipeline='keep-sharding-rules=true inline-meshes=false' | filecheck %s --check-prefix=KEPT
// RUN: sdy-opt %s --sdy-export-pipeline='enable-insert-explicit-collectives=true inline-meshes=false' | filecheck %s --check-prefix=COLLECTIVES
// RUN: not sdy-opt %s --sdy-export-pipeline='enable-per-instruction-partitioning=true' 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: rm -rf %t && mkdir %t && sdy-opt %s --sdy-export-pipeline='dump-directory=%t' && ls %t | filecheck %s --check-prefix=SAVED

// Shardings are closed, groups and edges are gone, constraints are reshards, and meshes are written out. With the option
// to avoid the export for partitioning the module can be propagated again: groups, constraints and mesh symbols stay.

// CHECK-NOT: sdy.mesh
// CLOSED: sdy.mesh @mesh
// KEPT: sdy.mesh @mesh
sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x"}, {}]>})
// CLOSED-LABEL: func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// KEPT-LABEL: func.func @main
// COLLECTIVES-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=4, "y"=2]>, [{"x"}, {}]>]>} %arg0
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[BARRIER]] <mesh<["x"=4, "y"=2]>, [{}, {"x"}]>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[RESHARD]] {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=4, "y"=2]>, [{}, {"x"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[NEGATE]]

  // CLOSED-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} %arg0
  // CLOSED-NEXT: sdy.sharding_group %[[BARRIER]] group_id=0
  // CLOSED-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[BARRIER]] <@mesh, [{}, {"x"}]>
  // CLOSED-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTRAINT]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x8xf32>
  // CLOSED-NEXT: return %[[NEGATE]]

  // KEPT: stablehlo.negate
  // KEPT-SAME: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>

  // COLLECTIVES-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier
  // COLLECTIVES-NEXT: %[[MOVED:.*]] = sdy.all_to_all [{"x"}: 0->1] %[[BARRIER]] out_sharding=<@mesh, [{}, {"x"}]>
  // COLLECTIVES-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[MOVED]]
  // COLLECTIVES-NEXT: %[[WHOLE:.*]] = sdy.all_gather [{}, {"x"}] %[[NEGATE]] out_sharding=<@mesh, [{}, {}]>
  // COLLECTIVES-NEXT: return %[[WHOLE]]
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8x8xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x", ?}, {?}]> : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=0 : tensor<8x8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x", ?}]> : tensor<8x8xf32>
  %3 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", ?}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// REFUSED: enable-per-instruction-partitioning needs partitioner-stage=convert-global-to-local

// SAVED: 00.after_propagation.mlir
// SAVED-NEXT: 01.after_partitioner_passes.mlir
