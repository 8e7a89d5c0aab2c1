// RUN: sdy-opt %s "-sdy-reduce-communication=enable-patterns=keep-across-barriers kept-bytes=1000000" | filecheck %s
// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=keep-across-barriers | filecheck %s --check-prefix=SMALL

sdy.mesh @mesh = <["x"=4, "y"=2]>

// No device holds more: what is kept takes the place of what it would have made.
// CHECK-LABEL: func.func @recomputed
// SMALL-LABEL: func.func @recomputed
func.func @recomputed(
    %w: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[SUM:.*]] = sdy.all_reduce {"x"}
  // CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %[[SUM]]
  // CHECK-NOT: sdy.all_reduce
  // CHECK: %[[COSINE:.*]] = stablehlo.cosine %[[SUM]]
  // CHECK-NEXT: return %[[SINE]], %[[COSINE]]
  // SMALL: sdy.all_reduce
  // SMALL-NOT: sdy.all_reduce
  // SMALL: return
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
  %2 = stablehlo.sine %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
  %3:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>]>} %x, %w : tensor<4x8xf32>, tensor<8x4xf32>
  %4 = stablehlo.dot_general %3#0, %3#1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %5 = sdy.all_reduce {"x"} %4 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
  %6 = stablehlo.cosine %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
  return %2, %6 : tensor<4x4xf32>, tensor<4x4xf32>
}

// In between a device holds most: without bytes for it, what is thrown away is computed and sent once more.
// CHECK-LABEL: func.func @at_the_peak
// SMALL-LABEL: func.func @at_the_peak
func.func @at_the_peak(
    %w: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64xf32>, tensor<4x4xf32>) {
  // CHECK: %[[SUM:.*]] = sdy.all_reduce {"x"}
  // CHECK-NOT: sdy.all_reduce
  // CHECK: stablehlo.cosine %[[SUM]]
  // SMALL: sdy.all_reduce
  // SMALL: stablehlo.optimization_barrier
  // SMALL: sdy.all_reduce
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
  %r = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %2 = stablehlo.dot_general %r, %r, contracting_dims = [] x [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = stablehlo.slice %3 [0:4, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16x16xf32>) -> tensor<4x16xf32>
  %t = stablehlo.reshape %s {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4x16xf32>) -> tensor<64xf32>
  %4:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>]>} %x, %w : tensor<4x8xf32>, tensor<8x4xf32>
  %5 = stablehlo.dot_general %4#0, %4#1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %6 = sdy.all_reduce {"x"} %5 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
  %7 = stablehlo.cosine %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
  return %t, %7 : tensor<64xf32>, tensor<4x4xf32>
}

// Two branches do not see each other; what only looks alike stays: other axes, other results, ops with effects.
// CHECK-LABEL: func.func @stays
func.func @stays(%c: tensor<i1>, %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: sdy.all_gather
  // CHECK: sdy.all_gather
  // CHECK: sdy.all_gather [{"y"}]
  // CHECK: sdy.all_gather
  // CHECK: sdy.all_gather
  %0 = "stablehlo.if"(%c) ({
    %1 = sdy.all_gather [{"x", "y"}] %x out_sharding=<@mesh, [{}]> : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }, {
    %1 = sdy.all_gather [{"x", "y"}] %x out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = stablehlo.negate %1 : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  %3 = sdy.all_gather [{"y"}] %x out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %4 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} %x : tensor<8xf32>
  %5 = stablehlo.custom_call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %6 = sdy.all_gather [{"x", "y"}] %5 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %7 = stablehlo.custom_call @f(%4) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %8 = sdy.all_gather [{"x", "y"}] %7 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %9 = stablehlo.add %6, %8 : tensor<8xf32>
  return %0, %3, %9 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
