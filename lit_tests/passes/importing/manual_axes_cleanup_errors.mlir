// RUN: sdy-opt %s --sdy-manual-axes-cleanup --verify-diagnostics

sdy.mesh @mesh = <["a"=2]>
sdy.mesh @mesh_1 = <["a"=2, "b"=4]>

// Two meshes have these manual axes, and nothing tells which is meant.
func.func @no_shardings() {
  // expected-error @+1 {{has manual axes, but no operands or results}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
    %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    sdy.return
  } : () -> ()
  return
}

// No mesh has these.
func.func @unknown_axes() {
  // expected-error @+1 {{has manual axes, but no operands or results}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"c"} () {
    %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    sdy.return
  } : () -> ()
  return
}
