// RUN: sdy-opt %s --sdy-sink-data-flow-edges='sink-debug-sharding-origins=true sink-debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// What the edges note goes to arrays with one entry per edge, empty where an edge has no note.
// CHECK-LABEL: func.func @barrier(
func.func @barrier(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]]:2 = stablehlo.optimization_barrier {sdy.block_arg_propagation_edges = [], sdy.block_arg_sharding_origins = [], sdy.result_propagation_edges = [#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, #sdy.propagation_edges<[]>], sdy.result_sharding_origins = [{x = "self"}, {}], sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{?}]>]>} %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1 : tensor<8xf32>, tensor<8xf32>
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{"x"}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding_origins = {x = "self"}} : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// An op without edges gets empty arrays.
// CHECK-LABEL: func.func @no_edges(
func.func @no_edges(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.optimization_barrier {sdy.block_arg_propagation_edges = [], sdy.block_arg_sharding_origins = [], sdy.result_propagation_edges = [], sdy.result_sharding_origins = []} %arg0 : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
