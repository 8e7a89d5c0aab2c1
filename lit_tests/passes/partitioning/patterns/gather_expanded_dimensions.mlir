// RUN: sdy-opt %s --sdy-place-reshards='enable-patterns=gather-expanded-dimensions' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @row
func.func @row(%arg0: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[ROW:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<1x8xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[ROW]], dims = [0, 1]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<1x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A dimension that stays one element long stays as it is.
// CHECK-LABEL: func.func @same
func.func @same(%arg0: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x1x8xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1, 2]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}]>]>} : (tensor<1x8xf32>) -> tensor<4x1x8xf32>
  return %0 : tensor<4x1x8xf32>
}
