func.func @f(%x: tensor<8xf32>, %unused: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0:2 = call @g(%x) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %1 = stablehlo.add %0#0, %0#1 : tensor<8xf32>
  %2 = stablehlo.add %1, %c : tensor<8xf32>
  %3 = stablehlo.negate %2 : tensor<8xf32>
  return %2, %c : tensor<8xf32>, tensor<8xf32>
}
func.func @g(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %x : tensor<8xf32>
  return %0, %x : tensor<8xf32>, tensor<8xf32>
}
