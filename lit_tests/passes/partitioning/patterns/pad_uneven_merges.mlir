// RUN: sdy-opt %s --sdy-place-reshards='enable-patterns=pad-uneven-merges' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// The slice sends border rows, where a reshape of uneven parts gathers.
// CHECK-LABEL: func.func @rows
func.func @rows(%arg0: tensor<7x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> tensor<14x4xf32> {
  // CHECK: %[[PAD:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] {sdy.any_padding, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {"y"}]>]>}
  // CHECK-NEXT: %[[MERGED:.*]] = stablehlo.reshape %[[PAD]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x2x4xf32>) -> tensor<16x4xf32>
  // CHECK-NEXT: %[[CUT:.*]] = stablehlo.slice %[[MERGED]] [0:14, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}
  // CHECK-NEXT: return %[[CUT]]
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<7x2x4xf32>) -> tensor<14x4xf32>
  return %0 : tensor<14x4xf32>
}

// Even parts stay where they are.
// CHECK-LABEL: func.func @even
func.func @even(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8x2xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The minor dimension is sharded: its parts lie apart.
// CHECK-LABEL: func.func @minor
func.func @minor(%arg0: tensor<2x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<14xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<2x7xf32>) -> tensor<14xf32>
  return %0 : tensor<14xf32>
}

// A tensor that is resharded for the reshape is there as it was before.
// CHECK-LABEL: func.func @resharded
func.func @resharded(%arg0: tensor<7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<14xf32> {
  // CHECK-NEXT: %[[PART:.*]] = sdy.reshard
  // CHECK-NEXT: stablehlo.reshape %[[PART]]
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<7x2xf32>
  %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7x2xf32>) -> tensor<14xf32>
  return %1 : tensor<14xf32>
}
