// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false' | filecheck %s
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false avoid-reshards-on-calls=true replica-count=1 partition-count=8 rng-bit-generator-unsafe=false per-instruction-partitioning-filter=none' | filecheck %s
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false mark-partial-result-with-unreduced-axes=true' | filecheck %s --check-prefix=MARKED
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false update-non-divisible-input-output-shardings=false' | filecheck %s --check-prefix=UNEVEN
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false dump-sharding-origins=true dump-propagation-edges=true' | filecheck %s --check-prefix=DEBUG
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false enable-insert-explicit-collectives=true remove-all-gather-reduce-scatter-for-cmv1=true' | filecheck %s --check-prefix=CMV1
// RUN: rm -rf %t && mkdir %t && sdy-opt %s --sdy-export-pipeline='partitioner-stage=optimize-collectives dump-directory=%t dump-index=5' && ls %t | filecheck %s --check-prefix=SAVED

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Arguments get shardings that divide them, unless the option says otherwise. A partial result is summed up where it is
// asked for, and says so if it is to be marked. What debugging noted is gone, whether it was handed on to the op or not.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}
// UNEVEN-LABEL: func.func @main(
// UNEVEN-SAME: %arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// MARKED-LABEL: func.func @main(
// DEBUG-LABEL: func.func @main(
func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %arg1: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg2: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<6x8xf32> {
  // CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>}
  // CHECK-NEXT: sdy.all_reduce {"x"} %[[DOT]] out_sharding=<@mesh, [{}, {}], unreduced={"y"}>
  // CHECK-NEXT: stablehlo.optimization_barrier
  // MARKED-NEXT: %[[DOT:.*]] = stablehlo.dot %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x", "y"}>]>}
  // MARKED-NEXT: sdy.all_reduce {"x"} %[[DOT]] out_sharding=<@mesh, [{}, {}], unreduced={"y"}>
  // DEBUG-NOT: origins
  // DEBUG-NOT: propagation_edges
  %0 = stablehlo.dot %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<6x8xf32>, tensor<8x6xf32>) -> tensor<6x6xf32>
  %1 = stablehlo.optimization_barrier %arg0 : tensor<6x8xf32>
  %2 = sdy.data_flow_edge %1 sharding=<@mesh, [{"x", ?}, {?}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding_origins = {x = "self"}} : tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// The gather in front of a dot goes, for a backend that fuses it.
// CMV1-LABEL: func.func @collective_matmul(
func.func @collective_matmul(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CMV1-NOT: sdy.all_gather
  // CMV1: stablehlo.dot %arg0, %arg1
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// SAVED: 05.after_propagation.mlir
// SAVED-NEXT: 06.after_explicit_reshards.mlir
// SAVED-NEXT: 07.after_partitioner_passes.mlir
