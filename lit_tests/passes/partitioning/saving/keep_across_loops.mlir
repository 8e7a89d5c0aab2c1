// RUN: sdy-opt %s --sdy-keep-across-loops='kept-bytes=1000000' | filecheck %s
// RUN: sdy-opt %s --sdy-keep-across-loops='kept-bytes=20' | filecheck %s --check-prefix=SMALL

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The second loop starts from what the first one had at the beginning of a round, and computes the round once more.
// CHECK-LABEL: func.func @recomputed
// SMALL-LABEL: func.func @recomputed
func.func @recomputed(
    %w: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  %rows = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} dense<0.000000e+00> : tensor<3x4x8xf32>
  // CHECK: %[[NOTHING:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} dense<0.000000e+00> : tensor<3x4x4xf32>
  // CHECK-NEXT: %[[LOOP:.*]]:5 = stablehlo.while(%{{.*}}, %[[KEPT:.*]] = %[[NOTHING]])
  // CHECK-SAME: <@mesh, [{}, {}, {}]>]>}
  // SMALL-NOT: tensor<3x4x4xf32>
  %0:4 = stablehlo.while(%v = %w, %i = %zero, %y = %x, %saved = %rows) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    // CHECK: do {
    // CHECK: %[[SUM:.*]] = sdy.all_reduce {"x"} %{{.*}} out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    // CHECK-NEXT: %[[ROW:.*]] = stablehlo.reshape %[[SUM]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    // CHECK-NEXT: %[[ZERO:.*]] = sdy.constant dense<0> : tensor<i32>
    // CHECK-NEXT: %[[MORE:.*]] = stablehlo.dynamic_update_slice %[[KEPT]], %[[ROW]], %[[I:.*]], %[[ZERO]], %[[ZERO]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>}
    // CHECK: stablehlo.return %{{.*}}, %[[MORE]]
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.dot_general %y, %2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %5 = stablehlo.sine %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %6 = stablehlo.dot_general %5, %2, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.reshape %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %8 = stablehlo.dynamic_update_slice %saved, %7, %i, %zero, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %6, %8 : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  // CHECK: stablehlo.while
  // SMALL: stablehlo.while
  // SMALL: stablehlo.while
  %9:4 = stablehlo.while(%v = %w, %i = %zero, %g = %0#2, %saved = %0#3) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    // CHECK: do {
    // CHECK: %[[BACK:.*]] = stablehlo.subtract
    // CHECK-NOT: sdy.all_reduce
    // CHECK: %[[ROW:.*]] = stablehlo.dynamic_slice %[[LOOP]]#4, %[[BACK]], %{{.*}}, %{{.*}}, sizes = [1, 4, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>}
    // CHECK-NEXT: %[[SUM:.*]] = stablehlo.reshape %[[ROW]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
    // CHECK-NEXT: stablehlo.cosine %[[SUM]]
    // SMALL: sdy.all_reduce
    // SMALL-NEXT: stablehlo.cosine
    %two = sdy.constant dense<2> : tensor<i32>
    %back = stablehlo.subtract %two, %i : tensor<i32>
    %10 = stablehlo.dynamic_slice %saved, %back, %zero, %zero, sizes = [1, 4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %11 = stablehlo.reshape %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %12 = stablehlo.dynamic_slice %v, %back, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %13 = stablehlo.reshape %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %14:3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>]>} %11, %13, %g : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
    %15 = stablehlo.dot_general %14#0, %14#1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %16 = sdy.all_reduce {"x"} %15 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %17 = stablehlo.cosine %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %18 = stablehlo.dot_general %17, %14#1, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %19 = stablehlo.multiply %14#2, %18 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %19, %saved : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  return %9#2 : tensor<4x8xf32>
}

