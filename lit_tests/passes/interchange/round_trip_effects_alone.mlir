// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline | filecheck %s
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline --xla-sdy-round-trip-import-pipeline | filecheck %s --check-prefix=BACK
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline='enable-hlo-sharding-v3' --xla-sdy-round-trip-import-pipeline='enable-hlo-sharding-v3' | filecheck %s --check-prefix=BACK
// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline --xla-sdy-stablehlo-import-pipeline | filecheck %s --check-prefix=TILES

sdy.mesh @mesh = <["x"=2]>
// Without a change of shape the call says the manual axes.
// CHECK-LABEL: func.func @effects_alone(
// BACK-LABEL:  func.func @effects_alone(
// TILES-LABEL: func.func @effects_alone(
func.func @effects_alone(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: call @xla.sdy.manual_computation_body() {mhlo.frontend_attributes = {inlineable = "xla_late", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}} : () -> ()
  // BACK-NEXT:  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
  // BACK-NEXT:    stablehlo.custom_call @foo()
  // TILES-NEXT: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"_axis_0"} () {
  // TILES-NEXT:   stablehlo.custom_call @foo()
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
    stablehlo.custom_call @foo() {has_side_effect = true} : () -> ()
    sdy.return
  } : () -> ()
  return %arg0 : tensor<8xf32>
}
