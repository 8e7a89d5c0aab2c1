// RUN: sdy-opt %s --sdy-pad-for-divisibility --sdy-convert-global-to-local --split-input-file --verify-diagnostics

// What calls a public function is not known, so its arguments cannot be padded.
sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{is public, but the sharding <@mesh, [{"x"}]> does not divide its argument 0 of type tensor<7xf32>}}
func.func @public_argument(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}