// A row that does not exist in the first round, 3 - 0, is the last one there; the other operands may not be.
// CHECK-LABEL: func.func @another_row
func.func @another_row(
    %w: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  %rows = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} dense<0.000000e+00> : tensor<3x4x8xf32>
  %0:4 = stablehlo.while(%v = %w, %i = %zero, %y = %x, %saved = %rows) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.dot_general %y, %2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %5 = stablehlo.sine %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %6 = stablehlo.dot_general %5, %2, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.reshape %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %8 = stablehlo.dynamic_update_slice %saved, %7, %i, %zero, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %6, %8 : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  %9:4 = stablehlo.while(%v = %w, %i = %zero, %g = %0#2, %saved = %0#3) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %two = sdy.constant dense<3> : tensor<i32>
    %back = stablehlo.subtract %two, %i : tensor<i32>
    %10 = stablehlo.dynamic_slice %saved, %back, %zero, %zero, sizes = [1, 4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %11 = stablehlo.reshape %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %12 = stablehlo.dynamic_slice %v, %back, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %13 = stablehlo.reshape %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %14:3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>]>} %11, %13, %g : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
    %15 = stablehlo.dot_general %14#0, %14#1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    // CHECK: stablehlo.optimization_barrier
    // CHECK: sdy.all_reduce
    // CHECK-NEXT: stablehlo.cosine
    %16 = sdy.all_reduce {"x"} %15 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %17 = stablehlo.cosine %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %18 = stablehlo.dot_general %17, %14#1, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %19 = stablehlo.multiply %14#2, %18 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %19, %saved : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  return %9#2 : tensor<4x8xf32>
}

// What is computed again is not the same.
// CHECK-LABEL: func.func @other_weights
func.func @other_weights(
    %w: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %u: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  %rows = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} dense<0.000000e+00> : tensor<3x4x8xf32>
  %0:4 = stablehlo.while(%v = %w, %i = %zero, %y = %x, %saved = %rows) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.dot_general %y, %2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %5 = stablehlo.sine %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %6 = stablehlo.dot_general %5, %2, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.reshape %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %8 = stablehlo.dynamic_update_slice %saved, %7, %i, %zero, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %6, %8 : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  %9:4 = stablehlo.while(%v = %u, %i = %zero, %g = %0#2, %saved = %0#3) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %two = sdy.constant dense<2> : tensor<i32>
    %back = stablehlo.subtract %two, %i : tensor<i32>
    %10 = stablehlo.dynamic_slice %saved, %back, %zero, %zero, sizes = [1, 4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %11 = stablehlo.reshape %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %12 = stablehlo.dynamic_slice %v, %back, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %13 = stablehlo.reshape %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %14:3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>]>} %11, %13, %g : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
    %15 = stablehlo.dot_general %14#0, %14#1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    // CHECK: stablehlo.optimization_barrier
    // CHECK: sdy.all_reduce
    // CHECK-NEXT: stablehlo.cosine
    %16 = sdy.all_reduce {"x"} %15 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %17 = stablehlo.cosine %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %18 = stablehlo.dot_general %17, %14#1, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %19 = stablehlo.multiply %14#2, %18 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %19, %saved : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  return %9#2 : tensor<4x8xf32>
}

// The first loop writes every other row only.
// CHECK-LABEL: func.func @some_rows
func.func @some_rows(
    %w: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<2> : tensor<i32>
  %rows = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} dense<0.000000e+00> : tensor<3x4x8xf32>
  %0:4 = stablehlo.while(%v = %w, %i = %zero, %y = %x, %saved = %rows) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.dot_general %y, %2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %5 = stablehlo.sine %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %6 = stablehlo.dot_general %5, %2, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.reshape %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %8 = stablehlo.dynamic_update_slice %saved, %7, %i, %zero, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %6, %8 : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  %9:4 = stablehlo.while(%v = %w, %i = %zero, %g = %0#2, %saved = %0#3) : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %two = sdy.constant dense<2> : tensor<i32>
    %back = stablehlo.subtract %two, %i : tensor<i32>
    %10 = stablehlo.dynamic_slice %saved, %back, %zero, %zero, sizes = [1, 4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %11 = stablehlo.reshape %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %12 = stablehlo.dynamic_slice %v, %back, %zero, %zero, sizes = [1, 8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %13 = stablehlo.reshape %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %14:3 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>]>} %11, %13, %g : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
    %15 = stablehlo.dot_general %14#0, %14#1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    // CHECK: stablehlo.optimization_barrier
    // CHECK: sdy.all_reduce
    // CHECK-NEXT: stablehlo.cosine
    %16 = sdy.all_reduce {"x"} %15 out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %17 = stablehlo.cosine %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x4xf32>
    %18 = stablehlo.dot_general %17, %14#1, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
    %19 = stablehlo.multiply %14#2, %18 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %19, %saved : tensor<3x8x4xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x4x8xf32>
  }
  return %9#2 : tensor<4x8xf32>
}
