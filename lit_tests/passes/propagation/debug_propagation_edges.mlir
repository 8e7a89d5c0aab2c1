// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-aggressive-propagate='debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @long = <["c"=8]>

// Steps count the visits that changed something, the synchronisation of function results included, which is written on
// the first of them.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> (tensor<8x8xf32> {sdy.propagation_edges = #sdy.propagation_edges<[{step-6 = [{"a" = operand-0 -> [result-0]}, {"b" = operand-0 -> [result-0]}]}]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}#sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [operand-1, result-0]}]}, {step-2 = [{"b" = result-0 -> [operand-0, operand-1]}]}]>
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: sdy.sharding_constraint {{.*}}#sdy.propagation_edges<[{step-1 = [{"a" = operand-0 -> [result-0]}, {"b" = result-0 -> [operand-0]}]}]>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"b"}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.dot {{.*}}#sdy.propagation_edges<[{step-3 = [{"a" = operand-0 -> [result-0]}, {"b" = operand-1 -> [result-0]}]}]>
  %2 = stablehlo.dot %0, %arg1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Parts of an axis that meet again are one axis. An edge counts its sources as operands.
// CHECK-LABEL: func.func private @edges
func.func private @edges(%arg0: tensor<i32>, %arg1: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@long, [{"c":(1)4, ?}, {"c":(4)2, ?}]>}, %arg2: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK-NEXT: stablehlo.reshape {{.*}}#sdy.propagation_edges<[{step-4 = [{"c" = operand-0 -> [result-0]}]}]>
  %0 = stablehlo.reshape %arg1 : (tensor<4x4xf32>) -> tensor<16xf32>
  // CHECK: sdy.data_flow_edge {{.*}}#sdy.propagation_edges<[{step-5 = [{"c" = operand-1 -> [operand-0, result-0]}]}]>
  %1 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg2 : tensor<16xf32>
  }, {
    stablehlo.return %0 : tensor<16xf32>
  }) : (tensor<i32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
