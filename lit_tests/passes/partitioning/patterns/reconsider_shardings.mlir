// RUN: sdy-opt %s --sdy-place-reshards=enable-patterns=reconsider-shardings | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The weights have fewer elements than the result.
// CHECK-LABEL: func.func @weights_sharded_along_contraction
func.func @weights_sharded_along_contraction(
    %arg0: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  // CHECK-NEXT: %[[GATHERED:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}]> : tensor<64x64xf32>
  // CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %arg0, %[[GATHERED]], contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>}
  // CHECK-NEXT: return %[[PRODUCT]]
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<512x64xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<512x64xf32>
  return %2 : tensor<512x64xf32>
}

// Devices make parts of the rows, and gather them.
// CHECK-LABEL: func.func @parts_of_rows
func.func @parts_of_rows(
    %arg0: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %arg1: tensor<128x64xf32>) -> (tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %arg0 <@mesh, [{"y", "x"}, {}]> : tensor<16x128xf32>
  // CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %[[MOVED]], %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", "x"}, {}]>]>}
  // CHECK-NEXT: %[[GATHERED:.*]] = sdy.reshard %[[PRODUCT]] <@mesh, [{"y"}, {}]> : tensor<16x64xf32>
  // CHECK-NEXT: return %[[GATHERED]]
  %0 = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : tensor<128x64xf32>
  %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<16x128xf32>, tensor<128x64xf32>) -> tensor<16x64xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x64xf32>
  return %2 : tensor<16x64xf32>
}

// Two ops take a sum: laid out alike, they need one reshard of it, and none behind them.
// CHECK-LABEL: func.func @two_users_of_a_sum
func.func @two_users_of_a_sum(
    %arg0: tensor<32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %arg1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg2: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<32x16xf32>, tensor<32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK: %[[SUM:.*]] = sdy.all_reduce {"x"} %{{.*}} out_sharding=<@mesh, [{}, {}]> : tensor<32x256xf32>
  // CHECK-NEXT: %[[PART:.*]] = sdy.reshard %[[SUM]] <@mesh, [{}, {"x"}]> : tensor<32x256xf32>
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[PART]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT: %[[AGAIN:.*]] = sdy.reshard %[[SUM]] <@mesh, [{}, {"x"}]> : tensor<32x256xf32>
  // CHECK-NEXT: %[[FINITE:.*]] = stablehlo.is_finite %[[AGAIN]]
  // CHECK-NEXT: stablehlo.dot_general %[[TANH]], %arg2
  // CHECK: stablehlo.select %[[FINITE]], %arg0, %arg0
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<32x256xf32>, tensor<256x256xf32>) -> tensor<32x256xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<32x256xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {}]> : tensor<32x256xf32>
  %3 = stablehlo.tanh %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<32x256xf32>
  %4 = stablehlo.is_finite %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<32x256xf32>) -> tensor<32x256xi1>
  %5 = sdy.reshard %3 <@mesh, [{}, {"x"}]> : tensor<32x256xf32>
  %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<32x256xf32>, tensor<256x16xf32>) -> tensor<32x16xf32>
  %7 = sdy.all_reduce {"x"} %6 out_sharding=<@mesh, [{}, {}]> : tensor<32x16xf32>
  %8 = sdy.reshard %4 <@mesh, [{}, {"x"}]> : tensor<32x256xi1>
  %9 = stablehlo.select %8, %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<32x256xi1>, tensor<32x256xf32>
  return %7, %9 : tensor<32x16xf32>, tensor<32x256xf32>
}

// An elementwise op is computed as its operand comes, not at a sharding in between.
// CHECK-LABEL: func.func @one_reshard
func.func @one_reshard(%arg0: tensor<256x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<256x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>}
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %[[TANH]] <@mesh, [{"y"}, {"x"}]>
  // CHECK-NEXT: return %[[MOVED]]
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<256x128xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<256x128xf32>
  %2 = sdy.reshard %1 <@mesh, [{"y"}, {"x"}]> : tensor<256x128xf32>
  return %2 : tensor<256x128xf32>
}

