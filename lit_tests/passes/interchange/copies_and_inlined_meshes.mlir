// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline='keep-meshes-inlined' | filecheck %s --check-prefix=INLINED
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline='keep-meshes-inlined' | sdy-opt - --xla-sdy-round-trip-import-pipeline | filecheck %s --check-prefix=BACK
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline='keep-meshes-inlined' | sdy-opt - --xla-sdy-round-trip-import-pipeline='lift-and-dedup-meshes' | filecheck %s --check-prefix=LIFTED
// RUN: sdy-opt %s --allow-unregistered-dialect --xla-sdy-stablehlo-export-pipeline='keep-hlo-sharding-constraints=false' | filecheck %s --check-prefix=COPIES
// RUN: sdy-opt %s --allow-unregistered-dialect --xla-sdy-stablehlo-export-pipeline='keep-hlo-sharding-constraints=false' | sdy-opt - --allow-unregistered-dialect --sdy-import-foreign-shardings | filecheck %s --check-prefix=AGAIN

// Meshes that are written out may stay so on the way, and get names at its end; copies are constraints.
// INLINED-NOT:   xla.sdy.meshes
// INLINED-LABEL: func.func @main(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<mesh<[\22a\22=2]>, [{\22a\22}]>"}
// BACK-NOT:      sdy.mesh
// BACK-LABEL:    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>})
// LIFTED:        sdy.mesh @mesh = <["a"=2]>
// LIFTED-LABEL:  func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
// COPIES-LABEL:  func.func @main
// AGAIN:         sdy.mesh @mesh = <["_axis_0"=2]>
// AGAIN-LABEL:   func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> tensor<8xf32> {
  // COPIES-NEXT: %[[C:.*]] = "mhlo.copy"(%arg0) {mhlo.sharding = "{replicated}"}
  // AGAIN-NEXT:  sdy.sharding_constraint %arg0 <@mesh, [{}]>
  %0 = sdy.reshard %arg0 <mesh<["a"=2]>, [{}]> : tensor<8xf32>
  // COPIES-NEXT: %[[B:.*]] = "mhlo.copy"(%[[C]]) {mhlo.sharding = "{devices=[2]<=[2]}"}
  // COPIES-NEXT: stablehlo.custom_call @SPMDFullToShardShape(%[[B]])
  // COPIES-NEXT: %[[CALL:.*]] = call
  // COPIES-NEXT: %[[A:.*]] = "mhlo.copy"(%[[CALL]]) {mhlo.sharding = "{manual}"}
  // COPIES-NEXT: stablehlo.custom_call @SPMDShardToFullShape(%[[A]])
  // AGAIN:       sdy.manual_computation
  // AGAIN-SAME:    in_shardings=[<@mesh, [{"_axis_0"}]>] out_shardings=[<@mesh, [{"_axis_0"}]>]
  %1 = sdy.manual_computation(%0) in_shardings=[<mesh<["a"=2]>, [{"a"}]>] out_shardings=[<mesh<["a"=2]>, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    %2 = stablehlo.sine %arg1 : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
