// RUN: sdy-opt %s --mpmd-validate-named-ops-in-mpmd-func --split-input-file --verify-diagnostics

!t = tensor<4xf32>
func.func @without_topology(%a: !t) -> !t {
  // expected-error @+1 {{is in a function without a topology, where named ops are not supported}}
  %0 = mpmd.named_tensor %a name="x" : !t
  return %0 : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @in_a_branch(%a: !t, %p: tensor<i1>) -> !t attributes {topology = #topology} {
  %0 = "stablehlo.if"(%p) ({
    // expected-error @+1 {{is in 'stablehlo.if', where named ops are not supported}}
    %1 = mpmd.named_computation<"f"> (%a) (%b: !t) {
      mpmd.return %b : !t
    } : (!t) -> !t
    stablehlo.return %1 : !t
  }, {
    stablehlo.return %a : !t
  }) : (tensor<i1>) -> !t
  return %0 : !t
}
