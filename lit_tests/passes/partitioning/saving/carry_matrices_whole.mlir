// RUN: sdy-opt %s --split-input-file --sdy-carry-matrices-whole | filecheck %s
// RUN: sdy-opt %s --split-input-file --sdy-carry-matrices-whole="machine='flops=1e6 bandwidth=1e12'" | filecheck %s --check-prefix=SLOW

// The matrix is gathered in front of the loop: what sums over it takes the whole as well, what does not stays.
// CHECK-LABEL: func.func @decomposed
// CHECK-SAME: %arg0: tensor<8x8xf32>
// CHECK-NEXT: %[[WHOLE:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK: stablehlo.reduce(%[[WHOLE]] init:
// CHECK: stablehlo.multiply %[[WHOLE]],
// CHECK: stablehlo.while
// CHECK-SAME: attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, []>]>}
// CHECK: stablehlo.dot_general %[[WHOLE]], %[[WHOLE]]
// CHECK: stablehlo.tanh %arg0
// SLOW-LABEL: func.func @decomposed
// SLOW-NOT: sdy.sharding
// SLOW-LABEL: func.func @batch
sdy.mesh @mesh = <["x"=4]>
func.func @decomposed(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  %scale = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %scaled = stablehlo.multiply %arg0, %scale : tensor<8x8xf32>
  %loop:2 = stablehlo.while(%m = %scaled, %k = %i) : tensor<8x8xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %next = stablehlo.add %k, %one : tensor<i32>
    %padded = stablehlo.pad %m, %z, low = [0, 0], high = [8, 0], interior = [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<16x8xf32>
    %qr:2 = stablehlo.custom_call @Qr(%padded) : (tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<8xf32>)
    %r = stablehlo.slice %qr#0 [0:8, 0:8] : (tensor<16x8xf32>) -> tensor<8x8xf32>
    %product = stablehlo.dot_general %r, %m, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %product, %next : tensor<8x8xf32>, tensor<i32>
  }
  %gram = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %other = stablehlo.tanh %arg0 : tensor<8x8xf32>
  return %loop#0, %gram, %other : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The batch is sharded as it comes. Calls of libraries say by their rule what they need.
// CHECK-LABEL: func.func @batch
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{?}, {}, {}]>
// CHECK: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {}, {}]>, <@mesh, []>]>
sdy.mesh @mesh = <["x"=4]>
func.func @batch(%arg0: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %loop:2 = stablehlo.while(%m = %arg0, %k = %i) : tensor<4x8x8xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %k, %one : tensor<i32>
    %turned = stablehlo.transpose %m, dims = [0, 2, 1] : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %q:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%turned) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=4, j=8, k=8, l=8, m=8, n=8}, custom>} : (tensor<4x8x8xf32>) -> (tensor<4x8x8xf32>, tensor<4x8xf32>)
    stablehlo.return %q#0, %next : tensor<4x8x8xf32>, tensor<i32>
  }
  return %loop#0 : tensor<4x8x8xf32>
}

// -----

// A long matrix, one that is not decomposed but multiplied, and a loop that has a sharding stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT: sdy.sharding_constraint
// CHECK: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, []>]>
// CHECK-NOT: sdy.sharding
sdy.mesh @mesh = <["x"=4]>
func.func @others(%arg0: tensor<8x8xf32>, %arg1: tensor<64x8xf32>) -> (tensor<8x8xf32>, tensor<64x8xf32>) {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %given:3 = stablehlo.while(%m = %arg0, %l = %arg1, %k = %i) : tensor<8x8xf32>, tensor<64x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, []>]>}
  cond {
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %q = stablehlo.cholesky %m, lower = true : tensor<8x8xf32>
    stablehlo.return %q, %l, %k : tensor<8x8xf32>, tensor<64x8xf32>, tensor<i32>
  }
  %loop:3 = stablehlo.while(%m = %arg0, %l = %arg1, %k = %i) : tensor<8x8xf32>, tensor<64x8xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %k, %one : tensor<i32>
    %q:2 = stablehlo.custom_call @Qr(%l) : (tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<8xf32>)
    %product = stablehlo.dot_general %m, %m, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %product, %q#0, %next : tensor<8x8xf32>, tensor<64x8xf32>, tensor<i32>
  }
  return %loop#0, %loop#1 : tensor<8x8xf32>, tensor<64x8xf32>
}
