// RUN: sdy-opt %s --sdy-populate-chlo-sharding-rules | filecheck %s

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
