// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-resolve-partitioner-calls | filecheck %s

// Functions that are not there cannot be asked. Other calls stay.
// CHECK-LABEL: func.func @other
func.func @other(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.custom_call @mine(%arg0)
  %0 = stablehlo.custom_call @mine(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @without_mesh(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{is partitioned by a Python function, but the module has no mesh}}
  %0 = stablehlo.custom_call @CustomSPMDPartitioning(%arg0) {backend_config = "1"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @without_name(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{needs a Python function for its partitioning, but names none (backend_config)}}
  %0 = stablehlo.custom_call @CustomSPMDPartitioning(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @manual(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    // expected-error@+1 {{is partitioned by a Python function inside of a manual computation}}
    %1 = stablehlo.custom_call @CustomSPMDPartitioning(%arg1) {backend_config = "1"} : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
