// RUN: sdy-opt %s --xla-sdy-stablehlo-round-trip-export-callback-custom-calls | filecheck %s

// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // Results that no one uses go, with their layouts; one device is said once.
  // CHECK-NEXT: stablehlo.custom_call @xla_python_cpu_callback(%arg0) {backend_config = "7", has_side_effect = true, mhlo.sharding = "{maximal device=0}", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (tensor<8xf32>) -> ()
  %0:2 = stablehlo.custom_call @xla_python_cpu_callback(%arg0) {backend_config = "7", has_side_effect = true, mhlo.sharding = "{{maximal device=0}, {maximal device=0}}", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>)
  // What is used stays, as do other calls.
  // CHECK-NEXT: %[[U:.*]] = stablehlo.custom_call @xla_ffi_python_gpu_callback(%arg0) {mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @xla_ffi_python_gpu_callback(%arg0) {mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = stablehlo.custom_call @other(%arg0)
  %2 = stablehlo.custom_call @other(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[U]]
  return %1 : tensor<8xf32>
}
