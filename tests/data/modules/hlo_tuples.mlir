// As a module that was HLO in between holds a program with tuples at its border: shardings of arguments and results in lists.
module @jit_f attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2, \22b\22=4]>}", xla.sdy.tuple_args_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {\22b\22}]>]>", xla.sdy.tuple_results_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {?}]>]>", xla.sdy.use_tuple_args = "t"}, mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.sine %arg0 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}, {}]>]>"}, mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}p0, {?}p2]>]>"}, mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2:2 = stablehlo.while(%i = %1, %n = %1) : tensor<8x8xf32>, tensor<8x8xf32>
    cond {
      %4 = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.add %n, %1 : tensor<8x8xf32>
      stablehlo.return %i, %4 : tensor<8x8xf32>, tensor<8x8xf32>
    }
    %3 = stablehlo.dot %2#0, %2#1, precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %3 : tensor<8x8xf32>
  }
}
