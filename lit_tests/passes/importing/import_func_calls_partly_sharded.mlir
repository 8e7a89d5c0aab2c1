// RUN: sdy-opt %s --sdy-import-func-calls 2>/dev/null | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// Both copies of a function have the shardings of its arguments, also where some have none.
// Unlike the reference, which crashes.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.named_computation<"callee">(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{?}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
  // CHECK: %[[V2:.*]] = sdy.named_computation<"callee">(%arg1, %arg0) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{?}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
  %0 = call @callee(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = call @callee(%arg1, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @callee(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
