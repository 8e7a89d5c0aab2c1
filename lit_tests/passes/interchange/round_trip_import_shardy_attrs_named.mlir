// RUN: sdy-opt %s --xla-sdy-round-trip-import-shardy-attrs='enable-hlo-sharding-v3' | filecheck %s
// RUN: sdy-opt %s --xla-sdy-round-trip-import-pipeline='enable-hlo-sharding-v3' | filecheck %s --check-prefix=PIPELINE

// Named text, with its mesh; a plain word says nothing in such a module.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    #sdy.sharding<mesh<["a"=2, "b"=4]>, [{"a"}, {"b", ?}]>}, %arg1: tensor<8xf32>)
// CHECK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "b"=4]>, [{"a"}, {?}]>})
// PIPELINE:      sdy.mesh @mesh = <["a"=2, "b"=4]>
// PIPELINE-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b', ?}]}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{replicated}"})
    -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"}) {
  // CHECK-NEXT: @Sharding(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2, "b"=4]>, [{"a"}, {?}]>]>}
  // PIPELINE:      sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"a"}, {?}]>] out_shardings=[<@mesh, [{"a"}, {?}]>] manual_axes={"a"} (%[[X:.*]]: tensor<4x8xf32>) {
  // PIPELINE-NEXT:   %[[S:.*]] = stablehlo.sine %[[X]]
  // PIPELINE-NEXT:   sdy.return %[[S]]
  %0 = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = call @xla.sdy.manual_computation_body.1(%1) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
func.func @xla.sdy.manual_computation_body.1(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}


// Without the axis of size 1 between them parts of an axis are neighbours.
// CHECK-LABEL: func.func @parts
// CHECK-SAME:    #sdy.sharding<mesh<["b"=8, "d"=1]>, [{"b"}]>
func.func @parts(%arg0: tensor<16xf32> {mhlo.sharding = "{mesh['b'=8,'d'=1], [{'b':(1)2, 'd', 'b':(2)4}]}"}) {
  return
}
