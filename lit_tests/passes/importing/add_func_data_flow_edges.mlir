// RUN: sdy-opt %s --sdy-add-func-data-flow-edges --split-input-file | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// Call results get edges, in the main function, too; its arguments get none.
// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8xf32>, %arg1: !stablehlo.token, %arg2: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CALL:.*]]:3 = call @callee(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>, <@mesh, [{?}]>]>} : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token, tensor<8xf32>)
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.func_data_flow_edge %[[CALL]]#0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %{{.*}} = sdy.func_data_flow_edge %[[CALL]]#2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg2) ({
  // CHECK-NEXT:   %[[CALL_1:.*]]:3 = func.call @callee(%[[EDGE]], %[[CALL]]#1) : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token, tensor<8xf32>)
  // CHECK-NEXT:   %{{.*}} = sdy.func_data_flow_edge %[[CALL_1]]#0 : tensor<8xf32>
  // CHECK-NEXT:   %[[EDGE_3:.*]] = sdy.func_data_flow_edge %[[CALL_1]]#2 : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[EDGE_3]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[CASE]] : tensor<8xf32>
  %0:3 = call @callee(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>, <@mesh, [{?}]>]>} : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token, tensor<8xf32>)
  %1 = "stablehlo.case"(%arg2) ({
    %2:3 = func.call @callee(%0#0, %0#1) : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token, tensor<8xf32>)
    stablehlo.return %2#2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Arguments of other functions, called or not, get edges at the top.
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:  %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token, tensor<8xf32>)
func.func private @callee(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token, tensor<8xf32>) {
  // CHECK-NEXT: %[[EDGE:.*]] = sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return %[[EDGE]], %arg1, %[[EDGE]] : tensor<8xf32>, !stablehlo.token, tensor<8xf32>
  return %arg0, %arg1, %arg0 : tensor<8xf32>, !stablehlo.token, tensor<8xf32>
}

// CHECK-LABEL: func.func private @not_called(
func.func private @not_called(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<?xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %{{.*}} = sdy.func_data_flow_edge %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[EDGE_1:.*]] = sdy.func_data_flow_edge %arg1 : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[EDGE_1]], %[[EDGE_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8xf32>
  %0 = stablehlo.add %arg1, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A single function is the main function, whatever its name.
// CHECK-LABEL: func.func @only(
func.func @only(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
