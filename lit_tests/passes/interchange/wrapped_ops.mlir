// RUN: sdy-opt %s --xla-sdy-import-shardings | filecheck %s
// RUN: sdy-opt %s --sdy-import-foreign-shardings | filecheck %s
// RUN: sdy-opt %s --xla-sdy-import-shardings --xla-sdy-stablehlo-export-shardings | filecheck %s --check-prefix=BACK

// Ops of mhlo that are custom calls keep their text in an attribute of its own.
// CHECK-LABEL: func.func @main
// BACK-LABEL:  func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.custom_call @mhlo.erf(%arg0) {mhlo.attributes = {other = 1 : i64}, mhlo.version = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}]>]>}
  // BACK-NEXT:  stablehlo.custom_call @mhlo.erf(%arg0) {mhlo.attributes = {mhlo.sharding = "{devices=[2]<=[2]}", other = 1 : i64}, mhlo.version = 1 : i64}
  %0 = stablehlo.custom_call @mhlo.erf(%arg0) {mhlo.attributes = {mhlo.sharding = "{devices=[2]<=[2]}", other = 1 : i64}, mhlo.version = 1 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
