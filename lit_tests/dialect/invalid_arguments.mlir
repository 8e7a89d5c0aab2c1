// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Errors about an argument's sharding are at the argument.

sdy.mesh @mesh = <["x"=4]>
func.func @unknown_axis(
  %activations: tensor<8xf32>,
  // expected-error @+1 {{'func.func' op argument 1 uses axis "y", which the mesh does not have}}
  %weights: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error @+1 {{'func.func' op argument 1 has a sharding of rank 1 for a value of rank 2}}
func.func private @declared(
  tensor<8xf32>,
  tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
