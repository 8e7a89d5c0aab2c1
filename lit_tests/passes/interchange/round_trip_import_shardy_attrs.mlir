// RUN: sdy-opt %s --split-input-file --xla-sdy-round-trip-import-shardy-attrs | filecheck %s

// Meshes, shardings of arguments and results, and rules; text beside them goes, and so do shardings of most ops.
// CHECK:       module {
// CHECK-NEXT:  sdy.mesh @max = <[], device_ids=[3]>
// CHECK-NEXT:  sdy.mesh @mesh = <["a"=2, "b"=4]>
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{max = #sdy.mesh<[], device_ids=[3]>, mesh = #sdy.mesh<[\22a\22=2, \22b\22=4]>}"}} {
  // CHECK-LABEL: func.func @main
  // CHECK-SAME:    %arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {kept = "x"}, sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {"b", ?}p0]>}
  // CHECK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {}]>}, tensor<8x8xf32>)
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {kept = "x", xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}p1, {\22b\22, ?}p0]>"}, mhlo.sharding = "{devices=[2,4]<=[8]}"})
      -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, tensor<8x8xf32>) {
    // CHECK-NEXT: %[[S:.*]] = stablehlo.sine %arg0 : tensor<8x8xf32>
    %0 = stablehlo.sine %arg0 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>"}, mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : tensor<8x8xf32>
    // CHECK-NEXT: %[[F:.*]] = stablehlo.custom_call @foo(%[[S]]) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>}
    %1 = stablehlo.custom_call @foo(%0) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK-NEXT: %[[C:.*]] = stablehlo.custom_call @Sharding(%[[F]]) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {?}]>]>}
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}, {?}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK-NEXT: return %[[C]], %[[F]]
    %3 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%2) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22a\22, ?}, {}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %3, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

// A result with other uses is an open constraint too; attributes in place of strings count; an unused call says it of
// what its operand is.
sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @results
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}
// CHECK-SAME:    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
func.func @results(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[C:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a", ?}]>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.sine %[[C]]
  // CHECK-NEXT: return %[[C]], %[[S]], %arg1
  %0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  %2 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%arg1) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %arg1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A mesh whose name is taken by another one gets a new name; main's arguments may have been one tuple.
// CHECK:       sdy.mesh @mesh_0 = <["a"=4]>
// CHECK-NEXT:  sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME:    #sdy.sharding<@mesh_0, [{"a"}]>}, {{.*}}#sdy.sharding<@mesh_0, [{}]>}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=4]>}", xla.sdy.tuple_args_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}]>, <@mesh, [{}]>]>"}} {
  sdy.mesh @mesh = <["a"=2]>
  func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) {
    return
  }
}

// -----

// Calls of a vendor's lose their strings as other ops do, here one with an axis that no mesh has, and tiles that do not
// suit their value; what the module says of other things stays.
// CHECK:       module @SyncTensorsGraph.1 attributes {mhlo.input_output_alias = [], mhlo.is_dynamic = false} {
// CHECK-NEXT:  sdy.mesh @mesh = <["_axis_0"=2]>
// CHECK-LABEL: func.func @main(%arg0: tensor<2x4x8x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}p0, {?}p0, {?}p0, {?}p0]>})
module @SyncTensorsGraph.1 attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22_axis_0\22=2]>}"}, mhlo.input_output_alias = [], mhlo.is_dynamic = false} {
  func.func @main(%arg0: tensor<2x4x8x1xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22_axis_0\22}p0, {?}p0, {?}p0, {?}p0]>"}, mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> tensor<2x4x8x1xf32> {
    // CHECK-NEXT: stablehlo.custom_call @tt.sharding_constraint(%arg0) {api_version = 0 : i32} : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %0 = stablehlo.custom_call @tt.sharding_constraint(%arg0) {api_version = 0 : i32, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22model\22}, {}, {}, {}]>]>"}} : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    return %0 : tensor<2x4x8x1xf32>
  }
}
