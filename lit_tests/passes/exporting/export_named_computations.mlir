// RUN: sdy-opt %s --sdy-export-named-computations --split-input-file | filecheck %s

// A computation becomes a private function at the end of the module, with its in shardings on the arguments; the call
// has its out shardings and other attributes. The name that it had is noted on the function.
//SIG
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @g(%arg0) {note = "kept", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: {{^ +}}return %[[V0]] : tensor<8xf32>
  %0 = sdy.named_computation<"g">(%arg0) in_shardings=[<@mesh, [{?}]>] out_shardings=[<@mesh, [{"x"}]>] (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } {note = "kept"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "g"}
// CHECK-NEXT: {{^ +}}return %arg0 : tensor<8xf32>
// -----

// Inner computations are exported first; every computation gets a function of its own, under a free name. An execution
// thread is a property of the function.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @main_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = call @h_1(%[[V0]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: {{^ +}}return %[[V1]] : tensor<8xf32>
  %0 = sdy.named_computation<"main">(%arg0) (%arg1: tensor<8xf32>) {
    %2 = sdy.named_computation<"h">(%arg1) (%arg2: tensor<8xf32>) {
      sdy.return %arg2 : tensor<8xf32>
    } {execution_thread = "host"} : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"h">(%0) (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func private @h(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {execution_thread = "host", sdy.original_func_name = "h"}
// CHECK-NEXT: {{^ +}}return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @main_0(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "main"}
// CHECK-NEXT: %[[V0:.*]] = call @h(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: {{^ +}}return %[[V0]] : tensor<8xf32>
// CHECK-LABEL: func.func private @h_1(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "h"}
// CHECK-NEXT: {{^ +}}return %arg0 : tensor<8xf32>
// -----

// The shardings of data-flow edges take the place of the lists, and the edges go.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @g(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: {{^ +}}return %[[V0]] : tensor<8xf32>
  %0 = sdy.named_computation<"g">(%arg0, %arg1) out_shardings=[<@mesh, [{?}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
    %2 = sdy.data_flow_edge %arg2 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    %3 = sdy.data_flow_edge %arg3 : tensor<8xf32>
    %4 = stablehlo.add %2, %3 : tensor<8xf32>
    sdy.return %4 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x", ?}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "g"}
// CHECK-NEXT: %[[V0:.*]] = stablehlo.add %arg0, %arg1 : tensor<8xf32>
// CHECK-NEXT: {{^ +}}return %[[V0]] : tensor<8xf32>
