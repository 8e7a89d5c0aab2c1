// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=place-all-reduces | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// One all_reduce of a sum instead of a sum of two.
// CHECK-LABEL: func.func @sum_of_two
func.func @sum_of_two(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %[[ADD]] out_sharding=<@mesh, [{}]>
  // CHECK-NEXT: return %[[SUM]]
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = sdy.all_reduce {"x"} %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Sums over different axes do not mix.
// CHECK-LABEL: func.func @other_axes
func.func @other_axes(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}) -> tensor<8xf32> {
  // CHECK: sdy.all_reduce {"x"} %arg0
  // CHECK: sdy.all_reduce {"y"} %arg1
  // CHECK-NEXT: stablehlo.add
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = sdy.all_reduce {"y"} %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The place is as early as possible if that costs no more.
// CHECK-LABEL: func.func @nothing_to_gain
func.func @nothing_to_gain(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: sdy.all_reduce {"x"} %arg0
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: stablehlo.transpose
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.negate %0 : tensor<8x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// What takes less of a sum goes first.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> tensor<2x4xf32> {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %arg0 [2:4, 0:4]
  // CHECK-NEXT: sdy.all_reduce {"x"} %[[SLICE]] out_sharding=<@mesh, [{}, {}]> : tensor<2x4xf32>
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.slice %0 [2:4, 0:4] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// The slice of a transposed sum: what one device needs is scattered to it.
// CHECK-LABEL: func.func @scattered
func.func @scattered(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg0
  // CHECK-NEXT: sdy.reduce_scatter [{"x"}, {}] %[[T]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  // CHECK-NEXT: return
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = sdy.all_slice [{"x"}, {}] %1 out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Three of the four equal parts would be padding, so a device sends more to scatter than to add up.
// CHECK-LABEL: func.func @scattered_with_padding
func.func @scattered_with_padding(%arg0: tensor<1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> tensor<4x1xf32> {
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]>
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[SUM]]
  // CHECK-NEXT: sdy.all_slice [{}, {"x"}] %[[T]] out_sharding=<@mesh, [{}, {"x"}]>
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<1x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>
  %2 = sdy.all_slice [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// Along the other axes of the sum an all_reduce of the smaller shard is left, and a slice along more axes.
// CHECK-LABEL: func.func @scattered_along_one_axis
func.func @scattered_along_one_axis(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[R:.*]] = sdy.reduce_scatter [{"y"}, {}] %arg0 out_sharding=<@mesh, [{"y"}, {}], unreduced={"x"}>
  // CHECK-NEXT: %[[A:.*]] = sdy.all_reduce {"x"} %[[R]] out_sharding=<@mesh, [{"y"}, {}]>
  // CHECK-NEXT: return %[[A]]
  %0 = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %1 = sdy.all_slice [{"y"}, {}] %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// A value that is no sum counts once.
// CHECK-LABEL: func.func @sum_and_other
func.func @sum_and_other(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<2xf32> {
  // CHECK-NEXT: %[[ONCE:.*]] = sdy.replicated_to_unreduced {"x"} %arg1 out_sharding=<@mesh, [{}], unreduced={"x"}>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[ONCE]]
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[ADD]]
  // CHECK-NEXT: sdy.all_reduce {"x"} %[[SLICE]]
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.add %0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  %2 = stablehlo.slice %1 [0:2] : (tensor<8xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// A loop adds up parts, which are reduced once behind it.
// CHECK-LABEL: func.func @loop
func.func @loop(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<i32>) -> tensor<4xf32> {
  %zero = sdy.constant dense<0.0> : tensor<4xf32>
  %scalar = sdy.constant dense<0.0> : tensor<f32>
  // CHECK: %[[WHILE:.*]]:2 = stablehlo.while(%[[SUM:.*]] = %{{.*}}, %{{.*}} = %arg1)
  // CHECK-SAME: attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>, <@mesh, []>]>}
  %0:2 = stablehlo.while(%sum = %zero, %i = %arg1) : tensor<4xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, []>]>}
    cond {
    %1 = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    // CHECK: %[[PART:.*]] = stablehlo.reduce
    // CHECK-NEXT: %[[NEXT:.*]] = stablehlo.add %[[SUM]], %[[PART]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>}
    // CHECK-NEXT: stablehlo.return %[[NEXT]]
    %1 = stablehlo.reduce(%arg0 init: %scalar) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}]> : tensor<4xf32>
    %3 = stablehlo.add %sum, %2 : tensor<4xf32>
    stablehlo.return %3, %i : tensor<4xf32>, tensor<i32>
  }
  // CHECK: %[[R:.*]] = sdy.all_reduce {"x"} %[[WHILE]]#0 out_sharding=<@mesh, [{}]>
  // CHECK-NEXT: return %[[R]]
  return %0#0 : tensor<4xf32>
}

// A loop that looks at the sum in every round needs it in every round.
// CHECK-LABEL: func.func @loop_that_looks
func.func @loop_that_looks(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<i1>) -> tensor<4xf32> {
  %zero = sdy.constant dense<0.0> : tensor<4xf32>
  %scalar = sdy.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%sum = %zero, %i = %arg1) : tensor<4xf32>, tensor<i1> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, []>]>}
    cond {
    stablehlo.return %i : tensor<i1>
  } do {
    // CHECK: stablehlo.reduce
    // CHECK-NEXT: sdy.all_reduce {"x"}
    %1 = stablehlo.reduce(%arg0 init: %scalar) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}]> : tensor<4xf32>
    %3 = stablehlo.tanh %sum : tensor<4xf32>
    %4 = stablehlo.add %3, %2 : tensor<4xf32>
    stablehlo.return %4, %i : tensor<4xf32>, tensor<i1>
  }
  return %0#0 : tensor<4xf32>
}

