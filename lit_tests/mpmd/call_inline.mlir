// RUN: sdy-opt %s --mpmd-call-inline | filecheck %s

!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>

// A fragment of the body gets the microbatch of the call.
// CHECK-LABEL: @main
// CHECK-NOT: mpmd.call
// CHECK: mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 1 : ui32}
func.func public @main(%a: !m1) -> !m1 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %0 = mpmd.call @body(%a) {call_counter = 1 : ui32} : (!m1) -> !m1
  return %0 : !m1
}

func.func private @body(%a: !m1) -> !m1 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%b: tensor<4xf32>) {
    %s = stablehlo.add %b, %b : tensor<4xf32>
    mpmd.return %s : tensor<4xf32>
  } : (!m1) -> !m1
  return %0 : !m1
}
