// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=split-top-k | filecheck %s

sdy.mesh @mesh = <["x"=8, "y"=2]>

// Two of each part, their places in the whole, and two of these sixteen.
// CHECK-LABEL: func.func @parts
func.func @parts(%arg0: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>} : (tensor<4x64xf32>) -> tensor<4x8x8xf32>
  // CHECK-NEXT: %[[V:.*]], %[[I:.*]] = chlo.top_k(%[[PARTS]], k = 2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>, <@mesh, [{"y"}, {"x"}, {}]>]>} : tensor<4x8x8xf32> -> (tensor<4x8x2xf32>, tensor<4x8x2xi32>)
  // CHECK-NEXT: %[[PART:.*]] = stablehlo.iota dim = 1
  // CHECK-NEXT: %[[LENGTH:.*]] = stablehlo.constant {{.*}}dense<8> : tensor<4x8x2xi32>
  // CHECK-NEXT: %[[BEGIN:.*]] = stablehlo.multiply %[[PART]], %[[LENGTH]]
  // CHECK-NEXT: %[[AT:.*]] = stablehlo.add %[[I]], %[[BEGIN]]
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.reshape %[[V]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<4x8x2xf32>) -> tensor<4x16xf32>
  // CHECK-NEXT: %[[FOUND:.*]] = sdy.reshard %[[ROW]] <@mesh, [{"y"}, {}]>
  // CHECK-NEXT: %[[ATS:.*]] = stablehlo.reshape %[[AT]]
  // CHECK-NEXT: %[[PLACES:.*]] = sdy.reshard %[[ATS]] <@mesh, [{"y"}, {}]>
  // CHECK-NEXT: %[[BEST:.*]], %[[CHOSEN:.*]] = chlo.top_k(%[[FOUND]], k = 2)
  // CHECK-NEXT: %[[ENTRIES:.*]] = stablehlo.reshape %[[CHOSEN]] {{.*}} : (tensor<4x2xi32>) -> tensor<4x2x1xi32>
  // CHECK-NEXT: %[[TAKEN:.*]] = "stablehlo.gather"(%[[PLACES]], %[[ENTRIES]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>
  // CHECK-NEXT: return %[[BEST]], %[[TAKEN]]
  %0, %1 = chlo.top_k(%arg0, k = 2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>]>} : tensor<4x64xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// Four of eight with their indices are as much as all eight; and parts of 60 are uneven.
// CHECK-LABEL: func.func @left
func.func @left(%arg0: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<4x60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x4xf32>, tensor<4x2xf32>) {
  // CHECK-NEXT: chlo.top_k(%arg0, k = 4)
  // CHECK-NEXT: chlo.top_k(%arg1, k = 2)
  %0, %1 = chlo.top_k(%arg0, k = 4) : tensor<4x64xf32> -> (tensor<4x4xf32>, tensor<4x4xi32>)
  %2, %3 = chlo.top_k(%arg1, k = 2) : tensor<4x60xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0, %2 : tensor<4x4xf32>, tensor<4x2xf32>
}