// A maximum is no sum.
// CHECK-LABEL: func.func @maximum
func.func @maximum(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) -> tensor<8xf32> {
  // CHECK: sdy.all_reduce max {"x"} %arg0
  // CHECK: sdy.all_reduce max {"x"} %arg1
  %0 = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = sdy.all_reduce max {"x"} %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A product with an unknown number is taken of the sum: it may be infinite, and a part may be 0.
// CHECK-LABEL: func.func @product
func.func @product(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %arg1: tensor<8xf32>) -> tensor<2xf32> {
  // CHECK: sdy.all_reduce {"x"} %arg0 {{.*}} : tensor<8xf32>
  // CHECK-NEXT: stablehlo.multiply
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.multiply %0, %arg1 : tensor<8xf32>
  %2 = stablehlo.slice %1 [0:2] : (tensor<8xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// What is summed over several axes one after the other is summed at once.
// CHECK-LABEL: func.func @one_after_the_other
func.func @one_after_the_other(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[R:.*]] = sdy.all_reduce {"x", "y"} %arg0 out_sharding=<@mesh, [{}]>
  // CHECK-NEXT: return %[[R]]
  %0 = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// To scatter a sum costs half of what it costs to add it up on all devices: two scatters are as much, and the part that
// is wanted as a whole makes them more.
// CHECK-LABEL: func.func @scattered_twice
func.func @scattered_twice(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>) {
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %arg0
  // CHECK-NEXT: sdy.all_slice [{"x"}, {}] %[[SUM]]
  // CHECK-NEXT: sdy.all_slice [{}, {"x"}] %[[SUM]]
  // CHECK-NEXT: stablehlo.slice %[[SUM]]
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %2 = sdy.all_slice [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x4xf32>
  %3 = stablehlo.slice %0 [2:4, 0:4] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return %1, %2, %3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>
}

// One scatter, and the part as a whole, cost less than the sum on all devices.
// CHECK-LABEL: func.func @scattered_and_small
func.func @scattered_and_small(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> (tensor<8x4xf32>, tensor<2x4xf32>) {
  // CHECK-NEXT: sdy.reduce_scatter [{"x"}, {}] %arg0
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %arg0
  // CHECK-NEXT: sdy.all_reduce {"x"} %[[SLICE]]
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %2 = stablehlo.slice %0 [2:4, 0:4] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<2x4xf32>
}

// A loop that stacks sums sends the same bytes wherever they are added up. Large ones are added up in each round, since
// the parts of all of them and the sums would be there at once; small ones behind the loop, with one op.
// CHECK-LABEL: func.func @stacked
func.func @stacked(%arg0: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg3: tensor<256x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg4: tensor<8x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<3x256x512xf32>, tensor<3x4x4xf32>) {
  // CHECK: %[[LOOP:.*]]:3 = stablehlo.while
  // CHECK: %[[LARGE:.*]] = stablehlo.dot_general {{.*}} -> tensor<256x512xf32>
  // CHECK: sdy.all_reduce {"x"} %[[LARGE]] out_sharding=<@mesh, [{}, {}]> : tensor<256x512xf32>
  // CHECK-NOT: sdy.all_reduce
  // CHECK: stablehlo.return
  // CHECK: %[[SMALL:.*]] = sdy.all_reduce {"x"} %[[LOOP]]#2 out_sharding=<@mesh, [{}, {}, {}]> : tensor<3x4x4xf32>
  // CHECK-NEXT: return %[[LOOP]]#1, %[[SMALL]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %l = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} dense<0.0> : tensor<3x256x512xf32>
  %s = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} dense<0.0> : tensor<3x4x4xf32>
  %0:3 = stablehlo.while(%i = %zero, %large = %l, %small = %s) : tensor<i32>, tensor<3x256x512xf32>, tensor<3x4x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>]>}
    cond {
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<256x8xf32>, tensor<8x512xf32>) -> tensor<256x512xf32>
    %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<256x512xf32>
    %3 = stablehlo.reshape %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<256x512xf32>) -> tensor<1x256x512xf32>
    %4 = stablehlo.dynamic_update_slice %large, %3, %i, %zero, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<3x256x512xf32>, tensor<1x256x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x256x512xf32>
    %5 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %6 = sdy.all_reduce {"x"} %5 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %7 = stablehlo.reshape %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %8 = stablehlo.dynamic_update_slice %small, %7, %i, %zero, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %4, %8 : tensor<i32>, tensor<3x256x512xf32>, tensor<3x4x4xf32>
  }
  return %0#1, %0#2 : tensor<3x256x512xf32>, tensor<3x4x4xf32>
}
