// As XLA dumps what it has propagated: text on each op, devices in an order of their own, a value on one device alone.
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{'a'}, {'b'}]}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{'a'}, {}]}"}) {
    %0 = stablehlo.sine %arg0 {mhlo.sharding = "{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{'a'}, {'b'}]}"} : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{'a'}, {}]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{mesh[], replicated}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{single_device[device_id=3]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.dot %1, %3 {mhlo.sharding = "{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{'a'}, {}]}"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %4 : tensor<8x8xf32>
  }
}
