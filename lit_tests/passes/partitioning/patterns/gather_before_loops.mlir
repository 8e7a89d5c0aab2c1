// RUN: sdy-opt %s "-sdy-reduce-communication=enable-patterns=gather-before-loops kept-bytes=1000000" | filecheck %s
// RUN: sdy-opt %s "-sdy-reduce-communication=enable-patterns=gather-before-loops kept-bytes=100" | filecheck %s --check-prefix=SMALL

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Two loops gather the slices of one tensor, the second behind a barrier and from the last to the first.
// CHECK-LABEL: func.func @forth_and_back
// CHECK-SAME: %[[W:arg0]]
// SMALL-LABEL: func.func @forth_and_back
func.func @forth_and_back(
    %w: tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: %[[WHOLE:.*]] = sdy.all_gather [{}, {"x"}, {"y"}] %[[W]] out_sharding=<@mesh, [{}, {}, {}]> : tensor<3x8x8xf32>
  // CHECK-NEXT: stablehlo.while
  // SMALL-NOT: tensor<3x8x8xf32>{{$}}
  %0:3 = stablehlo.while(%v = %w, %i = %zero, %y = %x) : tensor<3x8x8xf32>, tensor<i32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    // CHECK: do {
    // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[WHOLE]], %[[I:.*]], %[[ZERO:.*]], %[[ZERO]], sizes = [1, 8, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>}
    // CHECK-NEXT: %[[LAYER:.*]] = stablehlo.reshape %[[SLICE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
    // CHECK-NEXT: stablehlo.dot_general %{{.*}}, %[[LAYER]]
    // SMALL: sdy.all_gather [{"x"}, {"y"}] %{{.*}} : tensor<8x8xf32>
    %1 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 8, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}]>]>} : (tensor<3x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %3 = sdy.all_gather [{"x"}, {"y"}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %4 = stablehlo.dot_general %y, %3, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %4 : tensor<3x8x8xf32>, tensor<i32>, tensor<8x8xf32>
  }
  // CHECK: stablehlo.while
  %5:3 = stablehlo.while(%v = %0#0, %i = %zero, %y = %0#2) : tensor<3x8x8xf32>, tensor<i32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    // CHECK: do {
    // CHECK: %[[BACK:.*]] = stablehlo.subtract
    // CHECK-NEXT: %[[KEPT:.*]] = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} %[[Y:.*]] : tensor<8x8xf32>
    // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[WHOLE]], %[[BACK]], %[[ZERO]], %[[ZERO]], sizes = [1, 8, 8]
    // CHECK-NEXT: %[[LAYER:.*]] = stablehlo.reshape %[[SLICE]]
    // CHECK-NEXT: %[[BEHIND:.*]] = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} %[[LAYER]] : tensor<8x8xf32>
    // CHECK-NEXT: stablehlo.dot_general %[[KEPT]], %[[BEHIND]]
    // SMALL: sdy.all_gather [{"x"}, {"y"}] %{{.*}} : tensor<8x8xf32>
    %two = sdy.constant dense<2> : tensor<i32>
    %back = stablehlo.subtract %two, %i : tensor<i32>
    %row = stablehlo.dynamic_slice %v, %back, %zero, %zero, sizes = [1, 8, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {"y"}]>]>} : (tensor<3x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %6 = stablehlo.reshape %row {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %7:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {}]>]>} %6, %y : tensor<8x8xf32>, tensor<8x8xf32>
    %8 = sdy.all_gather [{"x"}, {"y"}] %7#0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %9 = stablehlo.dot_general %7#1, %8, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %9 : tensor<3x8x8xf32>, tensor<i32>, tensor<8x8xf32>
  }
  return %5#2 : tensor<8x8xf32>
}

