// RUN: sdy-opt %s --sdy-remove-propagation-debug-info | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// The records of propagation go from arguments, results and ops; names that the user gave to origins stay.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, sdy.sharding_origins = {x = "self"}})
    -> (tensor<8xf32> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, sdy.sharding_origin_name = "mine"} : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.optimization_barrier %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, sdy.sharding_origins = [{x = "input: 0"}], sdy.sharding_origin_name = "mine"} : tensor<8xf32>
  %1 = stablehlo.optimization_barrier {sdy.block_arg_propagation_edges = [], sdy.block_arg_sharding_origins = [], sdy.result_propagation_edges = [], sdy.result_sharding_origins = [{}]} %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
