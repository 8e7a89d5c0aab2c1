// RUN: sdy-opt %s --xla-sdy-round-trip-import-pipeline='enable-hlo-sharding-v3 enable-constant-import=false' | filecheck %s

// In modules made of HLO custom calls return tuples, which are taken apart.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"}) -> (tensor<2x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: %[[M:.*]]:2 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"a"}, {}], replicated={"b"}>, <@mesh, [{}, {"b"}], replicated={"a"}>] manual_axes={"a", "b"} () {
  // CHECK-NEXT:   %[[C:.*]] = stablehlo.constant
  // CHECK-NEXT:   %[[D:.*]] = stablehlo.constant
  // CHECK-NEXT:   sdy.return %[[C]], %[[D]]
  %0:2 = call @xla.sdy.manual_computation_body.1() {mhlo.frontend_attributes = {inlineable = "xla_late"}, mhlo.sharding = "{{mesh['a'=2,'b'=4], manual}, {mesh['a'=2,'b'=4], manual}}"} : () -> (tensor<1x8xf32>, tensor<8x2xf32>)
  %t = stablehlo.tuple %0#0, %0#1 : tuple<tensor<1x8xf32>, tensor<8x2xf32>>
  %1 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0#0, %0#1) {has_side_effect = true, mhlo.sharding = "{{mesh['a'=2,'b'=4], [{'a'}, {}], replicated={'b'}}, {mesh['a'=2,'b'=4], [{}, {'b'}]}}"} : (tensor<1x8xf32>, tensor<8x2xf32>) -> tuple<tensor<2x8xf32>, tensor<8x8xf32>>
  %2 = stablehlo.get_tuple_element %1[0] {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"} : (tuple<tensor<2x8xf32>, tensor<8x8xf32>>) -> tensor<2x8xf32>
  %3 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2x8xf32>, tensor<8x8xf32>>) -> tensor<8x8xf32>
  // CHECK:      sdy.sharding_group %[[M]]#1 group_id=3
  %4 = stablehlo.custom_call @xla.sdy.ShardingGroup(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "3 : i64"}} : (tensor<8x8xf32>) -> tuple<>
  // A tuple that is used as one stays.
  // CHECK:      %[[T:.*]] = stablehlo.custom_call @kept() : () -> tuple<tensor<f32>>
  // CHECK-NEXT: stablehlo.custom_call @user(%[[T]])
  %5 = stablehlo.custom_call @kept() : () -> tuple<tensor<f32>>
  stablehlo.custom_call @user(%5) {has_side_effect = true} : (tuple<tensor<f32>>) -> ()
  // Elements of a tuple are what it was made of; one that no one uses goes.
  // CHECK-NEXT: return %[[M]]#0, %[[M]]#1
  %6 = stablehlo.tuple %2, %3 : tuple<tensor<2x8xf32>, tensor<8x8xf32>>
  %7 = stablehlo.get_tuple_element %6[1] : (tuple<tensor<2x8xf32>, tensor<8x8xf32>>) -> tensor<8x8xf32>
  return %2, %7 : tensor<2x8xf32>, tensor<8x8xf32>
}
func.func private @xla.sdy.manual_computation_body.1() -> (tensor<1x8xf32>, tensor<8x2xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<1x8xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<8x2xf32>
  return %0, %1 : tensor<1x8xf32>, tensor<8x2xf32>
}
