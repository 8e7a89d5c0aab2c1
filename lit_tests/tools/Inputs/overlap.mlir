func.func @main(%arg0: tensor<64x64xf32>, %arg1: tensor<16x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<16x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1, %0 : tensor<64x64xf32>, tensor<64x64xf32>
}
