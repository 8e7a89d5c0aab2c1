// RUN: sdy-opt %s --sdy-pad-for-divisibility --sdy-convert-global-to-local --split-input-file --verify-diagnostics

// What calls a public function is not known, so its arguments cannot be padded.
sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{is public, but the sharding <@mesh, [{"x"}]> does not divide its argument 0 of type tensor<7xf32>}}
func.func @public_argument(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

// Six rows are six rows among three devices, and eight among four.
sdy.mesh @three = <["x"=3]>
sdy.mesh @four = <["x"=4]>
func.func private @padded_in_two_ways(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@three, [{"x"}]>}) {
  // expected-error @+1 {{moves a value to devices among which it has to be padded in another way}}
  %0 = sdy.reshard %arg0 <@four, [{"x"}]> : tensor<6xf32>
  return
}

// -----

// What a value of dynamic size holds cannot be set to zero on all devices but one.
sdy.mesh @mesh = <["x"=2]>
func.func private @dynamic_partial_value(%arg0: tensor<?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<?xf32> {
  // expected-error @+1 {{makes a value of type tensor<?xf32> partial, whose size is dynamic}}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<?xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func private @dynamic_value_elsewhere(%arg0: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // expected-error @+1 {{needs a value of type tensor<?x8xf32>, of dynamic size, on other devices}}
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