// What a slice of a replicated value was made of is computed whole, too.
// CHECK-LABEL: func.func @op_in_front_follows
func.func @op_in_front_follows(
    %arg0: tensor<512x64xf32>,
    %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x64xf32> {
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: %[[GATHERED:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}]>
  // CHECK-NEXT: stablehlo.dot_general %[[TANH]], %[[GATHERED]]
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<512x64xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<512x64xf32>
  %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %3 = sdy.all_reduce {"x"} %2 out_sharding=<@mesh, [{}, {}]> : tensor<512x64xf32>
  return %3 : tensor<512x64xf32>
}

// A reshard of the user stays, and what is between two of them.
// CHECK-LABEL: func.func @given
func.func @given(%arg0: tensor<256x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<256x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[CONSTRAINED:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> {sdy.given}
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[CONSTRAINED]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT: %[[AGAIN:.*]] = sdy.reshard %[[TANH]] <@mesh, [{}, {"x", "y"}]> {sdy.given}
  // CHECK-NEXT: sdy.reshard %[[AGAIN]] <@mesh, [{"x"}, {}]>
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> {sdy.given} : tensor<256x128xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<256x128xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {"x", "y"}]> {sdy.given} : tensor<256x128xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}, {}]> : tensor<256x128xf32>
  return %3 : tensor<256x128xf32>
}

// The sum of both products is added up once, which sends less than to gather both weights.
// CHECK-LABEL: func.func @joined_sums
func.func @joined_sums(
    %arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg2: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  // CHECK: sdy.all_reduce {"x"}
  // CHECK: sdy.all_reduce {"x"}
  // CHECK: stablehlo.add
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<64x64xf32>
  %2 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = sdy.all_reduce {"x"} %2 out_sharding=<@mesh, [{}, {}]> : tensor<64x64xf32>
  %4 = stablehlo.add %1, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// An all-reduce of what is no sum of parts is not that of the op.
// CHECK-LABEL: func.func @other_all_reduce
func.func @other_all_reduce(%arg0: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK: sdy.all_reduce {"x"}
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<512x64xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<512x64xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<512x64xf32>
  return %2 : tensor<512x64xf32>
}

// Heads divide the work where operands and the result move to them: ops between two products follow.
// CHECK-LABEL: func.func @attention_moves_to_heads
func.func @attention_moves_to_heads(
    %arg0: tensor<8x256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
    %arg1: tensor<8x256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
    %arg2: tensor<8x256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<8x256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  // CHECK: %[[SCORES:.*]] = stablehlo.dot_general {{.*}} [{"x"}, {}, {}]
  // CHECK: %[[EXP:.*]] = stablehlo.exponential %[[SCORES]] {{.*}} [{"x"}, {}, {}]
  // CHECK: %[[SUM:.*]] = stablehlo.dot_general %[[EXP]], {{.*}} [{"x"}, {}, {}]
  // CHECK: %[[RESULT:.*]] = sdy.reshard %[[SUM]] <@mesh, [{}, {"x"}, {}]>
  // CHECK: return %[[RESULT]]
  %0 = sdy.reshard %arg1 <@mesh, [{}, {}, {}]> : tensor<8x256x32xf32>
  %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<8x256x32xf32>, tensor<8x256x32xf32>) -> tensor<8x256x256xf32>
  %2 = stablehlo.exponential %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : tensor<8x256x256xf32>
  %3 = sdy.reshard %arg2 <@mesh, [{}, {}, {}]> : tensor<8x256x32xf32>
  %4 = stablehlo.dot_general %2, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<8x256x256xf32>, tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
  return %4 : tensor<8x256x32xf32>
}

