// RUN: sdy-opt %s --sdy-optimize-collectives | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2, "w"=4]>

// The axis that moves away is the major one after the permute; the other one then takes its place.
// CHECK-LABEL: func.func @swap(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {}, {}]>]>} : (tensor<8x8xf32>) -> tensor<2x2x2x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->3] %[[V0]] out_sharding=<@mesh, [{}, {"y"}, {}, {"x"}]> : tensor<2x2x2x8xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_to_all [{"y"}: 1->0] %[[V1]] out_sharding=<@mesh, [{"y"}, {}, {}, {"x"}]> : tensor<2x2x2x8xf32>
// CHECK-NEXT:  %[[V3:.*]] = stablehlo.reshape %[[V2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<2x2x2x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:  return %[[V3]] : tensor<8x8xf32>
func.func @swap(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Without a rest there is no dimension for it, and an axis that need not move does not.
// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {"z"}, {}, {}]>]>} : (tensor<8x8x4xf32>) -> tensor<2x2x2x8x4xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->3] %[[V0]] out_sharding=<@mesh, [{}, {"y"}, {"z"}, {"x"}, {}]> : tensor<2x2x2x8x4xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_to_all [{"z"}: 2->0] %[[V1]] out_sharding=<@mesh, [{"z"}, {"y"}, {}, {"x"}, {}]> : tensor<2x2x2x8x4xf32>
// CHECK-NEXT:  %[[V3:.*]] = stablehlo.reshape %[[V2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"z", "y"}, {"x"}, {}]>]>} : (tensor<2x2x2x8x4xf32>) -> tensor<8x8x4xf32>
// CHECK-NEXT:  return %[[V3]] : tensor<8x8x4xf32>
func.func @reverse(%arg0: tensor<8x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}, {}, {}]>}) -> tensor<8x8x4xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z", "y", "x"}, {}, {}]> : tensor<8x8x4xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{"z", "y"}, {"x"}, {}]> : tensor<8x8x4xf32>
  return %1 : tensor<8x8x4xf32>
}

// A chain of moves, one of them to a dimension in front.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}, {"z"}, {}, {}]>]>} : (tensor<4x16x8xf32>) -> tensor<4x2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 1->5] %[[V0]] out_sharding=<@mesh, [{}, {}, {"y"}, {"z"}, {}, {"x"}]> : tensor<4x2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_to_all [{"y"}: 2->0] %[[V1]] out_sharding=<@mesh, [{"y"}, {}, {}, {"z"}, {}, {"x"}]> : tensor<4x2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V3:.*]] = sdy.all_to_all [{"z"}: 3->1] %[[V2]] out_sharding=<@mesh, [{"y"}, {"z"}, {}, {}, {}, {"x"}]> : tensor<4x2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V4:.*]] = stablehlo.reshape %[[V3]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"z"}, {"x"}]>]>} : (tensor<4x2x2x2x2x8xf32>) -> tensor<4x16x8xf32>
// CHECK-NEXT:  return %[[V4]] : tensor<4x16x8xf32>
func.func @chain(%arg0: tensor<4x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y", "z"}, {}]>}) -> tensor<4x16x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{}, {"z", "y", "x"}, {}]> : tensor<4x16x8xf32>
  %1 = sdy.all_to_all [{"x"}: 1->2] %0 out_sharding=<@mesh, [{}, {"z", "y"}, {"x"}]> : tensor<4x16x8xf32>
  %2 = sdy.all_to_all [{"y"}: 1->0] %1 out_sharding=<@mesh, [{"y"}, {"z"}, {"x"}]> : tensor<4x16x8xf32>
  return %2 : tensor<4x16x8xf32>
}

