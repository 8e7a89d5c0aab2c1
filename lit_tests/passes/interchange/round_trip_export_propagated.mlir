// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline | filecheck %s
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline --xla-sdy-round-trip-import-pipeline | filecheck %s --check-prefix=BACK

sdy.mesh @mesh = <["a"=2, "b"=4]>

// What only a module after sdy-import-pipeline or propagation has goes out as well: reshards as constraints, named
// computations as calls.
// CHECK-LABEL: func.func @main
// BACK-LABEL:  func.func @main
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\22b\22}]>]>"}, mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}
  // BACK-NEXT:  %[[R:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{}, {"b"}]>
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"b"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[G:.*]] = stablehlo.custom_call @Sharding(%[[R]])
  // BACK-NEXT:  %[[G:.*]] = sdy.sharding_constraint %[[R]] <@mesh, [{}, {}]>
  %1 = sdy.all_gather [{}, {"b"}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[C:.*]] = call @g(%[[G]])
  // BACK-NEXT:  %[[C:.*]] = call @g(%[[G]])
  %2 = sdy.named_computation<"g">(%1) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] (%x: tensor<8x8xf32>) {
    %4 = sdy.data_flow_edge %x sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %3 = stablehlo.sine %4 : tensor<8x8xf32>
    sdy.return %3 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[C]]
  // BACK-NEXT:  return %[[C]]
  return %2 : tensor<8x8xf32>
}
// CHECK:      func.func private @g(%arg0: tensor<8x8xf32> {{.*}}xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}, {}]>"
// CHECK-NEXT:   %[[S:.*]] = stablehlo.sine %arg0
// BACK:       func.func private @g(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
