// RUN: sdy-opt %s --mpmd-absorb-inferred-fragments='absorb-on-entry-point-function=true' | filecheck %s --check-prefix=ABSORB
// RUN: sdy-opt %s --mpmd-fragment-dedup | filecheck %s --check-prefix=DEDUP
// RUN: sdy-opt %s --mpmd-remove-transfer-cycles | filecheck %s --check-prefix=CYCLE
// RUN: sdy-opt %s --mpmd-simplify-program | filecheck %s --check-prefix=SIMPLE

// Passes that remove what is inferred, equal or unused.
!on_1 = !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
!on_2 = !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>>

// What was inferred in front of `f` and behind `g` becomes part of them.
// ABSORB-LABEL: @absorb
func.func public @absorb(%arg0: !on_1) -> !on_2 attributes {topology = #topology} {
  // ABSORB: origin=["f"]> (%arg0)
  // ABSORB: stablehlo.tanh
  // ABSORB: stablehlo.negate
  // ABSORB: origin=["g"]>
  // ABSORB: stablehlo.abs
  // ABSORB: stablehlo.cosine
  // ABSORB: return
  %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["a"]} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %2 = mpmd.transfer %1 : (!on_1) -> !on_2
  %3 = mpmd.fragment<mesh="m2", origin=["g"]> (%2) (%x: tensor<4x8xf32>) {
    %v = stablehlo.abs %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  %4 = mpmd.fragment<mesh="m2", origin=[]> (%3) {mpmd.inferred_by = ["a"]} (%x: tensor<4x8xf32>) {
    %v = stablehlo.cosine %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  return %4 : !on_2
}

// The first of equal operands and results is used, the others stay.
// DEDUP-LABEL: @dedup
func.func public @dedup(%arg0: !on_1) -> (!on_1, !on_1) attributes {topology = #topology} {
  // DEDUP: %[[F:.*]]:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %arg0) (%[[X:.*]]: tensor<4x8xf32>, %{{.*}}
  // DEDUP: stablehlo.add %[[X]], %[[X]]
  // DEDUP: return %[[F]]#0, %[[F]]#0
  %0:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %arg0) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %v = stablehlo.add %x, %y : tensor<4x8xf32>
    mpmd.return %v, %v : tensor<4x8xf32>, tensor<4x8xf32>
  } : (!on_1, !on_1) -> (!on_1, !on_1)
  return %0#0, %0#1 : !on_1, !on_1
}

// What was sent away is used where it came from.
// CYCLE-LABEL: @there_and_back
func.func public @there_and_back(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // CYCLE: origin=["f"]> (%arg0)
  %0 = mpmd.transfer %arg0 : (!on_1) -> !on_2
  %1 = mpmd.transfer %0 : (!on_2) -> !on_1
  %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %2 : !on_1
}

// Equal operands are one, what is passed through and what nobody uses goes.
// SIMPLE-LABEL: @simplify
func.func public @simplify(%arg0: !on_1, %arg1: !on_1) -> !on_1 attributes {topology = #topology} {
  // SIMPLE: %[[F:.*]] = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%[[X:.*]]: tensor<4x8xf32>) {
  // SIMPLE: stablehlo.add %[[X]], %[[X]]
  // SIMPLE: origin=["g"]> (%[[F]], %arg1)
  %0:3 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %arg1, %arg0) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4x8xf32>) {
    %v = stablehlo.add %x, %z : tensor<4x8xf32>
    %w = stablehlo.tanh %y : tensor<4x8xf32>
    mpmd.return %v, %w, %y : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  } : (!on_1, !on_1, !on_1) -> (!on_1, !on_1, !on_1)
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0#0, %0#2) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %v = stablehlo.add %x, %y : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1, !on_1) -> !on_1
  return %1 : !on_1
}
