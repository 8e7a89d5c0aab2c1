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
