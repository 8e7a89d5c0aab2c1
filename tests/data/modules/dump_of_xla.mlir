// As XLA dumps what it is about to propagate: text that names the axes, custom calls with tuples, names with numbers.
module @jit_f attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.num_partitions = 8 : i32, mhlo.use_auto_spmd_partitioning = false} {
  func.func private @xla.sdy.manual_computation_body.1(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<4x8xf32>
    %1 = stablehlo.negate %0 : tensor<4x8xf32>
    return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
    %2:2 = call @xla.sdy.manual_computation_body.1(%1) {mhlo.frontend_attributes = {inlineable = "xla_late"}, mhlo.sharding = "{{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}, {mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}}"} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2#0, %2#1) {backend_config = "", has_side_effect = true, mhlo.sharding = "{{mesh['a'=2,'b'=4], [{'a'}, {?}]}, {mesh['a'=2,'b'=4], [{'a'}, {?}]}}", xla_shape = "(f32[8,8]{1,0}, f32[8,8]{1,0})"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tuple<tensor<8x8xf32>, tensor<8x8xf32>>
    %4 = stablehlo.get_tuple_element %3[0] {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tuple<tensor<8x8xf32>, tensor<8x8xf32>>) -> tensor<8x8xf32>
    %5 = stablehlo.get_tuple_element %3[1] {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tuple<tensor<8x8xf32>, tensor<8x8xf32>>) -> tensor<8x8xf32>
    %6 = stablehlo.custom_call @xla.sdy.ShardingGroup(%4) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}, xla_shape = "()"} : (tensor<8x8xf32>) -> tuple<>
    %7 = stablehlo.custom_call @Sharding(%5) {backend_config = "", mhlo.sharding = "{mesh['a'=2,'b'=4], [{'b'}, {}]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dot %4, %7, precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.negate %8 : tensor<8x8xf32>
    return %9 : tensor<8x8xf32>
  }
}
