// What each device computes written between the conversions, without a function and without constraints around them.
module @f attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %1 = stablehlo.sine %0 {mhlo.sharding = "{manual}"} : tensor<1x8xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> {mhlo.sharding = "{manual}"} : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot %1, %2 {mhlo.sharding = "{manual}"} : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<1x8xf32>) -> tensor<8x8xf32>
    return %4 : tensor<8x8xf32>
  }
}
