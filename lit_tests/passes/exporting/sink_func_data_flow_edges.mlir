// RUN: sdy-opt %s --sdy-sink-func-data-flow-edges | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The sharding of an edge goes to the argument or call result; an edge without one leaves that open, if it had any.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}, %arg2: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %arg2: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]]:2 = call @callee(%arg0, %arg1, %arg2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{?}]>]>} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: return %[[V0]]#0 : tensor<8xf32>
  %0 = sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>
  %1 = sdy.func_data_flow_edge %arg1 : tensor<8xf32>
  %2 = sdy.func_data_flow_edge %arg2 : tensor<8xf32>
  %3:2 = call @callee(%0, %1, %2) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %4 = sdy.func_data_flow_edge %3#0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %4 : tensor<8xf32>
}

func.func private @callee(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
}
