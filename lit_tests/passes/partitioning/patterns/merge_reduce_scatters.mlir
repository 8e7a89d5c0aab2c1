// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=merge-reduce-scatters | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @sum
func.func @sum(
    %arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>},
    %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %arg0, %[[T]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
  // CHECK-NEXT: %[[R:.*]] = sdy.reduce_scatter [{"x"}, {}] %[[A]] out_sharding=<@mesh, [{"x"}, {}]>
  // CHECK: return %[[R]]
  %0 = sdy.reduce_scatter [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = sdy.reduce_scatter [{}, {"x"}] %arg1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<4x8xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.add %0, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// Somebody else needs one of the two.
// CHECK-LABEL: func.func @other_user
func.func @other_user(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: sdy.reduce_scatter [{"x"}] %arg0
  // CHECK: sdy.reduce_scatter [{"x"}] %arg1
  %0 = sdy.reduce_scatter [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.reduce_scatter [{"x"}] %arg1 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
