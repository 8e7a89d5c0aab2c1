// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline='enable-hlo-sharding-v3' | filecheck %s
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline='enable-hlo-sharding-v3' --xla-sdy-round-trip-import-pipeline='enable-hlo-sharding-v3' | filecheck %s --check-prefix=BACK

// Text names the axes of its mesh, so that the module has none; priorities are lost.
// CHECK:       module {
// CHECK-NOT:   sdy.mesh
sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @max = <[], device_ids=[3]>

// CHECK-LABEL: func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b', ?}]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a', ?}, {}]}"})
// BACK-LABEL:  func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b", ?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {}]>})
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {"b", ?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{?}, {?}], unreduced=max{'a'}}"}
  // BACK-NEXT:  %[[C:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{?}, {?}], unreduced=max{"a"}>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {?}], unreduced=max{"a"}> : tensor<8x8xf32>
  // A constraint for each operand says how that is sharded; of what is local, text says the manual axes.
  // CHECK-NEXT: %[[S:.*]] = stablehlo.custom_call @Sharding(%[[C]]) {has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"}
  // CHECK-NEXT: %[[T:.*]] = stablehlo.custom_call @Sharding(%[[C]]) {has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {}], replicated={'a', 'b'}}"}
  // CHECK-NEXT: %[[L:.*]]:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%[[S]], %[[T]]) {has_side_effect = true, mhlo.sharding = "{{[{][{]}}mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}, {mesh['a'=2,'b'=4], [{}, {}], replicated={'b'}, manual={'a'}}}"}
  // CHECK-NEXT: %[[D:.*]] = call @xla.sdy.manual_computation_body_0(%[[L]]#0, %[[L]]#1) {mhlo.frontend_attributes = {inlineable = "xla_late"}, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"}
  // CHECK-NEXT: %[[M:.*]] = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%[[D]]) {has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"}
  // BACK-NEXT:  %[[M:.*]] = sdy.manual_computation(%[[C]], %[[C]]) in_shardings=[<@mesh, [{"a"}, {?}]>, <@mesh, [{}, {}], replicated={"a", "b"}>] out_shardings=[<@mesh, [{"a"}, {?}]>] manual_axes={"a"} (%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8x8xf32>) {
  // BACK-NEXT:    stablehlo.sine
  // BACK-NEXT:    %[[N:.*]] = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{}, {"b"}]>] manual_axes={"b"} () {
  %1 = sdy.manual_computation(%0, %0) in_shardings=[<@mesh, [{"a"}, {?}]>, <@mesh, [{}, {}], replicated={"a", "b"}>] out_shardings=[<@mesh, [{"a"}, {?}]>] manual_axes={"a"} (%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) {
    %2 = stablehlo.sine %x : tensor<4x8xf32>
    %3 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{}, {"b"}]>] manual_axes={"b"} () {
      %4 = stablehlo.constant dense<1.0> : tensor<4x2xf32>
      sdy.return %4 : tensor<4x2xf32>
    } : () -> tensor<4x8xf32>
    %5 = stablehlo.add %2, %3 : tensor<4x8xf32>
    sdy.return %5 : tensor<4x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[F:.*]] = stablehlo.custom_call @foo(%[[M]]) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>"}, mhlo.sharding = "{single_device[device_id=3]}"}
  %6 = stablehlo.custom_call @foo(%1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>, sdy.sharding = #sdy.sharding_per_value<[<@max, []>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[F]]
  return %6 : tensor<8x8xf32>
}
// CHECK:      func.func @xla.sdy.manual_computation_body()
// CHECK:      func.func @xla.sdy.manual_computation_body_0(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>)
// CHECK-NEXT:   stablehlo.sine
// CHECK-NEXT:   %[[C:.*]] = call @xla.sdy.manual_computation_body() {mhlo.frontend_attributes = {inlineable = "xla_late"}, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {}], manual={'b'}}"}
// CHECK-NEXT:   stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%[[C]]) {has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}]}"}
// BACK-NOT:   manual_computation_body
