// RUN: sdy-opt %s --sdy-pad-for-divisibility --sdy-convert-global-to-local | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Every device makes a partitioned call with its part, padding and all.
// CHECK-LABEL: func.func @on_parts
// CHECK-SAME: (%arg0: tensor<4x2xf32>
func.func @on_parts(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<5xf32>) {
  // CHECK: custom_call @xla_ffi_partitioned_python_gpu_callback(%arg0, %[[PART:.*]]) {has_side_effect = true} : (tensor<4x2xf32>, tensor<3xf32>) -> ()
  %0 = sdy.all_slice [{"x"}] %arg1 out_sharding=<@mesh, [{"x"}]> : tensor<5xf32>
  stablehlo.custom_call @xla_ffi_partitioned_python_gpu_callback(%arg0, %0) {has_side_effect = true} : (tensor<8x4xf32>, tensor<5xf32>) -> ()
  return
}

// Other calls see the whole.
// CHECK-LABEL: func.func @whole
func.func @whole(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
  // CHECK: custom_call @xla_ffi_python_gpu_callback(%[[ALL]]) {has_side_effect = true} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @xla_ffi_python_gpu_callback(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  return
}

// Each device is fed its part.
// CHECK-LABEL: func.func @infeed
func.func @infeed(%arg0: !stablehlo.token) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, !stablehlo.token) {
  // CHECK-NEXT: %[[FED:.*]]:2 = "stablehlo.infeed"(%arg0) {{.*}} : (!stablehlo.token) -> (tensor<4x2xf32>, !stablehlo.token)
  // CHECK-NEXT: return %[[FED]]#0, %[[FED]]#1
  %0:2 = "stablehlo.infeed"(%arg0) <{infeed_config = ""}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>]>} : (!stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<8x4xf32>, !stablehlo.token
}
