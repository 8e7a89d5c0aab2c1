// RUN: sdy-opt %s --sdy-import-func-calls --split-input-file | filecheck %s

// The computation has the callee's argument shardings, the call's result shardings and attributes, and the callee's
// thread; the callee is gone, even if it is public.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"original">(%arg0, %arg0) in_shardings=[<@mesh, [{?}]>, <@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] (%arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
// CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{?}]> : tensor<8xf32>
// CHECK-NEXT:   %[[EDGE_1:.*]] = sdy.data_flow_edge %arg2 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
// CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %[[EDGE]], %[[EDGE_1]] : tensor<8xf32>
// CHECK-NEXT:   sdy.return %[[ADD]] : tensor<8xf32>
// CHECK-NEXT: } {execution_thread = "function", tag = "t"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[EDGE_2:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION]] sharding=<@mesh, [{"a"}]> : tensor<8xf32>
// CHECK-NEXT: return %[[EDGE_2]] : tensor<8xf32>

sdy.mesh @mesh = <["a"=2]>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%arg0, %arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>, tag = "t", execution_thread = "call"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @f(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    attributes {execution_thread = "function", sdy.original_func_name = "original"} {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Callees are imported into callees first; further calls get copies.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"outer">(%arg0) (%arg1: tensor<8xf32>) {
// CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg1 : tensor<8xf32>
// CHECK-NEXT:   %[[NAMED_COMPUTATION_1:.*]] = sdy.named_computation<"inner">(%[[EDGE]]) (%arg2: tensor<8xf32>) {
// CHECK-NEXT:     %[[EDGE_1:.*]] = sdy.data_flow_edge %arg2 : tensor<8xf32>
// CHECK-NEXT:     sdy.return %[[EDGE_1]] : tensor<8xf32>
// CHECK-NEXT:   } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %[[EDGE_2:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION_1]] : tensor<8xf32>
// CHECK-NEXT:   sdy.return %[[EDGE_2]] : tensor<8xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[EDGE_3:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION]] : tensor<8xf32>
// CHECK-NEXT: %[[NAMED_COMPUTATION_2:.*]] = sdy.named_computation<"outer">(%[[EDGE_3]]) (%arg1: tensor<8xf32>) {
// CHECK-NEXT:   %[[EDGE_4:.*]] = sdy.data_flow_edge %arg1 : tensor<8xf32>
// CHECK-NEXT:   %[[NAMED_COMPUTATION_3:.*]] = sdy.named_computation<"inner">(%[[EDGE_4]]) (%arg2: tensor<8xf32>) {
// CHECK-NEXT:     %[[EDGE_5:.*]] = sdy.data_flow_edge %arg2 : tensor<8xf32>
// CHECK-NEXT:     sdy.return %[[EDGE_5]] : tensor<8xf32>
// CHECK-NEXT:   } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %[[EDGE_6:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION_3]] : tensor<8xf32>
// CHECK-NEXT:   sdy.return %[[EDGE_6]] : tensor<8xf32>
// CHECK-NEXT: } {tag = "second"} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[EDGE_7:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION_2]] : tensor<8xf32>
// CHECK-NEXT: return %[[EDGE_7]] : tensor<8xf32>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @outer(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @outer(%0) {tag = "second"} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @outer(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @inner(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @inner(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// A function that nobody calls stays, with its calls imported.

// CHECK-LABEL: func.func @uncalled(
// CHECK-NEXT: %[[NAMED_COMPUTATION:.*]]:2 = sdy.named_computation<"pair">(%arg0, %arg1) (%arg2: tensor<8xf32>, %arg3: !stablehlo.token) {
// CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg2 : tensor<8xf32>
// CHECK-NEXT:   sdy.return %[[EDGE]], %arg3 : tensor<8xf32>, !stablehlo.token
// CHECK-NEXT: } : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
// CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION]]#0 : tensor<8xf32>
// CHECK-NEXT: return %[[EDGE_1]] : tensor<8xf32>

func.func @uncalled(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> tensor<8xf32> {
  %0:2 = call @pair(%arg0, %arg1) : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  return %0#0 : tensor<8xf32>
}
func.func private @pair(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
  return %arg0, %arg1 : tensor<8xf32>, !stablehlo.token
}

// -----

// Argument shardings on single devices are not handed on by themselves; other attributes of the function are lost.

sdy.mesh @device = <[], device_ids=[1]>

// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"on_device">(%arg0) (%arg1: tensor<8xf32>) {
  // CHECK-NEXT:   %[[DATA_FLOW_EDGE:.*]] = sdy.data_flow_edge %arg1 : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[DATA_FLOW_EDGE]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[DATA_FLOW_EDGE_1:.*]] = sdy.data_flow_edge %[[NAMED_COMPUTATION]] : tensor<8xf32>
  // CHECK-NEXT: return %[[DATA_FLOW_EDGE_1]] : tensor<8xf32>
  %0 = call @on_device(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @on_device(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@device, []>, jax.tag = "lost"}) -> (tensor<8xf32> {jax.tag = "lost"}) attributes {jax.tag = "lost"} {
  return %arg0 : tensor<8xf32>
}
