// As JAX wrote its programs years ago: devices one by one and in an order of their own, channels without a type.
module @jit_f.7 attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]0,1,4,5,2,3,6,7}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {api_version = 1 : i32, backend_config = "", has_side_effect = false, mhlo.sharding = "{devices=[8,1]0,1,4,5,2,3,6,7}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = "stablehlo.dot"(%1, %1) {precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{replicated}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %3 : tensor<8x8xf32>
  }
}
