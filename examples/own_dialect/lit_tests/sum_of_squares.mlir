// RUN: sdy-opt %s --own-fuse-sum-of-squares --canonicalize | filecheck %s --check-prefix=FUSED
// RUN: sdy-opt %s --own-fuse-sum-of-squares --canonicalize --sdy-propagation-pipeline | filecheck %s --check-prefix=SHARDED
// RUN: sdy-opt %s --own-fuse-sum-of-squares --canonicalize --sdy-partition-pipeline | filecheck %s --check-prefix=LOCAL

sdy.mesh @mesh = <["a"=2, "b"=4]>

// A sum of squares along rows is one op; each device squares what it has, and parts of rows are added up.
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// FUSED:      func.func @main(%arg0: tensor<8x16xf32>
// FUSED-NEXT:   %0 = "own.sum_of_squares"(%arg0) : (tensor<8x16xf32>) -> tensor<8xf32>
// FUSED-NEXT:   return %0

// SHARDED: "own.sum_of_squares"(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=16} reduction={j}, custom>}

// LOCAL:      func.func @main(%arg0: tensor<4x4xf32>
// LOCAL:        %[[SQUARE:.*]] = stablehlo.multiply %arg0, %arg0 : tensor<4x4xf32>
// LOCAL:        %[[SUM:.*]] = stablehlo.reduce(%[[SQUARE]] init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
// LOCAL:        "stablehlo.all_reduce"(%[[SUM]])
// LOCAL-NOT:    own.
