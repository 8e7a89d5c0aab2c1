// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline='keep-open-dims' | filecheck %s
// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline='keep-open-dims enable-hlo-sharding-v3' | filecheck %s --check-prefix=NAMED
// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline | filecheck %s --check-prefix=CLOSED
// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline='keep-open-dims' --xla-sdy-stablehlo-import-pipeline | filecheck %s --check-prefix=BACK

sdy.mesh @mesh = <["a"=2, "b"=4]>

// CLOSED-LABEL: func.func @main
// CLOSED-NOT:     unspecified_dims
// BACK-LABEL:   func.func @main
// CHECK-LABEL:  func.func @main
// NAMED-LABEL:  func.func @main
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}
  // NAMED-NEXT: stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{mesh['a'=2,'b'=4], [{'b'}, {}]}"}
  // BACK-NEXT:  %[[A:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"_axis_1", ?}, {?}]>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b", ?}, {?}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.custom_call @Sharding(%[[A]]) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{replicated}"}
  // BACK-NEXT:  sdy.sharding_constraint %[[A]] <@mesh, [{}, {?}]>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {?}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.custom_call @Sharding(%{{.*}}) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}
  // BACK-NEXT:  sdy.sharding_constraint %{{.*}} <@mesh, [{"_axis_0"}, {}]>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
