// RUN mpmd-sink-negligible-ops-into-call-op

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %c = stablehlo.constant dense<1.0> : !t
  %d = stablehlo.constant dense<2.0> : !t
  %e = stablehlo.constant dense<2.0> : !t
  %0 = mpmd.call @f(%c, %a, %d) : (!t, !t, !t) -> !t
  %1 = mpmd.call @f(%c, %0, %e) : (!t, !t, !t) -> !t
  return %1 : !t
}
func.func private @f(%a: !t, %b: !t, %c: !t) -> !t attributes {topology = #topology} {
  %0 = stablehlo.add %a, %b : !t
  %1 = stablehlo.add %0, %c : !t
  return %1 : !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %0 = mpmd.call @f(%arg0, %cst) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.call @f(%0, %cst_0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %0 = stablehlo.add %cst, %arg0 : tensor<4xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// -----
// RUN mpmd-sink-negligible-ops-into-call-op
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %d = stablehlo.constant dense<2.0> : tensor<4xf32>
  %e = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0:2 = mpmd.call @f(%c, %arg0, %c, %d) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1:2 = mpmd.call @f(%c, %0#0, %c, %e) {call_counter = 1 : ui32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %1#1 : tensor<4xf32>
}
func.func private @f(%c: tensor<4xf32> {a.b = 1 : i32}, %a: tensor<4xf32>{a.b = 2 : i32}, %d: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #topology} {
    %1 = stablehlo.add %a, %c : tensor<4xf32>
    %2 = stablehlo.add %1, %d : tensor<4xf32>
    %3 = stablehlo.add %2, %e : tensor<4xf32>
    return %3, %d : tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %0:2 = mpmd.call @f(%arg0, %cst) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %1:2 = mpmd.call @f(%0#0, %cst_0) {call_counter = 1 : ui32} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %1#1 : tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32> {a.b = 2 : i32}, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %0 = stablehlo.add %arg0, %cst : tensor<4xf32>
    %1 = stablehlo.add %0, %cst_0 : tensor<4xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<4xf32>
    return %2, %cst_0 : tensor<4xf32>, tensor<4xf32>
  }
}
