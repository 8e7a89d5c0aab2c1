// RUN: sdy-opt %s --sdy-basic-propagate='conservative-propagation=true' | filecheck %s

sdy.mesh @mesh = <["a"=4, "b"=2]>

// No op passes parts of axes on, not even one that passes everything on.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>})
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, ?}, {"b", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>}
  %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// What has no rule does: the edges of data-flow ops, and barriers.
// CHECK-LABEL: func.func @edges_and_barriers
func.func @edges_and_barriers(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, ?}]>}) -> tensor<8xf32> {
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"a":(1)2, ?}]>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  // CHECK-NEXT: sdy.propagation_barrier %{{.*}} allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a":(1)2, ?}]>]>}
  %2 = sdy.propagation_barrier %1 allowed_direction=FORWARD : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Where a slice cuts, nothing passes.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: stablehlo.slice %arg0 [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>}
  %0 = stablehlo.slice %arg0 [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A rule that the op has is taken as it is: here the slice is not blocked.
// CHECK-LABEL: func.func @attached_rule
func.func @attached_rule(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: stablehlo.slice %arg0 [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>}
  %0 = stablehlo.slice %arg0 [0:4, 0:8] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8} permutation={i}>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
