// RUN: sdy-opt %s --mpmd-infer-mesh-pipeline --split-input-file --verify-diagnostics
// RUN: sdy-opt %s --mpmd-infer-mesh-populate-use-set --mpmd-infer-mesh-populate-src-set --mpmd-infer-mesh-validate-src-set-not-empty --mpmd-infer-mesh-validate-no-additional-transfers-needed --split-input-file --verify-diagnostics

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @conflict(%a: !m1, %b: !m2) -> !t attributes {topology = #topology} {
  %0 = mpmd.unassign {origin = "f"} %a : (!m1) -> !t
  %1 = mpmd.unassign {origin = "g"} %b : (!m2) -> !t
  // expected-error @+1 {{has operands on conflicting meshes: operand 0 on 'm1' (by 'f'), operand 1 on 'm2' (by 'g')}}
  %2 = stablehlo.subtract %0, %1 : !t
  %3 = stablehlo.abs %2 : !t
  return %3 : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @reduction(%a: !m1, %b: !m2) -> !t attributes {topology = #topology} {
  %0 = mpmd.unassign {origin = "f"} %a : (!m1) -> !t
  %1 = mpmd.unassign {origin = "g"} %b : (!m2) -> !t
  // expected-error @+1 {{reduces values of different meshes: operand 0 on 'm1' (by 'f'), operand 1 on 'm2' (by 'g')}}
  %2 = stablehlo.add %0, %1 : !t
  return %2 : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @misplaced(%a: !m1) -> !m2 attributes {topology = #topology} {
  %f = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%b: !t) {
    mpmd.return %b : !t
  } : (!m1) -> !m1
  %0 = mpmd.unassign {origin = "f"} %f : (!m1) -> !t
  %1 = stablehlo.abs %0 : !t
  // expected-error @+1 {{is used on 'm2' (by 'g'), but it can only be placed on 'm1' (by 'f')}}
  %2 = mpmd.assign {origin = "g"} %1 : (!t) -> !m2
  return %2 : !m2
}
