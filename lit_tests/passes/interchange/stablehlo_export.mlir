// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline | filecheck %s
// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline='enable-hlo-sharding-v3' | filecheck %s --check-prefix=NAMED
// RUN: sdy-opt %s --xla-sdy-export-ops | filecheck %s --check-prefix=OPS
// RUN: sdy-opt %s --xla-sdy-stablehlo-round-trip-shard-map-export | filecheck %s --check-prefix=MAP
// RUN: sdy-opt %s --xla-sdy-stablehlo-export-pipeline --xla-sdy-stablehlo-import-pipeline | filecheck %s --check-prefix=BACK

// CHECK-NOT: sdy.mesh
sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @device = <[], device_ids=[3]>

// CHECK-LABEL: func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %arg1: tensor<8xf32>) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"})
// NAMED-LABEL: func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"}, %arg1: tensor<8xf32>) -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"})
// OPS-LABEL: func.func @main
// MAP-LABEL: func.func @main
// BACK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b", ?}p1]>}, %arg1: tensor<8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}], replicated={"b"}>}) {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}
  // OPS-NEXT:   %[[R:.*]] = stablehlo.custom_call @Sharding(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}]>]>}
  %0 = sdy.reshard %arg0 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  // OPS-NEXT:   stablehlo.custom_call @Sharding(%[[R]]) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: %[[G:.*]] = stablehlo.custom_call @Sharding(%[[R]]) {mhlo.sharding = "{replicated}"}
  // What no mesh cuts says so without naming one.
  // NAMED:      @Sharding(%{{.*}}) {mhlo.sharding = "{mesh[], replicated}"}
  %1 = sdy.all_gather [{"b"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[F:.*]]:2 = stablehlo.custom_call @f(%[[G]]) {mhlo.sharding = "{{[{][{]}}maximal device=3}, {devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}}"}
  %2:2 = stablehlo.custom_call @f(%1) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>, <@mesh, [{"b"}]>]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
  // CHECK-NEXT: %[[I:.*]] = stablehlo.custom_call @Sharding(%[[F]]#0) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}
  // CHECK-NEXT: %[[L:.*]] = stablehlo.custom_call @SPMDFullToShardShape(%[[I]]) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[C:.*]] = call @xla.sdy.inlinable_manual_computation_body_0(%[[L]]) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"}
  // CHECK-NEXT: %[[O:.*]] = stablehlo.custom_call @Sharding(%[[C]]) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"}
  // CHECK-NEXT: %[[S:.*]] = stablehlo.custom_call @SPMDShardToFullShape(%[[O]]) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[S]]
  // NAMED:      @SPMDFullToShardShape(%{{.*}}) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {}], manual={'a'}}"}
  // MAP:        @SPMDFullToShardShape
  // BACK:       %[[M:.*]] = sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"_axis_0"}, {}]>] out_shardings=[<@mesh, [{"_axis_0"}, {}]>] manual_axes={"_axis_0"} (%[[A:.*]]: tensor<4x8xf32>) {
  // BACK-NEXT:    %[[H:.*]] = func.call @helper(%[[A]])
  // BACK-NEXT:    %[[N:.*]] = sdy.manual_computation(%[[H]]) in_shardings=[<@mesh, [{}, {"_axis_1"}]>] out_shardings=[<@mesh, [{}, {"_axis_1"}]>] manual_axes={"_axis_1"} (%[[B:.*]]: tensor<4x2xf32>) {
  // BACK-NEXT:      %[[D:.*]] = stablehlo.cosine %[[B]] : tensor<4x2xf32>
  // BACK-NEXT:      sdy.return %[[D]]
  // BACK-NEXT:    }
  // BACK-NEXT:    sdy.return %[[N]]
  %3 = sdy.manual_computation(%2#0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%a: tensor<4x8xf32>) {
    %h = func.call @helper(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %n = sdy.manual_computation(%h) in_shardings=[<@mesh, [{}, {"b"}]>] out_shardings=[<@mesh, [{}, {"b"}]>] manual_axes={"b"} (%d: tensor<4x2xf32>) {
      %e = stablehlo.cosine %d : tensor<4x2xf32>
      sdy.return %e : tensor<4x2xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %n : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
// What a body calls says the same.
// CHECK:      func.func private @helper(%arg0: tensor<4x8xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"}) -> (tensor<4x8xf32> {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"})
// CHECK-NEXT:   stablehlo.sine %arg0 {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"}
func.func private @helper(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// In the body values are sharded along the axes that are not manual, on the way in and out as well. A call without
// results says nothing.
// CHECK-LABEL: func.func @free_axes
func.func @free_axes(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: call @xla.sdy.inlinable_manual_computation_body_1(%{{.*}}) {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "b"}, {}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"a"} (%a: tensor<4x8xf32>) {
    %1 = stablehlo.cosine %a : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: call @xla.sdy.inlinable_manual_computation_body_2(%{{.*}}) : (tensor<4x8xf32>) -> ()
  sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} (%a: tensor<4x8xf32>) {
    stablehlo.custom_call @log(%a) {has_side_effect = true} : (tensor<4x8xf32>) -> ()
    sdy.return
  } : (tensor<8x8xf32>) -> ()
  return %0 : tensor<8x8xf32>
}
// CHECK:      func.func private @xla.sdy.inlinable_manual_computation_body(%arg0: tensor<4x2xf32> {mhlo.sharding = "{manual}"})
// CHECK-NEXT:   stablehlo.cosine %arg0 {mhlo.sharding = "{manual}"}
// CHECK: func.func private @xla.sdy.inlinable_manual_computation_body_1(%arg0: tensor<4x8xf32> {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dims={manual}}"}) -> (tensor<4x8xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"})
