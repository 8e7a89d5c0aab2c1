sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
                %y: tensor<8x8xf32>,
                %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %y <@mesh, [{?}, {"b"}]> : tensor<8x8xf32>
  %2 = stablehlo.dot %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.add %2, %z : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
