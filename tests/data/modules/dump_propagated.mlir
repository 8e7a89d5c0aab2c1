// As XLA dumps what it has propagated: named text on each op, copies in the place of constraints, and calls of GSPMD around
// what is computed on each device.
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  func.func private @xla.sdy.inlinable_manual_computation_body.1(%arg0: tensor<4x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"}) -> (tensor<4x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"}) {
    %0 = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : tensor<4x8xf32>
    %1 = mhlo.copy %0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"}) {
    %0 = mhlo.copy %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"} : tensor<8x8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = call @xla.sdy.inlinable_manual_computation_body.1(%1) {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = mhlo.copy %2 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{}, {'b'}], manual={'a'}}"} : tensor<4x8xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "", mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {'b'}]}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %5 = mhlo.copy %4 {mhlo.sharding = "{mesh[], replicated}"} : tensor<8x8xf32>
    %6 = stablehlo.dot %4, %5 {mhlo.sharding = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %6 : tensor<8x8xf32>
  }
}
