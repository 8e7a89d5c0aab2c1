// RUN: sdy-opt %s --sdy-reshard-before-slices | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What a round of a scan takes goes straight to where it is needed.
// CHECK-LABEL: func.func @step
func.func @step(%arg0: tensor<8x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %arg1: tensor<i32>) -> tensor<1x4x8xf32> {
  // CHECK: %[[MOVED:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}, {"x"}]> : tensor<8x4x8xf32>
  // CHECK-NEXT: %[[STEP:.*]] = stablehlo.dynamic_slice %[[MOVED]], %arg1, %{{.*}}, %{{.*}}, sizes = [1, 4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>}
  // CHECK-NEXT: return %[[STEP]]
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}, {}]> : tensor<8x4x8xf32>
  %1 = stablehlo.dynamic_slice %0, %arg1, %c, %c, sizes = [1, 4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {}, {"x"}]> : tensor<1x4x8xf32>
  return %2 : tensor<1x4x8xf32>
}

// It lies there already.
// CHECK-LABEL: func.func @back
func.func @back(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[STEP:.*]] = stablehlo.slice %arg0 [2:6, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT: return %[[STEP]]
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %1 = stablehlo.slice %0 [2:6, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// The dimension that is cut would be sharded; the whole would be gathered; others need the slice.
// CHECK-LABEL: func.func @stays
func.func @stays(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-COUNT-6: sdy.reshard
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %1 = stablehlo.slice %0 [2:6, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  %3 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %4 = stablehlo.slice %3 [2:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<2x8xf32>
  %5 = sdy.reshard %4 <@mesh, [{}, {}]> : tensor<2x8xf32>
  %6 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %7 = stablehlo.slice %6 [2:6, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %8 = sdy.reshard %7 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
  return %2, %5, %7, %8 : tensor<4x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