// What is converted on the way is converted before it is sent.
// CHECK-LABEL: func.func @converted
func.func @converted(
    %w: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %x: tensor<1x8xbf16>) -> tensor<1x8xbf16> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: %[[CONVERTED:.*]] = stablehlo.convert %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<2x8xf32>) -> tensor<2x8xbf16>
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.all_gather [{}, {"x"}] %[[CONVERTED]] out_sharding=<@mesh, [{}, {}]> : tensor<2x8xbf16>
  // CHECK: do {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[WHOLE]], %{{.*}} : (tensor<2x8xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x8xbf16>
  // CHECK-NEXT: stablehlo.add %{{.*}}, %[[SLICE]]
  %0:3 = stablehlo.while(%v = %w, %i = %zero, %y = %x) : tensor<2x8xf32>, tensor<i32>, tensor<1x8xbf16> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, sizes = [1, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %2 = stablehlo.convert %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<1x8xf32>) -> tensor<1x8xbf16>
    %3 = sdy.all_gather [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xbf16>
    %4 = stablehlo.add %y, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x8xbf16>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %4 : tensor<2x8xf32>, tensor<i32>, tensor<1x8xbf16>
  }
  return %0#2 : tensor<1x8xbf16>
}

// One loop that takes every slice once sends no less if it gathers all at once.
// CHECK-LABEL: func.func @once
func.func @once(
    %w: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK-NOT: sdy.all_gather
  // CHECK: do {
  // CHECK: sdy.all_gather {{.*}} : tensor<1x8xf32>
  %0:3 = stablehlo.while(%v = %w, %i = %zero, %y = %x) : tensor<2x8xf32>, tensor<i32>, tensor<1x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<2> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, sizes = [1, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xf32>
    %3 = stablehlo.add %y, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %3 : tensor<2x8xf32>, tensor<i32>, tensor<1x8xf32>
  }
  return %0#2 : tensor<1x8xf32>
}

// A dimension that is gathered and sliced, and a tensor that changes.
// CHECK-LABEL: func.func @stays
func.func @stays(
    %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK-NOT: sdy.all_gather
  // CHECK: do {
  // CHECK: sdy.all_gather {{.*}} : tensor<8x4xf32>
  // CHECK: sdy.all_gather {{.*}} : tensor<4x8xf32>
  %0:4 = stablehlo.while(%v = %w, %u = %w, %i = %zero, %y = %x) : tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{}, {"x"}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %zero, %i, sizes = [8, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %3 = stablehlo.dynamic_slice %u, %i, %zero, sizes = [4, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %4 = sdy.all_gather [{}, {"x"}] %3 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
    %5 = stablehlo.dot_general %2, %4, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %6 = sdy.all_slice [{}, {"x"}] %5 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    %7 = stablehlo.add %y, %2 : tensor<8x4xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %6, %next, %7 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x4xf32>
  }
  return %0#3 : tensor<8x4xf32>
}

// What is sharded along the dimension of the slices would be moved to another one first: gathering it saves that, so that
// one loop is enough. It is so small that it fills no device.
// CHECK-LABEL: func.func @moved
// SMALL-LABEL: func.func @moved
func.func @moved(
    %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: %[[WHOLE:.*]] = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NOT: sdy.all_to_all
  // CHECK: do {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[WHOLE]]
  // CHECK-NEXT: stablehlo.add %{{.*}}, %[[SLICE]]
  // SMALL: sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %0:3 = stablehlo.while(%v = %w, %i = %zero, %y = %x) : tensor<8x8xf32>, tensor<i32>, tensor<1x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<8> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = sdy.all_to_all [{"x"}: 0->1] %v out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    %2 = stablehlo.dynamic_slice %1, %i, %zero, sizes = [1, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %3 = sdy.all_gather [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xf32>
    %4 = stablehlo.add %y, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %4 : tensor<8x8xf32>, tensor<i32>, tensor<1x8xf32>
  }
  return %0#2 : tensor<1x8xf32>
}

// It may also be moved, and transposed, in front of the loop. The loop alone needs that.
// CHECK-LABEL: func.func @moved_in_front
func.func @moved_in_front(
    %w: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: %[[WHOLE:.*]] = sdy.all_gather [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose %[[WHOLE]], dims = [1, 0] {{.*}}[{}, {}]
  // CHECK: do {
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[TURNED]]
  // CHECK-NEXT: stablehlo.add %{{.*}}, %[[SLICE]]
  %moved = sdy.all_to_all [{"x"}: 1->0] %w out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  %turned = stablehlo.transpose %moved, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %0:3 = stablehlo.while(%v = %turned, %i = %zero, %y = %x) : tensor<8x4xf32>, tensor<i32>, tensor<1x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<8> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, sizes = [1, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<1x4xf32>
    %3 = stablehlo.add %y, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x4xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %3 : tensor<8x4xf32>, tensor<i32>, tensor<1x4xf32>
  }
  return %0#2 : tensor<1x4xf32>
}

