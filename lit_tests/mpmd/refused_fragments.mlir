// RUN: sdy-opt %s --split-input-file --verify-diagnostics --mpmd-verify-stage-merging --mpmd-validate-no-inferred-fragments --mpmd-validate-no-reshards='fail-on-reshard-only-fragments=true' --mpmd-validate-no-backward-deps='fail-on-backward-deps=true'

!on_1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func public @two_of_a_stage(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // expected-note @+1 {{here is the other}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"], stage=1> (%arg0) (%x: tensor<4xf32>) {
    mpmd.return %x : tensor<4xf32>
  } : (!on_1) -> !on_1
  // expected-error @+1 {{and another fragment are of stage 1 on mesh m1; they should be one}}
  %1 = mpmd.fragment<mesh="m1", origin=["g"], stage=1> (%0) (%x: tensor<4xf32>) {
    mpmd.return %x : tensor<4xf32>
  } : (!on_1) -> !on_1
  return %1 : !on_1
}

// -----

!on_1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func public @nobody(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // expected-error @+1 {{on mesh m1 was inferred by absorb and holds nothing}}
  %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["absorb"]} (%x: tensor<4xf32>) {
    mpmd.return %x : tensor<4xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// -----

!on_1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func public @only_reshards(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // expected-error @+1 {{does nothing but change shardings}}
  %0 = mpmd.fragment_call<mesh="m1", origin=[]> @identity(%arg0) : (!on_1) -> !on_1
  return %0 : !on_1
}
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  return %x : tensor<4xf32>
}

// -----

!on_1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!on_2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func public @backward(%arg0: !on_2) -> !on_1 attributes {topology = #topology} {
  // expected-error @+1 {{gives a value on mesh m2 to the earlier mesh m1}}
  %0 = mpmd.fragment_call<mesh="m2", origin=["f"]> @f(%arg0) : (!on_2) -> !on_2
  %1 = mpmd.transfer %0 : (!on_2) -> !on_1
  %2 = mpmd.fragment_call<mesh="m1", origin=["g"]> @f(%1) : (!on_1) -> !on_1
  return %2 : !on_1
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
