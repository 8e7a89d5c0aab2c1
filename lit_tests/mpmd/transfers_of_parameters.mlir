// RUN: sdy-opt %s --verify-diagnostics --mpmd-validate-no-param-transfers

!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>

func.func public @parameter(%a: !m1 loc("params['transformer']['w']")) -> !m2 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  // expected-warning @+1 {{transfers the parameter params['transformer']['w'] from m1 to m2}}
  %0 = mpmd.transfer %a : (!m1) -> !m2
  return %0 : !m2
}