// The loop needs what was moved for something else, too.
// CHECK-LABEL: func.func @moved_in_front_for_more
func.func @moved_in_front_for_more(
    %w: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: sdy.all_to_all
  // CHECK: do {
  // CHECK: sdy.all_gather {{.*}} : tensor<1x4xf32>
  %moved = sdy.all_to_all [{"x"}: 1->0] %w out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x8xf32>
  %turned = stablehlo.transpose %moved, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %0:4 = stablehlo.while(%v = %turned, %i = %zero, %y = %x, %z = %x) : tensor<8x4xf32>, tensor<i32>, tensor<1x4xf32>, tensor<1x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, []>, <@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<8> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %v, %i, %zero, sizes = [1, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<1x4xf32>
    %3 = stablehlo.add %y, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x4xf32>
    %4 = stablehlo.dynamic_slice %v, %zero, %zero, sizes = [1, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %5 = stablehlo.add %z, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<1x4xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %3, %5 : tensor<8x4xf32>, tensor<i32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
  return %0#2, %0#3 : tensor<1x4xf32>, tensor<1x4xf32>
}

// What is moved for others as well is moved anyway.
// CHECK-LABEL: func.func @moved_for_others
func.func @moved_for_others(
    %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %x: tensor<1x8xf32>, %z: tensor<8x8xf32>) -> tensor<1x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK-NOT: sdy.all_gather
  // CHECK: do {
  // CHECK: sdy.all_to_all
  // CHECK: sdy.all_gather {{.*}} : tensor<1x8xf32>
  %0:4 = stablehlo.while(%v = %w, %i = %zero, %y = %x, %u = %z) : tensor<8x8xf32>, tensor<i32>, tensor<1x8xf32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>, <@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>]>}
    cond {
    %end = sdy.constant dense<8> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = sdy.all_to_all [{"x"}: 0->1] %v out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    %2 = stablehlo.dynamic_slice %1, %i, %zero, sizes = [1, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %3 = sdy.all_gather [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<1x8xf32>
    %4 = stablehlo.add %y, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<1x8xf32>
    %5 = stablehlo.add %u, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %v, %next, %4, %5 : tensor<8x8xf32>, tensor<i32>, tensor<1x8xf32>, tensor<8x8xf32>
  }
  return %0#2 : tensor<1x8xf32>
}

// So it is if the loops use the tensor from outside, rather than hand it on.
// CHECK-LABEL: func.func @from_outside
// CHECK-SAME: %[[W:arg0]]
func.func @from_outside(
    %w: tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: %[[WHOLE:.*]] = sdy.all_gather [{}, {"x"}, {}] %[[W]] out_sharding=<@mesh, [{}, {}, {}]> : tensor<3x8x8xf32>
  // CHECK-NEXT: stablehlo.while
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    // CHECK: stablehlo.dynamic_slice %[[WHOLE]]
    // CHECK-NOT: sdy.all_gather
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 8, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %2 = sdy.all_gather [{}, {"x"}, {}] %1 out_sharding=<@mesh, [{}, {}, {}]> : tensor<1x8x8xf32>
    %3 = stablehlo.reshape %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.add %y, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %4 : tensor<i32>, tensor<8x8xf32>
  }
  // CHECK: stablehlo.while
  %5:2 = stablehlo.while(%i = %zero, %y = %0#1) : tensor<i32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
    %end = sdy.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    // CHECK: stablehlo.dynamic_slice %[[WHOLE]]
    // CHECK-NOT: sdy.all_gather
    %6 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 8, 8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<3x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %7 = sdy.all_gather [{}, {"x"}, {}] %6 out_sharding=<@mesh, [{}, {}, {}]> : tensor<1x8x8xf32>
    %8 = stablehlo.reshape %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.multiply %y, %8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %9 : tensor<i32>, tensor<8x8xf32>
  }
  return %5#1 : tensor<8x8xf32>
}
