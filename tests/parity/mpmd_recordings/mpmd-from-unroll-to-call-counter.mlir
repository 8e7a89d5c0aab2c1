// RUN mpmd-from-unroll-to-call-counter

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.call @f(%a) {unroll_counter = 0 : ui32} : (!t) -> !t
  %1 = mpmd.call @f(%0) {unroll_counter = 1 : ui32} : (!t) -> !t
  %2 = stablehlo.abs %1 {unroll_counter = 1 : ui32} : !t
  return %2 : !t
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} {
  return %a : !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.call @f(%arg0) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.call @f(%0) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.abs %1 {unroll_counter = 1 : ui32} : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    return %arg0 : tensor<4xf32>
  }
}
