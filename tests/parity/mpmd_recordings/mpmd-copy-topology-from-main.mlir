// RUN mpmd-copy-topology-from-main

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.call @f(%a) : (!t) -> !t
  return %0 : !t
}
func.func @f(%a: !t) -> !t {
  return %a : !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    return %arg0 : tensor<4xf32>
  }
}
