// As torch-xla hands its programs on: no number of devices but that of the mesh, tiles that do not suit the values beside
// strings that do, priorities that are written out.
module @SyncTensorsGraph.1 attributes {mhlo.cross_program_prefetches = [], mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22_axis_0\22=2, \22_axis_1\22=4]>}"}, mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22_axis_0\22}p0, {\22_axis_1\22}p0]>"}, mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<8x8xf32>) -> tensor<2x4x8x1xf32>
    %1 = stablehlo.sine %0 {mhlo.sharding = "{devices=[2,4]<=[8]}"} : tensor<2x4x8x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x4x8x1xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%4) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22_axis_0\22, ?}p0, {?}p0]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}