// A kernel has fewer elements than the images.
// CHECK-LABEL: func.func @kernel_sharded_along_input_features
func.func @kernel_sharded_along_input_features(
    %arg0: tensor<8x16x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}, {}]>},
    %arg1: tensor<3x3x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}) -> (tensor<8x16x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}, {}]>}) {
  // CHECK-NEXT: %[[KERNEL:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}, {}, {}]>
  // CHECK-NEXT: %[[IMAGES:.*]] = stablehlo.convolution(%arg0, %[[KERNEL]])
  // CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {}, {}]>]>
  // CHECK-NEXT: return %[[IMAGES]]
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"y"}, {}, {"x"}]> : tensor<8x16x16x8xf32>
  %1 = stablehlo.convolution(%0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {}, {}], unreduced={"x"}>]>} : (tensor<8x16x16x8xf32>, tensor<3x3x8x16xf32>) -> tensor<8x16x16x16xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {"y"}, {}, {}]> : tensor<8x16x16x16xf32>
  return %2 : tensor<8x16x16x16xf32>
}

// Halves are cut and joined as the op that takes them is laid out.
// CHECK-LABEL: func.func @rotated_halves
func.func @rotated_halves(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[PART:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  // CHECK-NEXT: %[[FIRST:.*]] = stablehlo.slice %[[PART]] [0:16, 0:4]
  // CHECK-NEXT: %[[AGAIN:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  // CHECK-NEXT: %[[SECOND:.*]] = stablehlo.slice %[[AGAIN]] [0:16, 4:8]
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.concatenate %[[SECOND]], %[[FIRST]]
  // CHECK-SAME: [{"x"}, {}]
  // CHECK-NEXT: return %[[JOINED]]
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  %1 = stablehlo.slice %0 [0:16, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<16x8xf32>) -> tensor<16x4xf32>
  %2 = stablehlo.slice %0 [0:16, 4:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<16x8xf32>) -> tensor<16x4xf32>
  %3 = stablehlo.concatenate %2, %1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x8xf32>
  %4 = sdy.reshard %3 <@mesh, [{"x"}, {}]> : tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}

// Branches reshard for themselves: each moves to the layout in which %arg0 is gathered along one axis.
// CHECK-LABEL: func.func @branches
func.func @branches(
    %arg0: tensor<48x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg2: tensor<i1>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK: stablehlo.if
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
  // CHECK-NEXT: stablehlo.sort{{.*}}(%[[WHOLE]])
  // CHECK: %[[PART:.*]] = stablehlo.slice
  // CHECK-NEXT: sdy.reshard %[[PART]] <@mesh, [{}, {"y"}]>
  // CHECK: stablehlo.return
  // CHECK-NEXT: }, {
  // CHECK-NEXT: sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
  %0 = "stablehlo.if"(%arg2) ({
    %1 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<48x8xf32>
    %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<48x8xf32>) -> tensor<48x8xf32>
    %3 = stablehlo.slice %2 [40:48, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<48x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.multiply %3, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<8x8xf32>
    stablehlo.return %4 : tensor<8x8xf32>
  }, {
    %1 = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<48x8xf32>
    %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %less = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<48x8xf32>) -> tensor<48x8xf32>
    %3 = stablehlo.slice %2 [40:48, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<48x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.multiply %3, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<8x8xf32>
    stablehlo.return %4 : tensor<8x8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<i1>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A column is summed over the devices, not sent with all others.
// CHECK-LABEL: func.func @column
func.func @column(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}) -> (tensor<16x1xf32>, tensor<16xf32>) {
  // CHECK-NEXT: stablehlo.constant
  // CHECK-NEXT: %[[COLUMN:.*]] = stablehlo.slice %arg0 [0:16, 0:1] {{.*}} [{}, {"x", "y"}]
  // CHECK-NEXT: sdy.reshard %[[COLUMN]] <@mesh, [{}, {}]>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %arg0 [0:16, 0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<16x1xf32>
  %2 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x", "y"}>]>} : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = sdy.all_reduce {"x", "y"} %2 out_sharding=<@mesh, [{}]> : tensor<16xf32>
  return %1, %3 : tensor<16x1xf32>, tensor<16xf32>
}

// A few rows are sent to where they are needed, not all of them.
// CHECK-LABEL: func.func @rows
func.func @rows(%arg0: tensor<48x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[ROWS:.*]] = stablehlo.slice %arg0 [0:8, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %[[ROWS]] <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.add %[[MOVED]], %arg1
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<48x8xf32>
  %1 = stablehlo.slice %0 [0:8, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<48x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %1, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Rows that are replicated are cut before the product, not behind it.
// CHECK-LABEL: func.func @replicated_rows
func.func @replicated_rows(%arg0: tensor<8x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %arg1: tensor<32x24xf32>) -> (tensor<8x32x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}) {
  // CHECK-NEXT: %[[CUT:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}, {}]> : tensor<8x32x32xf32>
  // CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %[[CUT]], %arg1, {{.*}} [{"x"}, {"y"}, {}]
  // CHECK-NEXT: sdy.reshard %[[PRODUCT]] <@mesh, [{}, {"y"}, {}]> : tensor<8x32x24xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<8x32x32xf32>, tensor<32x24xf32>) -> tensor<8x32x24xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y"}, {}]> : tensor<8x32x24xf32>
  return %1 : tensor<8x32x24xf32>
}

// Few rows are gathered, where adding them on each device by itself would need a sum of the whole table.
// CHECK-LABEL: func.func @added_rows
func.func @added_rows(%arg0: tensor<64x24xf32>, %arg1: tensor<8x1xi32>, %arg2: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x24xf32> {
  // CHECK-NEXT: %[[ROWS:.*]] = sdy.reshard %arg2 <@mesh, [{}, {}]> : tensor<8x24xf32>
  // CHECK-NEXT: %[[ADDED:.*]] = "stablehlo.scatter"(%arg0, %arg1, %[[ROWS]])
  // CHECK: return %[[ADDED]]
  %0 = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : tensor<8x1xi32>
  %1 = "stablehlo.scatter"(%arg0, %0, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<64x24xf32>, tensor<8x1xi32>, tensor<8x24xf32>) -> tensor<64x24xf32>
  %3 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<64x24xf32>
  return %3 : tensor<64x24xf32>
}

// A small table is gathered, where each device would look up what it has and sum many rows.
// CHECK-LABEL: func.func @looked_up
func.func @looked_up(%arg0: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<64x1xi32>) -> tensor<64x24xf32> {
  // CHECK-NEXT: %[[TABLE:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x24xf32>
  // CHECK-NEXT: %[[ROWS:.*]] = "stablehlo.gather"(%[[TABLE]], %arg1)
  // CHECK-NEXT: return %[[ROWS]]
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 24>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x24xf32>, tensor<64x1xi32>) -> tensor<64x24xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<64x24xf32>
  return %1 : tensor<64x24xf32>
}

// Two ops take a value as it is sharded, and both results are resharded: the value is, once.
// CHECK-LABEL: func.func @two_users_of_an_argument
func.func @two_users_of_an_argument(
    %arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64x64xf32> {
  // CHECK: %[[ROW_OF:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.reshape %[[ROW_OF]]
  // CHECK: %[[COLUMN_OF:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
  // CHECK-NEXT: %[[COLUMN:.*]] = stablehlo.reshape %[[COLUMN_OF]]
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<64x64xf32>) -> tensor<64x1x64xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}, {"x"}]> : tensor<64x1x64xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<64x1x64xf32>) -> tensor<64x64x64xf32>
  %3 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
  %4 = sdy.reshard %3 <@mesh, [{}, {}, {"x"}]> : tensor<1x64x64xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<1x64x64xf32>) -> tensor<64x64x64xf32>
  %6 = stablehlo.subtract %2, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : tensor<64x64x64xf32>
  return %6 : tensor<64x64x64xf32>
}
