// RUN: sdy-opt %s --sdy-resolve-single-device-sharding --sdy-pad-for-divisibility --sdy-convert-global-to-local --split-input-file --verify-diagnostics

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
  // expected-error @+1 {{moves a value between devices with different padding}}
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

// -----

// A slice cannot say that it takes all of a dimension of dynamic size.
sdy.mesh @mesh = <["x"=2]>
func.func private @padding_of_dynamic_value(%arg0: tensor<?x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<?x7xf32> {
  // expected-error @+1 {{a value of type tensor<?x8xf32>, of dynamic size, cannot be cut}}
  %0 = sdy.all_gather [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}

// -----

// What jumps between blocks cannot be followed.
sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{has branches between blocks; loops and conditions have to be ops with regions}}
func.func private @branches(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^bb1(%arg0 : tensor<8xf32>)
^bb1(%0: tensor<8xf32>):
  return %0 : tensor<8xf32>
}

// -----

// Functions elsewhere may name other meshes.
sdy.mesh @mesh = <["x"=2]>
module @inner {
  // expected-error @+1 {{is inside of another op; only functions of the outermost module are partitioned}}
  func.func @nested(%arg0: tensor<8xf32>) {
    return
  }
}

// -----

// New collectives are numbered on from the last channel.
sdy.mesh @mesh = <["x"=2]>
func.func @last_channel(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has channel 9223372036854775807, which leaves none for new collectives}}
  %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 9223372036854775807, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A device finds its part in a table of all devices.
sdy.mesh @large = <["x"=2, "y"=4611686018427387904]>
// expected-error @+1 {{has a value on a mesh of 9223372036854775808 devices, more than 1048576}}
func.func @large_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@large, [{"x"}]>}) {
  return
}

// -----

// The devices that have nothing to add up have zeros of the type.
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @device = <[], device_ids=[1]>
func.func @dynamic_on_a_single_device(%arg0: tensor<?xf32>) {
  // expected-error @+1 {{is on a single device, and the others have no zeros of type tensor<?xf32>}}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<?xf32>
  return
}

// -----

// A tuple has no dimensions.
sdy.mesh @mesh = <["x"=2]>
func.func private @tuple_of_a_call(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{has the sharding <@mesh, [{"x"}]> on a value of type tuple<tensor<8xf32>>, which is not a tensor of that rank}}
  %0 = stablehlo.custom_call @pair(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tuple<tensor<8xf32>>
  return
}
