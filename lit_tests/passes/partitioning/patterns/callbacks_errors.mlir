// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=callbacks --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>

// Neither one device for all nor each for itself.
func.func @partly_manual(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    // expected-error @+1 {{'stablehlo.custom_call' op has an effect, and is in a region that is not manual on the axes 'y', 'z': give it a sharding, or make them manual}}
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg1) {has_side_effect = true} : (tensor<4xf32>) -> ()
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @calls(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    %1 = func.call @called(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func private @called(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{not manual on the axes 'y'}}
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return %arg0 : tensor<4xf32>
}
