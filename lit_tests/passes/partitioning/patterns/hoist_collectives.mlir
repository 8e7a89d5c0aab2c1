// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=hoist-collectives | filecheck %s
// RUN: sdy-opt %s "-sdy-reduce-communication=enable-patterns=hoist-collectives kept-bytes=8388608" | filecheck %s --check-prefix=MANY

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A loop variable that never changes, and a value from outside behind an op that moves with the collective.
// CHECK-LABEL: func.func @invariant
func.func @invariant(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<8xf32>, %arg3: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A:.*]] = sdy.all_gather [{"x"}] %arg0
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
  // CHECK-NEXT: %[[B:.*]] = sdy.all_gather [{"x"}] %[[N]]
  // CHECK-NEXT: stablehlo.while
  // CHECK: do {
  // CHECK-NOT: all_gather
  // CHECK: stablehlo.add %[[A]], %[[B]]
  %0:3 = stablehlo.while(%x = %arg0, %sum = %arg2, %c = %arg3) : tensor<8xf32>, tensor<8xf32>, tensor<i1> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{}]>, <@mesh, []>]>}
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = sdy.all_gather [{"x"}] %x out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    %3 = sdy.all_gather [{"x"}] %2 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %4 = stablehlo.add %1, %3 : tensor<8xf32>
    stablehlo.return %x, %4, %c : tensor<8xf32>, tensor<8xf32>, tensor<i1>
  }
  return %0#1 : tensor<8xf32>
}

// A variable that changes is sent in every round.
// CHECK-LABEL: func.func @changes
func.func @changes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK: do {
  // CHECK: sdy.all_gather
  %0:2 = stablehlo.while(%x = %arg0, %c = %arg1) : tensor<8xf32>, tensor<i1> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>}
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = sdy.all_gather [{"x"}] %x out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = stablehlo.negate %1 : tensor<8xf32>
    %3 = sdy.all_slice [{"x"}] %2 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    stablehlo.return %3, %c : tensor<8xf32>, tensor<i1>
  }
  return %0#0 : tensor<8xf32>
}

// A large tensor is gathered in each round where holding it would raise the peak, which is elsewhere in the round.
// CHECK-LABEL: func.func @large
// MANY-LABEL: func.func @large
func.func @large(
    %arg0: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<1024xf32>) -> tensor<1024xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: do {
  // CHECK: sdy.all_gather
  // MANY: sdy.all_gather
  // MANY: do {
  %0:3 = stablehlo.while(%w = %arg0, %i = %zero, %y = %arg1) : tensor<1024x1024xf32>, tensor<i32>, tensor<1024xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>, <@mesh, [{}]>]>}
    cond {
    %end = sdy.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = sdy.all_gather [{"x"}, {}] %w out_sharding=<@mesh, [{}, {}]> : tensor<1024x1024xf32>
    %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %3 = stablehlo.dot_general %2, %2, contracting_dims = [] x [] : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
    %4 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %w, %next, %4 : tensor<1024x1024xf32>, tensor<i32>, tensor<1024xf32>
  }
  return %0#2 : tensor<1024xf32>
}

// Where nothing else is held at the peak, it may as well be held for all rounds.
// CHECK-LABEL: func.func @large_alone
func.func @large_alone(
    %arg0: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<1024xf32>) -> tensor<1024xf32> {
  %zero = sdy.constant dense<0> : tensor<i32>
  %one = sdy.constant dense<1> : tensor<i32>
  // CHECK: sdy.all_gather
  // CHECK: do {
  // CHECK-NOT: sdy.all_gather
  %0:3 = stablehlo.while(%w = %arg0, %i = %zero, %y = %arg1) : tensor<1024x1024xf32>, tensor<i32>, tensor<1024xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>, <@mesh, [{}]>]>}
    cond {
    %end = sdy.constant dense<4> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = sdy.all_gather [{"x"}, {}] %w out_sharding=<@mesh, [{}, {}]> : tensor<1024x1024xf32>
    %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %w, %next, %2 : tensor<1024x1024xf32>, tensor<i32>, tensor<1024xf32>
  }
  return %0#2 : tensor<1024xf32>
}