// The chain ends where a value has other uses.
// CHECK-LABEL: func.func @two_uses(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {"z"}, {}, {}]>]>} : (tensor<8x8x8xf32>) -> tensor<2x2x2x8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->3] %[[V0]] out_sharding=<@mesh, [{}, {"y"}, {"z"}, {"x"}, {}]> : tensor<2x2x2x8x8xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_to_all [{"z"}: 2->0] %[[V1]] out_sharding=<@mesh, [{"z"}, {"y"}, {}, {"x"}, {}]> : tensor<2x2x2x8x8xf32>
// CHECK-NEXT:  %[[V3:.*]] = stablehlo.reshape %[[V2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"z", "y"}, {"x"}, {}]>]>} : (tensor<2x2x2x8x8xf32>) -> tensor<8x8x8xf32>
// CHECK-NEXT:  %[[V4:.*]] = sdy.all_to_all [{"y"}: 0->2] %[[V3]] out_sharding=<@mesh, [{"z"}, {"x"}, {"y"}]> : tensor<8x8x8xf32>
// CHECK-NEXT:  return %[[V3]], %[[V4]] : tensor<8x8x8xf32>, tensor<8x8x8xf32>
func.func @two_uses(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}, {}, {}]>}) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z", "y", "x"}, {}, {}]> : tensor<8x8x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{"z", "y"}, {"x"}, {}]> : tensor<8x8x8xf32>
  %2 = sdy.all_to_all [{"y"}: 0->2] %1 out_sharding=<@mesh, [{"z"}, {"x"}, {"y"}]> : tensor<8x8x8xf32>
  return %1, %2 : tensor<8x8x8xf32>, tensor<8x8x8xf32>
}

// Parts of one axis that come together again are one axis.
// CHECK-LABEL: func.func @parts_meet(
// CHECK-NEXT:  %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"w":(2)2}, {"x"}, {"w":(1)2}, {}, {}]>]>} : (tensor<16x8xf32>) -> tensor<2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"w":(1)2}: 2->4] %[[V0]] out_sharding=<@mesh, [{"w":(2)2}, {"x"}, {}, {}, {"w":(1)2}]> : tensor<2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_to_all [{"w":(2)2}: 0->4] %[[V1]] out_sharding=<@mesh, [{}, {"x"}, {}, {}, {"w"}]> : tensor<2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V3:.*]] = sdy.all_to_all [{"x"}: 1->0] %[[V2]] out_sharding=<@mesh, [{"x"}, {}, {}, {}, {"w"}]> : tensor<2x2x2x2x8xf32>
// CHECK-NEXT:  %[[V4:.*]] = stablehlo.reshape %[[V3]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"w"}]>]>} : (tensor<2x2x2x2x8xf32>) -> tensor<16x8xf32>
// CHECK-NEXT:  return %[[V4]] : tensor<16x8xf32>
func.func @parts_meet(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"w":(2)2, "x", "w":(1)2}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"x", "w":(2)2, "w":(1)2}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_to_all [{"w":(1)2}: 0->1] %0 out_sharding=<@mesh, [{"x", "w":(2)2}, {"w":(1)2}]> : tensor<16x8xf32>
  %2 = sdy.all_to_all [{"w":(2)2}: 0->1] %1 out_sharding=<@mesh, [{"x"}, {"w"}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// An axis that stays would have to go where there is no room for it.
// CHECK-LABEL: func.func @no_room(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"w", "x"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->1] %[[V0]] out_sharding=<@mesh, [{"w"}, {"x"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @no_room(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "w"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"w", "x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{"w"}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Axes that stay would have to swap.
// CHECK-LABEL: func.func @rest_swaps(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x", "z"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"z"}: 0->1] %[[V0]] out_sharding=<@mesh, [{"y", "x"}, {"z"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @rest_swaps(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x", "z"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"z"}: 0->1] %0 out_sharding=<@mesh, [{"y", "x"}, {"z"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Two axes that move to one dimension at once are left alone.
// CHECK-LABEL: func.func @two_at_once(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z", "x", "y"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x", "y"}: 0->1] %[[V0]] out_sharding=<@mesh, [{"z"}, {"x", "y"}]> : tensor<8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8xf32>
func.func @two_at_once(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"z", "x", "y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"x", "y"}: 0->1] %0 out_sharding=<@mesh, [{"z"}, {"x", "y"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// The dimension cannot be cut into equal parts.
// CHECK-LABEL: func.func @not_divisible(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<6x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 0->1] %[[V0]] out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<6x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<6x8xf32>
func.func @not_divisible(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<6x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<6x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}

// A permute across dimensions is another matter.
// CHECK-LABEL: func.func @two_dimensions(
// CHECK-NEXT:  %[[V0:.*]] = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {"x"}, {}]> : tensor<8x8x8xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"y"}: 0->2] %[[V0]] out_sharding=<@mesh, [{}, {"x"}, {"y"}]> : tensor<8x8x8xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x8x8xf32>
func.func @two_dimensions(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> tensor<8x8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y"}, {"x"}, {}]> : tensor<8x8x8xf32>
  %1 = sdy.all_to_all [{"y"}: 0->2] %0 out_sharding=<@mesh, [{}, {"x"}, {"y"}]> : tensor<8x8x8xf32>
  return %1 : tensor<8x8x8xf32>
}
