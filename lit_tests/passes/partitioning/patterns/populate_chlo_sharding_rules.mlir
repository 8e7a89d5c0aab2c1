// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=chlo-sharding-rules | filecheck %s

// Every element by itself.
// CHECK-LABEL: func.func @pointwise
func.func @pointwise(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: chlo.square %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>}
  %0 = chlo.square %arg0 : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: chlo.next_after {{.*}} {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>}
  %1 = chlo.next_after %0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// The dimension that is searched is needed as a whole.
// CHECK-LABEL: func.func @top_k
func.func @top_k(%arg0: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k], [i, k]) {i=4, j=8, k=3} need_replication={j, k}>
  %0:2 = chlo.top_k(%arg0, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<4x3xi32>
}

// A rule that is there stays.
// CHECK-LABEL: func.func @own_rule
func.func @own_rule(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: chlo.square %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, j]) {i=4, j=8, k=8}, custom>}
  %0 = chlo.square %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, j]) {i=4, j=8, k=8}, custom>} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Broadcasting ops, whose shapes differ, have none.
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%arg0: tensor<8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: sharding_rule
  %0 = chlo.broadcast_add %arg0, %arg1 : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The scanned dimension is needed as a whole; a body that mixes elements of a slice needs the others, too.
// CHECK-LABEL: func.func @scan
func.func @scan(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i])->([i, j], [i]) {i=4, j=8} need_replication={j}>
  %0:2 = chlo.scan(%arg0) inits (%arg1) dimension=1 attributes {is_associative = false, is_reverse = false} {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %2 = stablehlo.subtract %x, %y : tensor<4xf32>
    stablehlo.return %2, %x : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  // CHECK: is_reverse = true} {
  %1:2 = chlo.scan(%arg0) inits (%arg1) dimension=1 attributes {is_associative = false, is_reverse = true} {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %2 = stablehlo.reverse %y, dims = [0] : tensor<4xf32>
    stablehlo.return %2, %x : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  return %0#0, %1#0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Rows are computed where they are, groups of rows add up.
// CHECK-LABEL: func.func @ragged_rows
func.func @ragged_rows(%arg0: tensor<8x6xf32>, %arg1: tensor<3x6x4xf32>, %arg2: tensor<3xi32>) -> tensor<8x4xf32> {
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [l, k, j], [m])->([i, j]) {i=8, j=4, k=6, l=3, m=3} reduction={k, l} need_replication={m}>
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x6xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Groups that are summed by themselves are in the result, sharded as their sizes; with sizes for each of a batch they
// are not taken apart.
// CHECK-LABEL: func.func @ragged_columns
func.func @ragged_columns(%arg0: tensor<8x6xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<3xi32>, %arg3: tensor<2x8x6xf32>, %arg4: tensor<2x8x4xf32>, %arg5: tensor<2x3xi32>) -> (tensor<3x6x4xf32>, tensor<3x2x6x4xf32>) {
  // CHECK: #sdy.op_sharding_rule<([k, i], [k, j], [l])->([l, i, j]) {i=6, j=4, k=8, l=3} reduction={k}>
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<8x6xf32>, tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x6x4xf32>
  // CHECK: #sdy.op_sharding_rule<([i, l, j], [i, l, k], [i, n])->([m, i, j, k]) {i=2, j=6, k=4, l=8, m=3, n=3} reduction={l} need_replication={m, n}>
  %1 = "chlo.ragged_dot"(%arg3, %arg4, %arg5) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}> : (tensor<2x8x6xf32>, tensor<2x8x4xf32>, tensor<2x3xi32>) -> tensor<3x2x6x4xf32>
  return %0, %1 : tensor<3x6x4xf32>, tensor<3x2x6x4xf32>
}

// The batch of matrices passes through, and right hand sides of which there are more than unknowns.
// CHECK-LABEL: func.func @matrices
func.func @matrices(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x8xf32>, %arg2: tensor<2x4x3xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x3xf32>, tensor<2x4x4xf32>) {
  // CHECK: @LuDecomposition(%arg0) {{.*}}<([i, j, k])->([i, l, m], [i, n], [i, o]) {i=2, j=4, k=4, l=4, m=4, n=4, o=4} need_replication={j, k, l, m, n, o}>
  %0:3 = stablehlo.custom_call @LuDecomposition(%arg0) : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2x4xi32>)
  // CHECK: <([i, k, l], [i, m, j])->([i, n, j]) {i=2, j=8, k=4, l=4, m=4, n=4} need_replication={k, l, m, n}>
  %1 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: <([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=3, n=4, o=3} need_replication={j, k, l, m, n, o}>
  %2 = "stablehlo.triangular_solve"(%arg0, %arg2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %1, %2, %0#0 : tensor<2x4x8xf32>, tensor<2x4x3xf32>, tensor<2x4x4xf32>
}

// Of a matrix in compressed rows with another one the columns pass through, if the result is no larger than that;
// nothing propagates along them.
// CHECK-LABEL: func.func @compressed_rows
func.func @compressed_rows(%arg0: tensor<9xf32>, %arg1: tensor<5xi32>, %arg2: tensor<9xi32>, %arg3: tensor<8x6xf32>, %arg4: tensor<2x6xf32>, %arg5: tensor<8xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>) {
  // CHECK: <([j], [k], [l], [m, i])->([n, i]) {i=6, j=9, k=5, l=9, m=8, n=4} need_replication={j, k, l, m, n} blocked_propagation={i}>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%arg0, %arg1, %arg2, %arg3) : (tensor<9xf32>, tensor<5xi32>, tensor<9xi32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  // CHECK: <([i], [j], [k], [l, m])->([n, o]) {i=9, j=5, k=9, l=2, m=6, n=4, o=6} need_replication={i, j, k, l, m, n, o}>
  %1 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%arg0, %arg1, %arg2, %arg4) : (tensor<9xf32>, tensor<5xi32>, tensor<9xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  // CHECK: <([i], [j], [k], [l])->([m]) {i=9, j=5, k=9, l=8, m=4} need_replication={i, j, k, l, m}>
  %2 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%arg0, %arg1, %arg2, %arg5) : (tensor<9xf32>, tensor<5xi32>, tensor<9xi32>, tensor<8xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>
}
