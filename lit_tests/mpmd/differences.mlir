// RUN: sdy-opt %s --mpmd-enforce-user-shardings | filecheck %s --check-prefix=ENFORCE
// RUN: sdy-opt %s --mpmd-mark-fragment-reserved-memory | filecheck %s --check-prefix=BYTES
// RUN: sdy-opt %s --mpmd-mark-aliasing-and-donation | filecheck %s --check-prefix=KINDS
// RUN: sdy-opt %s --mpmd-split-bwd-fragments | filecheck %s --check-prefix=SPLIT
// RUN: sdy-opt %s --mpmd-lower-to-fragment-calls | filecheck %s --check-prefix=MANUAL
// RUN: sdy-opt %s --mpmd-import-pipeline='name-to-mesh-assignment=layer@m1' | filecheck %s --check-prefix=CHLO
// RUN: sdy-opt %s --stablehlo-target-independent-optimization | filecheck %s --check-prefix=FOLD

// Where passes part from the reference, each for a reason that docs/differences.md gives.
!on_1 = !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
!on_2 = !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
!truth = !mpmd.mesh_tensor<"m1", tensor<4x8xi1>>
!host = !mpmd.mesh_tensor<"m1", tensor<4x8xf32>, memory_kind="pinned_host">
#topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>>

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An operand behind others is sharded in a fragment that says nothing of operands.
// ENFORCE-LABEL: @second_operand
func.func public @second_operand(%arg0: !on_1, %arg1: !on_1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> !on_1
    attributes {topology = #topology} {
  // ENFORCE: in_shardings=[<@mesh, [{?}, {?}]>, <@mesh, [{"x"}, {}]>]> (%arg0, %arg1)
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %arg1) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %1 = stablehlo.add %x, %y : tensor<4x8xf32>
    mpmd.return %1 : tensor<4x8xf32>
  } : (!on_1, !on_1) -> !on_1
  return %0 : !on_1
}

// A boolean takes a byte.
// BYTES-LABEL: @booleans
func.func public @booleans(%arg0: !on_1, %arg1: !truth) -> (!on_1, !truth) attributes {topology = #topology} {
  // BYTES: reserved_hbm_bytes = 32 : i64
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    mpmd.return %x : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0, %arg1 : !on_1, !truth
}

// What is in the memory of the host by its type is not donated.
// KINDS-LABEL: @kinds_by_type
func.func public @kinds_by_type(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  %0 = mpmd.transfer %arg0 : (!on_1) -> !host
  // KINDS: mpmd.fragment<mesh="m1", origin=["f"]> (%{{.*}}) (
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%x: tensor<4x8xf32>) {
    %2 = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %2 : tensor<4x8xf32>
  } : (!host) -> !on_1
  return %1 : !on_1
}

// Two ops are as good a first half as one or three.
// SPLIT-LABEL: @two_ops
func.func public @two_ops(%arg0: !on_1) -> (!on_2, !on_1) attributes {topology = #topology} {
  // SPLIT: split_keep_transferred
  // SPLIT: split_drop_transferred
  %0:2 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%arg0) (%x: tensor<4x8xf32>) {
    %2 = stablehlo.tanh %x : tensor<4x8xf32>
    %3 = stablehlo.negate %2 : tensor<4x8xf32>
    %4 = stablehlo.abs %x : tensor<4x8xf32>
    mpmd.return %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>
  } : (!on_1) -> (!on_1, !on_1)
  %1 = mpmd.transfer %0#0 : (!on_1) -> !on_2
  return %1, %0#1 : !on_2, !on_1
}

// A manual computation keeps its mesh.
// MANUAL-LABEL: @manual
func.func public @manual(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // MANUAL: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
  %0 = mpmd.fragment<mesh="m1", origin=["manual"]> (%arg0) (%x: tensor<4x8xf32>) {
    %1 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%y: tensor<2x8xf32>) {
      %2 = stablehlo.tanh %y : tensor<2x8xf32>
      sdy.return %2 : tensor<2x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    mpmd.return %1 : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// Ops of CHLO stay as they are.
// CHLO-LABEL: @chlo
func.func public @chlo(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {topology = #topology} {
  // CHLO: mpmd.fragment<mesh="m1", origin=["layer"]>
  // CHLO-NEXT: chlo.erf
  %0 = mpmd.named_computation<"layer"> (%arg0) (%x: tensor<4x8xf32>) {
    %1 = chlo.erf %x : tensor<4x8xf32> -> tensor<4x8xf32>
    mpmd.return %1 : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The sign of a negative zero is a negative zero.
// FOLD-LABEL: @sign
func.func @sign() -> tensor<3xf32> {
  // FOLD: stablehlo.constant dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00]>
  %0 = stablehlo.constant dense<[-0.0, 0.0, -3.0]> : tensor<3xf32>
  %1 = stablehlo.sign %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}

// The sum of booleans is their disjunction.
// FOLD-LABEL: @booleans_added
func.func @booleans_added() -> tensor<2xi1> {
  // FOLD: stablehlo.constant dense<[true, false]>
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = stablehlo.add %0, %0 : tensor<2xi1>
  return %1 : tensor<2xi1>
}

// XLA needs the configuration of some calls where JAX writes it.
// FOLD-LABEL: @configured
func.func @configured(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // FOLD: stablehlo.custom_call @target(%arg0) {mhlo.backend_config = {size = 8 : i64}}
  %0 = stablehlo.custom_call @target(%arg0) {mhlo.backend_config = {size = 8 : i64}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

sdy.mesh @rows = <["x"=2]>

// A loop that no longer carries a value has no shardings.
// FOLD-LABEL: @fewer_results
func.func @fewer_results(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  // FOLD: %[[LOOP:.*]] = stablehlo.while(%[[X:.*]] = %arg0) : tensor<8xf32>{{$}}
  // FOLD: return %[[LOOP]], %arg1
  %0:2 = stablehlo.while(%x = %arg0, %y = %arg1) : tensor<8xf32>, tensor<8xf32>
  attributes {sdy.sharding = #sdy.sharding_per_value<[<@rows, [{"x"}]>, <@rows, [{}]>]>}
  cond {
    stablehlo.return %arg2 : tensor<i1>
  } do {
    %1 = stablehlo.add %x, %y : tensor<8xf32>
    stablehlo.return %1, %y : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
