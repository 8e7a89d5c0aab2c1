// RUN: sdy-opt %s --mpmd-uniquify-function-inputs-outputs | filecheck %s --check-prefix=UNIQUE
// RUN: sdy-opt %s --mpmd-populate-unreduced-out-sharding | filecheck %s --check-prefix=UNREDUCED
// RUN: sdy-opt %s --mpmd-enforce-user-shardings | filecheck %s --check-prefix=ENFORCE
// RUN: sdy-opt %s --mpmd-extract-reshards-from-inter-mesh-transfers | filecheck %s --check-prefix=RESHARD
// RUN: sdy-opt %s --mpmd-extract-reshards-from-inter-mesh-transfers --mpmd-convert-sdy-shardings-to-mpmd-types | filecheck %s --check-prefix=TYPES
// RUN: sdy-opt %s --mpmd-convert-sdy-constants | filecheck %s --check-prefix=CONSTANTS

// Passes behind propagation, and what makes results unique in front of it.
!on_1 = !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
!on_2 = !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>>

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An inferred fragment copies the argument and the value returned twice.
// UNIQUE-LABEL: @unique
func.func public @unique(%arg0: !on_1) -> (!on_1, !on_1, !on_1) attributes {topology = #topology} {
  // UNIQUE: %[[F:.*]] = mpmd.fragment<mesh="m1", origin=["f"]>
  // UNIQUE: %[[U:.*]]:3 = mpmd.fragment<mesh="m1", origin=[]> (%arg0, %[[F]]) {mpmd.inferred_by = ["uniquify"]} (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
  // UNIQUE: mpmd.return %[[X]], %[[Y]], %[[Y]]
  // UNIQUE: return %[[U]]#0, %[[U]]#1, %[[U]]#2
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %arg0, %0, %0 : !on_1, !on_1, !on_1
}

// The result is unreduced as the constraint inside says.
// UNREDUCED-LABEL: @unreduced
func.func public @unreduced(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // UNREDUCED: out_shardings=[<@mesh, [{}, {}], unreduced={"y"}>]> (%arg0)
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = sdy.sharding_constraint %x <@mesh, [{}, {}], unreduced={"y"}> : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// Shardings of the function are those of the fragment, closed.
// ENFORCE-LABEL: @enforce
func.func public @enforce(%arg0: !on_1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> (!on_1 {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) attributes {topology = #topology} {
  // ENFORCE: in_shardings=[<@mesh, [{"x"}, {}]>], out_shardings=[<@mesh, [{}, {"y"}]>]> (%arg0)
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// The transfer keeps the sharding, the fragment behind it changes it.
// RESHARD-LABEL: @reshard
func.func public @reshard(%arg0: !on_1) -> !on_2 attributes {topology = #topology} {
  // RESHARD: out_shardings=[<@mesh, [{"x"}, {}]>]> (%arg0)
  // RESHARD: %[[T:.*]] = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // RESHARD: in_shardings=[<@mesh, [{"x"}, {}]>]> (%[[T]])
  %0 = mpmd.fragment<mesh="m1", origin=["f"], out_shardings=[<@mesh, [{"x"}, {}]>]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} %0 : (!on_1) -> !on_2
  %2 = mpmd.fragment<mesh="m2", origin=["g"], in_shardings=[<@mesh, [{}, {"y"}]>]> (%1) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  return %2 : !on_2
}

// Shardings of arguments, operands and results become parts of types.
// TYPES-LABEL: @types
func.func public @types(%arg0: !on_1 {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> !on_1 attributes {topology = #topology} {
  // TYPES-SAME: (%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>, sharding=<@mesh, [{"x"}, {}]>>)
  // TYPES: mpmd.fragment<mesh="m1", origin=["f"]> (%arg0)
  // TYPES: } : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>, sharding=<@mesh, [{"x"}, {}]>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>, sharding=<@mesh, [{}, {"y"}]>>
  %0 = mpmd.fragment<mesh="m1", origin=["f"], in_shardings=[<@mesh, [{"x"}, {}]>], out_shardings=[<@mesh, [{}, {"y"}]>]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// Constants of the dialect become those of StableHLO.
// CONSTANTS-LABEL: @constants
func.func public @constants(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // CONSTANTS: stablehlo.constant dense<1.000000e+00>
  // CONSTANTS: stablehlo.add
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %one = sdy.constant dense<1.0> : tensor<4x8xf32>
    %v = stablehlo.add %x, %one : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}
