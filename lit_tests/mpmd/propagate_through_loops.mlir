// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s

// A loop carries its shardings from operands to results; the index is of no operand, and stays replicated.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: @main
// CHECK-SAME: -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
func.func public @main(
    %arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x8xf32>
    attributes {topology = #mpmd.topology<<"m" : <["x"=2, "y"=2]>>>} {
  // CHECK: mpmd.for
  // CHECK-NOT: sdy.data_flow_edge
  // CHECK: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}
  %0:2 = mpmd.for (%arg0, %arg1) {iterations = 3 : ui32} (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %index: tensor<ui32>) {
    %1 = stablehlo.convert %index : (tensor<ui32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %3 = stablehlo.add %x, %y : tensor<4x8xf32>
    %4 = stablehlo.add %3, %2 : tensor<4x8xf32>
    mpmd.return %4, %y : tensor<4x8xf32>, tensor<4x8xf32>
  } : tensor<4x8xf32>, tensor<4x8xf32>
  return %0#0 : tensor<4x8xf32>
}
