// RUN mpmd-erase-unused-callee-block-arguments

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t, %b: !t) -> (!t, !t, !t) attributes {topology = #topology} {
  %0:3 = mpmd.call @f(%a, %b) {call_counter = 1 : ui32} : (!t, !t) -> (!t, !t, !t)
  %1 = mpmd.call @g(%0#2) : (!t) -> !t
  return %0#0, %0#1, %1 : !t, !t, !t
}
func.func private @f(%a: !t {a.b = 1 : i32}, %b: !t {a.b = 2 : i32}) -> (!t, !t, !t) attributes {topology = #topology} {
  %0 = stablehlo.abs %b : !t
  return %a, %0, %b : !t, !t, !t
}
func.func private @g(%a: !t) -> !t attributes {topology = #topology} {
  return %a : !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = mpmd.call @f(%arg1) {call_counter = 1 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %arg0, %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32> {a.b = 2 : i32}) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    return %0, %arg0 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-erase-unused-callee-block-arguments
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #topology} {
  %0:4 = mpmd.call @f(%a, %b, %c) {call_counter = 3 : ui32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = mpmd.call @g(%0#2) : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %0#1, %1, %0#3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32> {a.b = 1 : i32}, %b: tensor<4xf32>{a.b = 2 : i32}, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>{a.b=4 : i32}, tensor<4xf32>, tensor<4xf32> {a.b = 1 : i32}) attributes {topology = #topology} {
    %1 = stablehlo.add %a, %a : tensor<4xf32>
    return %1, %b, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @g(%a: tensor<4xf32> {a.b = 1 : i32}) -> (tensor<4xf32>) attributes {topology = #topology} {
    return %a : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = mpmd.call @f(%arg0) {call_counter = 3 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %0#0, %arg1, %0#1, %arg1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32> {a.b = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0, %arg0 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-erase-unused-callee-block-arguments
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = func.call @n(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @n(%a: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  return %a : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = call @n(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @n(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    return %arg0 : tensor<4xf32>
  }
}
