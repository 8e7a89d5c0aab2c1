// RUN mpmd-unroll-for-loops

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t, %b: tensor<ui32>) -> (!t, tensor<ui32>) attributes {topology = #topology} {
  %0 = mpmd.for (%a) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%c: !t, %index: tensor<ui32>) {
    %1 = stablehlo.add %c, %a : !t
    mpmd.return %1 : !t
  } : !t
  %2 = mpmd.for (%b) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%c: tensor<ui32>, %index: tensor<ui32>) {
    %1 = stablehlo.add %c, %index : tensor<ui32>
    mpmd.return %1 : tensor<ui32>
  } : tensor<ui32>
  return %0, %2 : !t, tensor<ui32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<ui32>) -> (tensor<4xf32>, tensor<ui32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %c = stablehlo.constant {unroll_counter = 0 : ui32} dense<0> : tensor<ui32>
    %0 = stablehlo.add %arg0, %arg0 {unroll_counter = 0 : ui32} : tensor<4xf32>
    %c_0 = stablehlo.constant {unroll_counter = 1 : ui32} dense<1> : tensor<ui32>
    %1 = stablehlo.add %0, %arg0 {unroll_counter = 1 : ui32} : tensor<4xf32>
    %c_1 = stablehlo.constant {unroll_counter = 2 : ui32} dense<0> : tensor<ui32>
    %2 = stablehlo.add %arg1, %c_1 {unroll_counter = 2 : ui32} : tensor<ui32>
    %c_2 = stablehlo.constant {unroll_counter = 3 : ui32} dense<1> : tensor<ui32>
    %3 = stablehlo.add %2, %c_2 {unroll_counter = 3 : ui32} : tensor<ui32>
    return %1, %3 : tensor<4xf32>, tensor<ui32>
  }
}
// -----
// RUN mpmd-unroll-for-loops
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.for (%arg0) {iterations = 2 : ui32, unroll_factor = 2 : ui32} (%a: tensor<4xf32>, %i: tensor<ui32>) {
    %1 = stablehlo.add %a, %a : tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %c = stablehlo.constant {unroll_counter = 0 : ui32} dense<0> : tensor<ui32>
    %0 = stablehlo.add %arg0, %arg0 {unroll_counter = 0 : ui32} : tensor<4xf32>
    %c_0 = stablehlo.constant {unroll_counter = 1 : ui32} dense<1> : tensor<ui32>
    %1 = stablehlo.add %0, %0 {unroll_counter = 1 : ui32} : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
