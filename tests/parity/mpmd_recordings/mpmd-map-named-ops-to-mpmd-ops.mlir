// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=f@m1/1,x@m1/2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=f@m1/1,x@m1/2}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=f@m1/1,x@m1/2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=f@m1,y@m1/2,z@m2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "f"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.unassign {origin = "f"} %1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.assign {origin = "y"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "y"} %3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.assign {origin = "z"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.unassign {origin = "z"} %5 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.assign {origin = "f"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %8 = mpmd.assign {origin = "f"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9:2 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%7, %8, %7) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      mpmd.return %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %10 = mpmd.unassign {origin = "f"} %9#0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %11 = mpmd.unassign {origin = "f"} %9#1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    return %11 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=f@m1,y@m1/2,z@m2}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=f@m1,y@m1/2,z@m2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=x@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
      %2 = mpmd.named_tensor %a name="x" : tensor<4xf32>
    mpmd.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mpmd.named_tensor %0 name="y" : tensor<4xf32>
  %2 = mpmd.named_tensor %0 name="z" : tensor<4xf32>
  %3:2 = mpmd.named_computation<"f"(1)> (%1, %2, %1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
    mpmd.return %a, %b : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=x@m1}'
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=x@m1}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
  %0 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    mpmd.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
   stablehlo.return %0 : tensor<4xf32>
   }, {
   stablehlo.return %arg0 : tensor<4xf32>
   }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// ==>
