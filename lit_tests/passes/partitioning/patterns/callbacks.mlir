// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=callbacks | filecheck %s

sdy.mesh @mesh = <["x"=2, "one"=1]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// A call with an effect and nothing said of it is made by the first device; one without an effect by whoever needs it.
// CHECK-LABEL: func.func @of_all
func.func @of_all(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: custom_call @xla_ffi_python_cpu_callback(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>]>} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: %[[B:.*]]:2 = stablehlo.custom_call @xla_ffi_python_gpu_callback(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>, <mesh<[], device_ids=[0]>, []>]>}
  // CHECK-NEXT: %[[P:.*]] = stablehlo.custom_call @xla_ffi_python_cpu_callback(%[[B]]#0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: custom_call @xla_ffi_python_cpu_callback(%[[P]]) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>}
  // CHECK-NEXT: custom_call @xla_ffi_python_cpu_callback() : () -> ()
  // CHECK-NEXT: custom_call @another(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  %0:2 = stablehlo.custom_call @xla_ffi_python_gpu_callback(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>)
  %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%0#0) : (tensor<8xf32>) -> tensor<8xf32>
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%1) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @xla_ffi_python_cpu_callback() : () -> ()
  stablehlo.custom_call @another(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  return %1 : tensor<8xf32>
}

// A partitioned callback is on no single device, whatever the program says.
// CHECK-LABEL: func.func @on_parts
func.func @on_parts(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: custom_call @xla_ffi_partitioned_python_gpu_callback(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @xla_ffi_partitioned_python_gpu_callback(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>) -> ()
  return
}

// Where all axes are manual every device makes its call; axes of one device do not count.
// CHECK-LABEL: func.func @of_each
func.func @of_each(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    // CHECK: custom_call @xla_ffi_python_cpu_callback(%arg1) {has_side_effect = true} : (tensor<4xf32>) -> ()
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg1) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %1 = func.call @called(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// So it is in the functions that are called there, directly or not.
// CHECK-LABEL: func.func private @called
func.func private @called(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @called_there(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func private @called_there
func.func private @called_there(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: custom_call @xla_ffi_python_cpu_callback(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> ()
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return %arg0 : tensor<4xf32>
}
