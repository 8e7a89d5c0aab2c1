// RUN: sdy-opt %s --mpmd-infer-mesh-populate-use-set --mpmd-infer-mesh-populate-src-set --mpmd-infer-mesh-assign-using-input-output-constraints='constraints=0:0,1:1,2:2' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// The mesh of the output, the one that both can be on, and none for the last pair.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-SAME: %arg2: tensor<4xf32>
// CHECK-SAME: -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, tensor<4xf32>)
// CHECK: %[[IN:.*]] = mpmd.unassign {origin = "io_constraint_in"} %arg1
// CHECK: %[[F:.*]] = mpmd.assign {{.*}}origin = "f"} %[[IN]]
// CHECK: %[[BACK:.*]] = mpmd.unassign {{.*}}origin = "f"}
// CHECK: %[[G:.*]] = mpmd.assign {{.*}}origin = "g"} %arg2
// CHECK: %[[OUT:.*]] = mpmd.assign {origin = "io_constraint_out"} %[[BACK]]
// CHECK: return %[[G]], %[[OUT]], %[[BACK]]
func.func @main(%a: !t, %b: !t, %c: !t) -> (!m2, !t, !t) attributes {topology = #topology} {
  %0 = mpmd.assign {origin = "f"} %b : (!t) -> !m1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  %2 = mpmd.unassign {origin = "f"} %1 : (!m1) -> !t
  %3 = mpmd.assign {origin = "g"} %c : (!t) -> !m2
  return %3, %2, %2 : !m2, !t, !t
}
