// RUN mpmd-insert-nameless-clone-of-negligible-ops

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t) -> (!t, !t) attributes {topology = #topology} {
  %0:2 = mpmd.named_computation<"f"> (%a) (%b: !t) {
    %c = stablehlo.constant dense<1.0> : !t
    %1 = stablehlo.add %b, %c : !t
    mpmd.return %1, %c : !t, !t
  } : (!t) -> (!t, !t)
  %2 = stablehlo.add %0#0, %0#1 : !t
  return %0#1, %2 : !t, !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %2 = stablehlo.add %arg1, %cst_0 : tensor<4xf32>
      mpmd.return %2, %cst_0 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %1 = stablehlo.add %0#0, %cst : tensor<4xf32>
    return %0#1, %1 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-insert-nameless-clone-of-negligible-ops
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #topology} {
  %0:3 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %d = stablehlo.iota dim = 0 : tensor<4xf32>
    %1 = stablehlo.add %a, %c : tensor<4xf32>
    mpmd.return %1, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %3 = stablehlo.add %0#1, %0#2 : tensor<4xf32>
  return %0#0, %0#1, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:3 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %3 = stablehlo.iota dim = 0 : tensor<4xf32>
      %4 = stablehlo.add %arg1, %cst_0 : tensor<4xf32>
      mpmd.return %4, %cst_0, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %1 = stablehlo.iota dim = 0 : tensor<4xf32>
    %2 = stablehlo.add %cst, %1 : tensor<4xf32>
    return %0#0, %0#1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
