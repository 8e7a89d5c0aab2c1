// RUN: sdy-opt %s --sdy-insert-explicit-reshards --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["x"=4]>
sdy.mesh @device = <[], device_ids=[3]>

// expected-error @+1 {{'func.func' op argument 1 is sharded to a single device, which is not supported}}
func.func @argument_on_one_device(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@device, []>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
sdy.mesh @device = <[], device_ids=[3]>

// expected-error @+1 {{'func.func' op result 0 is sharded to a single device, which is not supported}}
func.func @result_on_one_device(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@device, []>}) {
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4]>
sdy.mesh @device_3 = <[], device_ids=[3]>
sdy.mesh @device_5 = <[], device_ids=[5]>

func.func @two_devices(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op has results on different single devices}}
  %0:2 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@device_3, []>, <@device_5, []>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>

func.func @differently_unreduced_results(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // expected-error @+1 {{'stablehlo.custom_call' op has an unreduced operand, and results that differ in their unreduced axes}}
  %0:2 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}], unreduced={"x"}>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
