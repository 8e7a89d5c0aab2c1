// RUN mpmd-infer-mesh-convert-reduce-ops

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @main(%a: !t, %b: !t, %c: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = stablehlo.add %a, %b {mpmd.reduce = #mpmd.reduction<add>} : !t
  %1 = stablehlo.add %0, %c {mpmd.reduce = #mpmd.reduction<add>} : !t
  %2 = stablehlo.abs %1 : !t
  %3 = mpmd.reduce<none> %2 : (!t) -> !t
  %4 = stablehlo.add %a, %c {mpmd.reduce = #mpmd.reduction<add>} : !t
  return %3, %4 : !t, !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.reduce<add> %arg0, %arg1, %arg2 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.abs %0 : tensor<4xf32>
    %2 = mpmd.reduce<none> %1 : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %arg0, %arg2 {mpmd.reduce = #mpmd.reduction<add>} : tensor<4xf32>
    return %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-infer-mesh-convert-reduce-ops{infer-cross-mesh-reductions=true}'

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @main(%a: !t, %b: !t, %c: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = stablehlo.add %a, %b {mpmd.reduce = #mpmd.reduction<add>} : !t
  %1 = stablehlo.add %0, %c {mpmd.reduce = #mpmd.reduction<add>} : !t
  %2 = stablehlo.abs %1 : !t
  %3 = mpmd.reduce<none> %2 : (!t) -> !t
  %4 = stablehlo.add %a, %c {mpmd.reduce = #mpmd.reduction<add>} : !t
  return %3, %4 : !t, !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.reduce<add> %arg0, %arg1, %arg2 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.abs %0 : tensor<4xf32>
    %2 = mpmd.reduce<none> %1 : (tensor<4xf32>) -> tensor<4xf32>
    %3 = mpmd.reduce<add> %arg0, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
}
