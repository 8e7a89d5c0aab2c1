func.func @f() {
  %0 = sdy.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = sdy.constant dense<[1, 2]> : tensor<2xi32>
  return
}
