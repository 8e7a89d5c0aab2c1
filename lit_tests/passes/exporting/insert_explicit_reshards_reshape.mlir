// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "one"=1]>
sdy.mesh @reversed = <["x"=4, "y"=2, "one"=1], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>

// The factors of a merged dimension are those of the dimensions it was made of.
// CHECK-LABEL: func.func @merge(
func.func @merge(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// An axis behind a factor that is not sharded would be strided: it is given up.
// CHECK-LABEL: func.func @strided(
func.func @strided(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<4x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// 6 is not a multiple of 4: of "x" the part that divides is kept, the rest is gathered.
// CHECK-LABEL: func.func @overflow(
func.func @overflow(%arg0: tensor<6x8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x":(1)2}, {}]> : tensor<6x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{"x"}]> : tensor<48xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  return
}

// With padding, this one moves no data as it is.
// CHECK-LABEL: func.func @overflow_on_both_sides(
func.func @overflow_on_both_sides(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  return
}

// The side with more shards is the source, here the operand; what both sides can hold is kept.
// CHECK-LABEL: func.func @more_shards_in_operand(
func.func @more_shards_in_operand(%arg0: tensor<3x2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}, {}]> : tensor<3x2x6xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<3x2x6xf32>) -> tensor<36xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{"y"}]> : tensor<36xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<3x2x6xf32>) -> tensor<36xf32>
  return
}

// Of the two sides only the one that has to change is resharded.
// CHECK-LABEL: func.func @overflow_on_one_side(
func.func @overflow_on_one_side(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{"x"}]> : tensor<48xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  return
}

// Shards on devices in another order move, too.
// CHECK-LABEL: func.func @overflow_on_other_devices(
func.func @overflow_on_other_devices(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x":(1)2}, {}]> : tensor<6x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@reversed, [{"x"}]> : tensor<48xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{"x"}]>]>} : (tensor<6x8xf32>) -> tensor<48xf32>
  return
}

// A dimension of size one has no counterpart; it does without its axes.
// CHECK-LABEL: func.func @overflow_beside_a_dimension_of_size_one(
func.func @overflow_beside_a_dimension_of_size_one(%arg0: tensor<6x8x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x":(1)2}, {}, {}]> : tensor<6x8x1xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}]>]>} : (tensor<6x8x1xf32>) -> tensor<48xf32>
  // CHECK-NEXT: sdy.reshard %[[V1]] <@mesh, [{"x"}]> : tensor<48xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6x8x1xf32>) -> tensor<48xf32>
  return
}

// Axes of size one fit anywhere.
// CHECK-LABEL: func.func @overflow_and_axes_of_size_one(
func.func @overflow_and_axes_of_size_one(%arg0: tensor<6x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one"}, {"x", "y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"one", "x":(1)2}, {}]> : tensor<6x2xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"one", "x":(1)2}]>]>} : (tensor<6x2xf32>) -> tensor<12xf32>
  // CHECK-NEXT: sdy.reshard %[[V1]] <@mesh, [{"y", "x", "one"}]> : tensor<12xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", "x", "one"}]>]>} : (tensor<6x2xf32>) -> tensor<12xf32>
  return
}
