// RUN mpmd-introduce-transfers
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m10 = !mpmd.mesh_tensor<"m10", !t>
func.func @main(%a: !m1) -> (!m10, !m2, !m1) attributes {topology = #topology} {
  %0 = mpmd.unassign %a : (!m1) -> !t
  %1 = mpmd.assign %0 : (!t) -> !m10
  %2 = mpmd.assign %0 : (!t) -> !m2
  %3 = mpmd.assign %0 : (!t) -> !m1
  return %1, %2, %3 : !m10, !m2, !m1
}

func.func @sum(%a: !m1, %b: !m2) -> !m2 attributes {topology = #topology} {
  %0 = mpmd.unassign %a : (!m1) -> !t
  %1 = mpmd.unassign %b : (!m2) -> !t
  %2 = stablehlo.add %0, %1 : !t
  %3 = stablehlo.add %2, %1 : !t
  %4 = mpmd.assign %3 : (!t) -> !m2
  return %4 : !m2
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %1, %0, %arg0 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func @sum(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m2", origin=[]> (%0, %arg1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m2", origin=[]> (%1, %arg1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %2 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-introduce-transfers
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m3 = !mpmd.mesh_tensor<"m3", !t>
func.func @main(%a: !m1, %b: !m2) -> (!m3, !m2, !m2) attributes {topology = #topology} {
  %ua = mpmd.unassign %a : (!m1) -> !t
  %ub = mpmd.unassign %b : (!m2) -> !t
  %0 = stablehlo.add %ua, %ub : !t
  %1 = stablehlo.add %0, %ub : !t
  %2 = stablehlo.add %1, %1 : !t
  %3 = mpmd.assign %2 : (!t) -> !m3
  %4 = mpmd.assign %ua : (!t) -> !m2
  %5 = stablehlo.add %ua, %ua : !t
  %6 = mpmd.assign %5 : (!t) -> !m2
  return %3, %4, %6 : !m3, !m2, !m2
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.unassign %arg1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %2 = stablehlo.add %0, %1 : tensor<4xf32>
    %3 = stablehlo.add %2, %1 : tensor<4xf32>
    %4 = stablehlo.add %3, %3 : tensor<4xf32>
    %5 = mpmd.assign %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m2", origin=[]> (%6) {mpmd.inferred_by = ["introduce_transfers"]} (%arg2: tensor<4xf32>) {
      %8 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %5, %6, %7 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-introduce-transfers
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m3 = !mpmd.mesh_tensor<"m3", !t>
!p3 = !mpmd.mesh_tensor<"m3", !t, memory_kind="pinned_host">
!p1 = !mpmd.mesh_tensor<"m1", !t, memory_kind="pinned_host">
func.func @main(%a: !m1, %b: !m2) -> (!m3, !m2, !m1, !p3, !m3, !p1) attributes {topology = #topology} {
  %ua = mpmd.unassign %a : (!m1) -> !t
  %3 = mpmd.assign %ua : (!t) -> !m3
  %4 = mpmd.assign %ua : (!t) -> !m2
  %5 = mpmd.assign %ua : (!t) -> !m1
  %6 = mpmd.assign %ua : (!t) -> !p3
  %7 = mpmd.assign %ua : (!t) -> !m3
  %8 = mpmd.assign %ua : (!t) -> !p1
  return %3, %4, %5, %6, %7, %8 : !m3, !m2, !m1, !p3, !m3, !p1
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>, memory_kind="pinned_host">
    %3 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>, memory_kind="pinned_host">) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">
    return %3, %0, %arg0, %2, %1, %4 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">
  }
}
// -----
// RUN mpmd-introduce-transfers
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m3 = !mpmd.mesh_tensor<"m3", !t>
func.func @main(%a: !m1, %b: !m2, %c : !t) -> (!m2, !m2, !m2) attributes {topology = #topology} {
  %ua = mpmd.unassign %a : (!m1) -> !t
  %ub = mpmd.unassign %b : (!m2) -> !t
  %0 = stablehlo.add %ua, %ub : !t
  %1 = stablehlo.add %0, %ub : !t
  %2 = stablehlo.add %0, %1 : !t
  %3 = mpmd.assign %2 : (!t) -> !m2
  %4 = stablehlo.add %ua, %c : !t
  %5 = stablehlo.add %4, %ub : !t
  %6 = mpmd.assign %5 : (!t) -> !m2
  %7 = stablehlo.add %ua, %ub : !t
  %8 = stablehlo.add %ua, %7 : !t
  %9 = mpmd.assign %8 : (!t) -> !m2
  return %3, %6, %9 : !m2, !m2, !m2
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.unassign %arg1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %2 = stablehlo.add %0, %1 : tensor<4xf32>
    %3 = stablehlo.add %2, %1 : tensor<4xf32>
    %4 = stablehlo.add %2, %3 : tensor<4xf32>
    %5 = mpmd.assign %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = stablehlo.add %0, %arg2 : tensor<4xf32>
    %7 = stablehlo.add %6, %1 : tensor<4xf32>
    %8 = mpmd.assign %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m2", origin=[]> (%9, %arg1) {mpmd.inferred_by = ["introduce_transfers"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %12 = stablehlo.add %arg3, %arg4 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m2", origin=[]> (%9, %10) {mpmd.inferred_by = ["introduce_transfers"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %12 = stablehlo.add %arg3, %arg4 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %5, %8, %11 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-introduce-transfers
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m3 = !mpmd.mesh_tensor<"m3", !t>
func.func @main(%a: !m1, %b: !m2) -> (!t, !t) attributes {topology = #topology} {
  %ua = mpmd.unassign %a : (!m1) -> !t
  %ub = mpmd.unassign %b : (!m2) -> !t
  %0:2 = mpmd.call @f(%ua, %ub) : (!t, !t) -> (!t, !t)
  %1:2 = mpmd.call @f(%0#0, %ub) : (!t, !t) -> (!t, !t)
  %2:2 = mpmd.call @f(%0#1, %1#1) : (!t, !t) -> (!t, !t)
  %3:2 = mpmd.call @g(%0#1, %2#0) : (!t, !t) -> (!t, !t)
  return %3#0, %3#1 : !t, !t
}
func.func private @f(%a: !t, %b: !t) -> (!t, !t) attributes {topology = #topology} {
  %3 = mpmd.assign %a : (!t) -> !m1
  %1 = mpmd.unassign %3 : (!m1) -> !t
  %4 = mpmd.assign %b : (!t) -> !m1
  %5 = mpmd.unassign %4 : (!m1) -> !t
  return %1, %b : !t, !t
}
func.func private @g(%a: !t, %b: !t) -> (!t, !t) attributes {topology = #topology} {
  %3 = mpmd.assign %a : (!t) -> !m2
  %1 = mpmd.unassign %3 : (!m2) -> !t
  %4 = mpmd.assign %b : (!t) -> !m2
  %5 = mpmd.unassign %4 : (!m2) -> !t
  return %1, %5 : !t, !t
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = mpmd.unassign %arg1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %2:2 = mpmd.call @f(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %3:2 = mpmd.call @f(%2#0, %1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %4:2 = mpmd.call @f(%2#1, %3#1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %5:2 = mpmd.call @g(%2#1, %4#0) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %5#0, %5#1 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.unassign %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    return %1, %arg1 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @g(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.assign %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %2 = mpmd.unassign %1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4 = mpmd.unassign %3 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    return %2, %4 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-introduce-transfers
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
// RUN mpmd-introduce-transfers
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
// RUN mpmd-introduce-transfers
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
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = stablehlo.subtract %arg0, %arg3 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n1"} %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%1, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %14 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n1"} %3 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.call @f0(%0) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %6 = mpmd.call @f0(%5) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %7 = stablehlo.negate %4 : tensor<4xf32>
    %8 = mpmd.broadcast %7 : tensor<4xf32>
    %9 = mpmd.assign {origin = "n1"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m10", origin=["n1"]> (%9) (%arg4: tensor<4xf32>) {
      %14 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11 = mpmd.unassign {origin = "n1"} %10 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %12 = mpmd.reduce<none> %cst_0 : (tensor<4xf32>) -> tensor<4xf32>
    %13 = mpmd.assign {origin = "user_out"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %cst, %12, %11, %13 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
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
// RUN mpmd-introduce-transfers
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
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0:2 = stablehlo.optimization_barrier %arg2, %arg1 : tensor<4xf32>, tensor<4xf32>
    %1 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=["n0"]> (%1) (%arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.unassign {origin = "n0"} %2 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %4 = stablehlo.multiply %3, %0#0 : tensor<4xf32>
    %5 = mpmd.assign {origin = "n4"} %0#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.assign {origin = "n4"} %0#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m2", origin=["n4"]> (%5, %6) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %10 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %11 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %8 = mpmd.unassign {origin = "n4"} %7#1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %9 = stablehlo.abs %4 : tensor<4xf32>
    return %7#0, %9, %8 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-introduce-transfers
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
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.add %arg3, %arg2 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n1"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["n1"]> (%1, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %8 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %5 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m2", origin=["n0"(1)]> (%4, %5) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %8 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.unassign {origin = "n0"} %6 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    return %7, %7 : tensor<4xf32>, tensor<4xf32>
  }
}
