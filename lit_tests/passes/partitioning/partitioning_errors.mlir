// RUN: sdy-opt %s --sdy-pad-for-divisibility --sdy-convert-global-to-local --split-input-file --verify-diagnostics

// What calls a public function is not known, so its arguments cannot be padded.
sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{is public, but the sharding <@mesh, [{"x"}]> does not divide its argument 0 of type tensor<7xf32>}}
func.func @public_argument(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

// Parts of a manual computation cannot be padded one by one.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @manual_computation(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %0 = sdy.all_slice [{"x", "y"}] %arg0 out_sharding=<@mesh, [{"x", "y"}]> : tensor<6xf32>
  // expected-error @+1 {{shards dimension 0 of a value along manual and other axes, and the other axes do not divide its local size 3}}
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x"} (%arg1: tensor<3xf32>) {
    sdy.return %arg1 : tensor<3xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  %2 = sdy.all_gather [{"x", "y"}] %1 out_sharding=<@mesh, [{}]> : tensor<6xf32>
  return %2 : tensor<6xf32>
}
