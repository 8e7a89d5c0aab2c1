// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=place-all-gathers | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The smaller elements are sent, and the value before the transpose, which others may need as well.
// CHECK-LABEL: func.func @to_the_front
func.func @to_the_front(%arg0: tensor<8x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x4xbf16>
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[G]], dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>}
  // CHECK-NEXT: stablehlo.convert %[[T]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>}
  %0 = stablehlo.transpose %arg0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
  %1 = stablehlo.convert %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Converted to smaller elements first.
// CHECK-LABEL: func.func @behind
func.func @behind(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xbf16>, tensor<8xbf16>) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xbf16>
  // CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x"}] %[[C]] out_sharding=<@mesh, [{}]> : tensor<8xbf16>
  // CHECK-NEXT: return %[[G]], %[[G]]
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.convert %0 : (tensor<8xf32>) -> tensor<8xbf16>
  %2 = stablehlo.convert %0 : (tensor<8xf32>) -> tensor<8xbf16>
  return %1, %2 : tensor<8xbf16>, tensor<8xbf16>
}

// Somebody needs the wide elements.
// CHECK-LABEL: func.func @both
func.func @both(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xbf16>, tensor<8xf32>) {
  // CHECK-NEXT: sdy.all_gather [{"x"}] %arg0
  // CHECK-NEXT: stablehlo.convert
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.convert %0 : (tensor<8xf32>) -> tensor<8xbf16>
  return %1, %0 : tensor<8xbf16>, tensor<8xf32>
}

// Every device can make zeros, and what follows from them and a replicated value.
// CHECK-LABEL: func.func @made_again
func.func @made_again(%arg0: tensor<f32>) -> tensor<8x8xf32> {
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[B]], %[[I]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: %[[S:.*]] = sdy.all_slice [{"y"}, {}] %[[A]] out_sharding=<@mesh, [{"y"}, {}]>
  // CHECK-NEXT: return %[[S]]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<8x8xf32>
  %3 = sdy.all_gather [{}, {"x"}] %2 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// What is not used any more goes, also a value that two of the ops used that go.
// CHECK-LABEL: func.func @used_twice
func.func @used_twice() -> tensor<8xf32> {
  // CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[I]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[N]], %[[I]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
  // CHECK-NEXT: return %[[A]]
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %2 = stablehlo.add %1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %3 = sdy.all_gather [{"x"}] %2 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// A sharded value has to be gathered.
// CHECK-LABEL: func.func @not_made_again
func.func @not_made_again(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: sdy.all_gather
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What was sliced is there as a whole; with another sharding it is gathered.
// CHECK-LABEL: func.func @sliced
func.func @sliced(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK:      %[[SLICE:.*]] = sdy.all_slice [{"x"}, {}] %arg0
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.all_gather [{"x"}, {"y"}] %[[SLICE]]
  // CHECK-NEXT: return %arg0, %[[WHOLE]]
  %0 = sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
  %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  %2 = sdy.all_gather [{"x"}, {"y"}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}
