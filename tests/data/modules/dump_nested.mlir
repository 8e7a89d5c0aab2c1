// As XLA dumps a computation on each device in another one, before it propagates.
module @jit_f attributes {mhlo.cross_program_prefetches = [], mhlo.is_dynamic = false, mhlo.num_partitions = 8 : i32, mhlo.use_auto_spmd_partitioning = false} {
  func.func private @xla.sdy.manual_computation_body.2(%arg0: tensor<4x2xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], manual}"} : tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
  func.func private @xla.sdy.manual_computation_body_0.3(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {}], manual={'b'}}"} : (tensor<4x8xf32>) -> tensor<4x2xf32>
    %2 = call @xla.sdy.manual_computation_body.2(%1) {mhlo.frontend_attributes = {inlineable = "xla_late"}, mhlo.sharding = "{mesh['a'=2,'b'=4], manual}"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  }
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b', ?}]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = call @xla.sdy.manual_computation_body_0.3(%1) {mhlo.frontend_attributes = {inlineable = "xla_late"}, mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {?}], manual={'a'}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {backend_config = "", has_side_effect = true, mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {?}]}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{mesh['a'=2,'b'=4], [{'b':(1)2}, {'b':(2)2, 'a'}]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.dot %3, %4, precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}
