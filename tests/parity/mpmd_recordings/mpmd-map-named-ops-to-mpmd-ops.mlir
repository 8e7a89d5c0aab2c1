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
