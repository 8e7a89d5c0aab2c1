// As GSPMD lowers a program with a loop that one device executes; what it adds up in each step is sharded.
module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.add %0, %0 : tensor<8x8xf32>
    %3 = stablehlo.negate %2 : tensor<8x8xf32>
    %4:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %3) : tensor<i32>, tensor<8x8xf32> attributes {mhlo.sharding = "{maximal device=3}"}
     cond {
      %6 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = stablehlo.add %iterArg, %c_0 : tensor<i32>
      %7 = stablehlo.add %iterArg_2, %1 : tensor<8x8xf32>
      stablehlo.return %6, %7 : tensor<i32>, tensor<8x8xf32>
    }
    %5 = stablehlo.dot %4#1, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}