// refused
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=n0@m11,n1@m11,n2@m11,n3@m10,n4@m10,n5@m1}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg4 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    %2 = stablehlo.multiply %arg1, %0 : tensor<4xf32>
    %3 = stablehlo.negate %arg2 : tensor<4xf32>
    %4 = stablehlo.tanh %2 : tensor<4xf32>
    %5 = mpmd.call @f0(%arg3, %1, %3, %3) {call_counter = 0 : ui32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = mpmd.call @f1(%4) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %7 = mpmd.call @f1(%4) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = mpmd.call @f1(%7) {call_counter = 2 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %9 = stablehlo.negate %7 : tensor<4xf32>
    %10 = stablehlo.tanh %9 : tensor<4xf32>
    %11 = stablehlo.maximum %4, %5 : tensor<4xf32>
    return %11, %10 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg2 : tensor<4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
    %2 = stablehlo.tanh %1 : tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %4 = stablehlo.multiply %2, %1 : tensor<4xf32>
    stablehlo.custom_call @effect(%3) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return %4 : tensor<4xf32>
  }
  func.func private @f1(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"n0"> (%arg0) (%arg1: tensor<4xf32>) {
      %1 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg4 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    %2 = stablehlo.multiply %arg1, %0 : tensor<4xf32>
    %3 = stablehlo.negate %arg2 : tensor<4xf32>
    %4 = stablehlo.tanh %2 : tensor<4xf32>
    %5 = mpmd.call @f0(%arg3, %1, %3, %3) {call_counter = 0 : ui32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = mpmd.call @f1(%4) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %7 = mpmd.call @f1(%4) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = mpmd.call @f1(%7) {call_counter = 2 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %9 = stablehlo.negate %7 : tensor<4xf32>
    %10 = stablehlo.tanh %9 : tensor<4xf32>
    %11 = stablehlo.maximum %4, %5 : tensor<4xf32>
    return %11, %10 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg2 : tensor<4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
    %2 = stablehlo.tanh %1 : tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %4 = stablehlo.multiply %2, %1 : tensor<4xf32>
    stablehlo.custom_call @effect(%3) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return %4 : tensor<4xf32>
  }
  func.func private @f1(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n0"]> (%0) (%arg1: tensor<4xf32>) {
      %3 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.unassign {origin = "n0"} %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=n0@m2,n1@m1}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=n0@m2,n1@m10,n2@m2,n3@m1}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.subtract %arg0, %arg3 : tensor<4xf32>
    %2 = mpmd.named_computation<"n1"(1)> (%arg2, %arg0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %10 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = mpmd.call @f0(%1) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = mpmd.call @f0(%3) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %5 = stablehlo.negate %2 : tensor<4xf32>
    %6 = mpmd.broadcast %5 : tensor<4xf32>
    %7 = mpmd.named_computation<"n1"> (%6) (%arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %8 = mpmd.reduce<none> %cst_0 : (tensor<4xf32>) -> tensor<4xf32>
    %9 = mpmd.assign {origin = "user_out"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %cst, %8, %7, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = "stablehlo.if"(%c) ({
      %5 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
      stablehlo.return %5 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = mpmd.broadcast %0 : tensor<4xf32>
    %2:2 = mpmd.named_computation<"n0"> (%1, %0) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %6 = stablehlo.add %arg1, %5 : tensor<4xf32>
      mpmd.return %5, %6 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %3 = mpmd.reduce<none> %2#1 : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.add %3, %2#0 : tensor<4xf32>
    return %4 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.subtract %arg0, %arg3 : tensor<4xf32>
    %2 = mpmd.assign {origin = "n1"} %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%2, %3) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %15 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      mpmd.return %15 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n1"} %4 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.call @f0(%1) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %7 = mpmd.call @f0(%6) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %8 = stablehlo.negate %5 : tensor<4xf32>
    %9 = mpmd.broadcast %8 : tensor<4xf32>
    %10 = mpmd.assign {origin = "n1"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m10", origin=["n1"]> (%10) (%arg4: tensor<4xf32>) {
      %15 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %15 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.unassign {origin = "n1"} %11 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %13 = mpmd.reduce<none> %cst_0 : (tensor<4xf32>) -> tensor<4xf32>
    %14 = mpmd.assign {origin = "user_out"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %cst, %13, %12, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = "stablehlo.if"(%c) ({
      %9 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
      stablehlo.return %9 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = mpmd.broadcast %0 : tensor<4xf32>
    %2 = mpmd.assign {origin = "n0"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m2", origin=["n0"]> (%2, %3) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %9 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %10 = stablehlo.add %arg1, %9 : tensor<4xf32>
      mpmd.return %9, %10 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %5 = mpmd.unassign {origin = "n0"} %4#0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.unassign {origin = "n0"} %4#1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.reduce<none> %6 : (tensor<4xf32>) -> tensor<4xf32>
    %8 = stablehlo.add %7, %5 : tensor<4xf32>
    return %8 : tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=n0@m11,n1@m11,n2@m11,n3@m3,n4@m2}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg3 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %1:2 = stablehlo.optimization_barrier %arg2, %arg1 : tensor<4xf32>, tensor<4xf32>
    %2 = mpmd.named_computation<"n0"> (%arg0) (%arg4: tensor<4xf32>) {
      %7 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.multiply %2, %1#0 : tensor<4xf32>
    %4:2 = mpmd.named_computation<"n4"> (%1#1, %1#0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %8 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %7, %8 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %5 = stablehlo.abs %3 : tensor<4xf32>
    %6 = mpmd.assign {origin = "user_out"} %4#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %6, %5, %4#1 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg3 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %1:2 = stablehlo.optimization_barrier %arg2, %arg1 : tensor<4xf32>, tensor<4xf32>
    %2 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=["n0"]> (%2) (%arg4: tensor<4xf32>) {
      %13 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n0"} %3 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %5 = stablehlo.multiply %4, %1#0 : tensor<4xf32>
    %6 = mpmd.assign {origin = "n4"} %1#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.assign {origin = "n4"} %1#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8:2 = mpmd.fragment<mesh="m2", origin=["n4"]> (%6, %7) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %13 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %14 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %13, %14 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %9 = mpmd.unassign {origin = "n4"} %8#0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %10 = mpmd.unassign {origin = "n4"} %8#1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %11 = stablehlo.abs %5 : tensor<4xf32>
    %12 = mpmd.assign {origin = "user_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %12, %11, %10 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN 'mpmd-map-named-ops-to-mpmd-ops{assignment=n0@m2,n1@m3}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.add %arg3, %arg2 : tensor<4xf32>
    %1 = mpmd.named_computation<"n1"> (%0, %arg0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %3 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = mpmd.named_computation<"n0"(1)> (%0, %1) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %3 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %2, %2 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.add %arg3, %arg2 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n1"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["n1"]> (%1, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %9 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n1"} %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.assign {origin = "n0"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m2", origin=["n0"(1)]> (%5, %6) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %9 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8 = mpmd.unassign {origin = "n0"} %7 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    return %8, %8 : tensor<4xf32>, tensor<4xf32>
  }
}
