// RUN: sdy-opt %s --sdy-verify-unreduced-axes --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Any op may make axes unreduced, and hand on those of its operands; reshards may do what they like.
func.func @accepted(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}, %arg2: tensor<f32>) -> tensor<8xf32> {
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x", "y"}>]>} : tensor<8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"y"}>]>} : tensor<8xf32>
  %3 = stablehlo.reduce(%1 init: %arg2) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=max{"x"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<8xf32>
}

// What a reshard or a constraint makes unreduced is taken by any op, return and call, behind a barrier, too.
func.func @excused(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.reshard %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  %2 = sdy.sharding_constraint %arg0 <@mesh, [{}], unreduced=max{"y"}> : tensor<8xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=NONE : tensor<8xf32>
  %4 = stablehlo.add %1, %3 : tensor<8xf32>
  %5 = call @takes_whole_values(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @takes_whole_values(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// What a loop carries may be partial in several ways. Unlike in the reference, which refuses it.
func.func @loop(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>}) {
  %0:2 = stablehlo.while(%i = %arg0, %j = %arg1) : tensor<8xf32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>, <@mesh, [{}], unreduced=max{"y"}>]>}
   cond {
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %i, %j : tensor<8xf32>, tensor<8xf32>
  }
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @reduced_by_nobody(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // expected-error @+1 {{'stablehlo.negate' op reduces axes, which it cannot: {"x"}}}
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @dots_add(%arg0: tensor<8x8xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op makes axes unreduced by max, expected sum: {"x"}}}
  %0 = stablehlo.dot %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @reduction_of_the_body(%arg0: tensor<8xf32>, %arg1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op makes axes unreduced by sum, expected max: {"x"}}}
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @no_reduction_multiplies(%arg0: tensor<8xf32>, %arg1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op makes axes unreduced, which it cannot: {"x"}}}
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.multiply across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @results_disagree(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op has results that become unreduced by different reductions}}
  %0:2 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>, <@mesh, [{}], unreduced=max{"x"}>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @return(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // expected-error @+1 {{'func.return' op has operand 0 with unreduced axes {"x"}, expected {}; use sdy.reshard}}
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // expected-error @+1 {{'func.call' op has operand 0 with unreduced axes {"x"}, expected {}; use sdy.reshard}}
  %0 = call @callee(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @callee(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @call_result(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{'func.call' op has result 0 with unreduced axes {}, expected {"x"}; use sdy.reshard}}
  %0 = call @callee(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @callee(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @manual_computation(%arg0: tensor<8xf32>) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}], unreduced={"y"}>] manual_axes={"x"} (%arg1: tensor<8xf32>) {
    // expected-error @+1 {{'sdy.return' op has operand 0 with unreduced axes {}, expected {"y"}; use sdy.reshard}}
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @all_reduce_of_other_kind(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // expected-error @+1 {{'stablehlo.all_reduce' op reduces axes by sum, expected max: {"x"}}}
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @all_reduce_without_sharding(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{'sdy.all_reduce' op expects an operand with a sharding}}
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What each of these does is allowed: a reduction of a matching kind ends axes, operands behind a reshard count as having
// no sharding, several results become unreduced by one kind, and a value may be returned, or handed to a function and
// back, as unreduced as it is.
func.func @also_accepted(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %5 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3:2 = stablehlo.custom_call @f(%2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"x"}>, <@mesh, [{}], unreduced=max{"x"}>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %4 = call @unreduced(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

func.func private @unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @part_of_an_axis(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // expected-error @+1 {{'stablehlo.negate' op reduces axes, which it cannot: {"x":(2)2}}}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x":(1)2}>]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @kind_changes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) {
  // expected-error @+1 {{'stablehlo.negate' op has axes that are unreduced by max in an operand and by min in a result}}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=min{"x"}>]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @collectives_only_reduce(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // expected-error @+1 {{'stablehlo.all_reduce' op makes axes unreduced, which it cannot: {"x"}}}
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @through_a_barrier(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8xf32>
  // expected-error @+1 {{'stablehlo.negate' op reduces axes, which it cannot: {"x"}}}
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return
}

// -----

sdy.mesh @maximal = <[], device_ids=[2]>
sdy.mesh @other = <["y"=2]>
sdy.mesh @mesh = <["x"=8]>

// Results may be on other meshes than one another, and than the operand.
func.func @meshes(%arg0: tensor<2xui64> {sdy.sharding = #sdy.sharding<@other, [{}], unreduced={"y"}>}) {
  %state, %0 = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT {sdy.sharding = #sdy.sharding_per_value<[<@maximal, []>, <@mesh, [{}], unreduced={"x":(1)4}>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
