// As a compiler behind torch-xla hands its programs on: constraints as calls of its own, whose shardings are strings; two
// meshes; a call that keeps the string of something else, with an axis that there is not.
module @SyncTensorsGraph.9 attributes {mhlo.cross_program_prefetches = [], mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22_axis_0\22=2, \22_axis_1\22=4]>, mesh_0 = #sdy.mesh<[\22_axis_0\22=8]>}"}, mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22_axis_0\22}p0, {\22_axis_1\22}p0]>"}, mhlo.sharding = "{devices=[1,2]<=[2]}", tt.input = "weight"}) -> tensor<8x8xf32> {
    %0 = stablehlo.sine %arg0 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22_axis_7\22}, {}]>]>"}, mhlo.sharding = "{devices=[1,2]<=[2]}"} : tensor<8x8xf32>
    %1 = stablehlo.custom_call @tt.sharding_constraint(%0) {api_version = 0 : i32, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh_0, [{\22_axis_0\22}, {}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.custom_call @tt.sharding_constraint(%0) {api_version = 0 : i32, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22_axis_1\22}, {?}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %3 : tensor<8x8xf32>
  }
}
