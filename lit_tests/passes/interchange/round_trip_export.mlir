// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline | filecheck %s
// RUN: sdy-opt %s --xla-sdy-round-trip-export-ops | filecheck %s --check-prefix=OPS
// RUN: sdy-opt %s --xla-sdy-round-trip-shard-map-export | filecheck %s --check-prefix=MAP
// RUN: sdy-opt %s --xla-sdy-round-trip-export-pipeline --xla-sdy-round-trip-import-pipeline='enable-constant-import=false' | filecheck %s --check-prefix=BACK

// Meshes are sorted by name; names that are no words are quoted.
// CHECK:       module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{\22a mesh\22 = #sdy.mesh<[\22x\22=2]>, max = #sdy.mesh<[], device_ids=[3]>, mesh = #sdy.mesh<[\22a\22=2, \22c\\22d\22=4]>}"}}
// CHECK-NOT:   sdy.mesh @
sdy.mesh @mesh = <["a"=2, "c\22d"=4]>
sdy.mesh @max = <[], device_ids=[3]>
sdy.mesh @"a mesh" = <["x"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {kept = "x", xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}p1, {\22c\\22d\22, ?}]>"}, mhlo.sharding = "{devices=[2,4]<=[8]}"}
// CHECK-SAME:    -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, tensor<8xf32>)
// BACK-LABEL:  func.func @main
// BACK-SAME:    %arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {kept = "x"}, sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {"c\22d", ?}]>}
// BACK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {}]>}, tensor<8xf32>)
func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {kept = "x"}, sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {"c\22d", ?}]>}, %arg1: tensor<8xf32>)
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {}]>}, tensor<8xf32>) {
  // CHECK-NEXT: %[[K:.*]] = stablehlo.constant dense<1.000000e+00>
  // OPS:        stablehlo.constant dense<1.000000e+00>
  %k = sdy.constant dense<1.0> : tensor<8xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{?}, {?}], unreduced=max{\22a\22}>]>"}, mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={unreduced, replicated} metadata={op_type=\22sdy::reduction_op\22 op_name=\22MAX\22}}"}
  // OPS-NEXT:   @Sharding(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}], unreduced=max{"a"}>]>}
  // BACK:       %[[C:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{?}, {?}], unreduced=max{"a"}>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {?}], unreduced=max{"a"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[B:.*]]:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%[[C]], %[[K]]) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {?}]>, <@mesh, [{}], replicated={\22a\22}>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  // CHECK-NEXT: %[[D:.*]]:2 = call @xla.sdy.manual_computation_body(%[[B]]#0, %[[B]]#1) {mhlo.frontend_attributes = {inlineable = "xla_late"}}
  // CHECK-NEXT: %[[M:.*]]:2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%[[D]]#0, %[[D]]#1) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {?}]>, <@mesh, [{}], replicated={\22a\22}>]>"}}
  // MAP:        call @xla.sdy.manual_computation_body
  // BACK-NEXT:  %[[M:.*]]:2 = sdy.manual_computation(%[[C]], %{{.*}}) in_shardings=[<@mesh, [{"a"}, {?}]>, <@mesh, [{}], replicated={"a"}>] out_shardings=[<@mesh, [{"a"}, {?}]>, <@mesh, [{}], replicated={"a"}>] manual_axes={"a"} (%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8xf32>) {
  %1:2 = sdy.manual_computation(%0, %k) in_shardings=[<@mesh, [{"a"}, {?}]>, <@mesh, [{}], replicated={"a"}>] out_shardings=[<@mesh, [{"a"}, {?}]>, <@mesh, [{}], replicated={"a"}>] manual_axes={"a"} (%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
    %2 = stablehlo.sine %a : tensor<4x8xf32>
    sdy.return %2, %b : tensor<4x8xf32>, tensor<8xf32>
  } : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
  // CHECK-NEXT: @xla.sdy.ShardingGroup(%[[M]]#0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "21 : i64"}}
  // BACK:       sdy.sharding_group %[[M]]#0 group_id=21
  sdy.sharding_group %1#0 group_id=21 : tensor<8x8xf32>
  // CHECK-NEXT: %[[P:.*]] = stablehlo.custom_call @xla.sdy.PropagationBarrier(%[[M]]#0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "2 : i32"}}
  // BACK-NEXT:  sdy.propagation_barrier %[[M]]#0 allowed_direction=BACKWARD
  %3 = sdy.propagation_barrier %1#0 allowed_direction=BACKWARD : tensor<8x8xf32>
  // CHECK-NEXT: %[[F:.*]] = stablehlo.custom_call @foo(%[[P]]) {mhlo.frontend_attributes = {x = "y", xla.sdy.sharding = "#sdy.sharding_per_value<[<@max, []>]>", xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>"}, mhlo.sharding = "{maximal device=3}"}
  %4 = stablehlo.custom_call @foo(%3) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>, sdy.sharding = #sdy.sharding_per_value<[<@max, []>]>, mhlo.frontend_attributes = {x = "y"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.custom_call @xla.sdy.FuncResultSharding(%[[F]]) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22a\22, ?}, {}]>]>"}}
  // CHECK-NEXT: return %[[R]], %[[M]]#1
  return %4, %1#1 : tensor<8x8xf32>, tensor<8xf32>
}
// CHECK:      func.func @xla.sdy.manual_computation_body(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>)
// CHECK-NEXT:   stablehlo.sine
// BACK-NOT:   manual_computation_body
