// RUN: sdy-opt %s --canonicalize | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!p1 = !mpmd.mesh_tensor<"m1", !t, memory_kind="pinned_host">
!d1 = !mpmd.mesh_tensor<"m1", !t, memory_kind="device">
!m2 = !mpmd.mesh_tensor<"m2", !t>

// Transfers that move nothing go; those of one mesh in a row are one.
// CHECK-LABEL: func.func @transfers
// CHECK-NEXT: %[[D:.*]] = mpmd.transfer %arg0 : {{.*}} -> !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="device">
// CHECK-NEXT: %[[THERE:.*]] = mpmd.transfer %arg0 : {{.*}} -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[BACK:.*]] = mpmd.transfer %[[THERE]]
// CHECK-NEXT: return %arg0, %[[D]], %[[THERE]], %[[BACK]]
func.func @transfers(%a: !m1) -> (!m1, !d1, !m2, !m1) attributes {topology = #topology} {
  %0 = mpmd.transfer %a : (!m1) -> !m1
  %1 = mpmd.transfer %a : (!m1) -> !p1
  %2 = mpmd.transfer %1 : (!p1) -> !d1
  %3 = mpmd.transfer %a : (!m1) -> !m2
  %4 = mpmd.transfer %3 : (!m2) -> !m1
  return %0, %2, %3, %4 : !m1, !d1, !m2, !m1
}

// A broadcast of a broadcast is one; so is a reduction of a reduction of its kind.
// CHECK-LABEL: func.func @sums
// CHECK-NEXT: %[[B:.*]] = mpmd.broadcast %arg0
// CHECK-NEXT: %[[SUM:.*]] = mpmd.reduce<add> %arg0, %arg1
// CHECK-NEXT: %[[MAX:.*]] = mpmd.reduce<max> %[[SUM]]
// CHECK-NEXT: return %[[B]], %[[SUM]], %[[SUM]], %[[MAX]], %[[SUM]]
func.func @sums(%a: !t, %b: !t) -> (!t, !t, !t, !t, !t) attributes {topology = #topology} {
  %0 = mpmd.broadcast %a : !t
  %1 = mpmd.broadcast %0 : !t
  %2 = mpmd.reduce<add> %a, %b : (!t, !t) -> !t
  %3 = mpmd.reduce<none> %2 : (!t) -> !t
  %4 = mpmd.reduce<add> %2 : (!t) -> !t
  %5 = mpmd.reduce<max> %2 : (!t) -> !t
  %6 = mpmd.reduce<add> %2, %b : (!t, !t) -> !t
  return %1, %3, %4, %5, %6 : !t, !t, !t, !t, !t
}

// A result that is an operand is not used, if its type is that of the operand: the first that is returned so.
// CHECK-LABEL: func.func @fragments
// CHECK-NEXT: %[[F:.*]]:4 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %arg1, %arg1)
// CHECK: return %[[F]]#0, %[[F]]#1, %[[F]]#2, %arg1
func.func @fragments(%a: !m1, %b: !m1) -> (!m1, !m1, !p1, !m1) attributes {topology = #topology} {
  %0:4 = mpmd.fragment<mesh="m1", origin=["f"]> (%a, %b, %b) (%x: !t, %y: !t, %z: !t) {
    %1 = stablehlo.add %x, %y : !t
    mpmd.return %1, %y, %z, %y : !t, !t, !t, !t
  } : (!m1, !m1, !m1) -> (!m1, !m1, !p1, !m1)
  return %0#0, %0#1, %0#2, %0#3 : !m1, !m1, !p1, !m1
}

// What nobody uses goes, with what is in its region, but for calls.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: mpmd.call @callee
// CHECK-NEXT: return
func.func @dead(%a: !m1, %t: !t) attributes {topology = #topology} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %1 = stablehlo.abs %x : !t
    mpmd.return %1 : !t
  } : (!m1) -> !m1
  %2 = mpmd.named_computation<"f"> (%t) (%x: !t) {
    %1 = stablehlo.abs %x : !t
    mpmd.return %1 : !t
  } : (!t) -> !t
  %3 = mpmd.for (%t) {iterations = 2 : ui32} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x : !t
  } : !t
  %4 = mpmd.reduce<add> %t, %t : (!t, !t) -> !t
  %5 = mpmd.call @callee(%t) : (!t) -> !t
  return
}
func.func private @callee(%t: !t) -> !t attributes {topology = #topology} {
  return %t : !t
}
