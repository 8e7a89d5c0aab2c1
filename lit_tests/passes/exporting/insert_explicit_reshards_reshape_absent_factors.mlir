// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["a"=3, "c"=2, "x"=2, "d"=4]>

// The axes of the operand end in its first factor. The last one, which it does not get to, counts as not sharded.
// Unlike the reference, which crashes.
// CHECK-LABEL: func.func @overflow
func.func @overflow(%arg0: tensor<36xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", "a", "x", "d"}]>}) -> (tensor<4x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"d"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"c", "x", "a", "d"}]> : tensor<36xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reshape %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c", "x"}, {"a"}, {"d"}]>]>} : (tensor<36xf32>) -> tensor<4x3x3xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{}, {}, {"d"}]> : tensor<4x3x3xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<4x3x3xf32>
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"d"}]>]>} : (tensor<36xf32>) -> tensor<4x3x3xf32>
  return %0 : tensor<4x3x3xf32>
}

// In other ops, too, what an axis does not fit into counts as not sharded.
// CHECK-LABEL: func.func @no_reshape
func.func @no_reshape(%arg0: tensor<24x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}, {}]>}, %arg1: tensor<24x8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"c"}, {"a"}]> : tensor<24x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg1 <@mesh, [{"c"}, {"a"}]> : tensor<24x8xf32>
  // CHECK-NEXT: stablehlo.add %[[V0]], %[[V1]]
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([ijk, l], [ijk, l])->([ijk, l]) {i=2, j=3, k=4, l=8}>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c"}, {"a"}]>]>} : tensor<24x8xf32>
  return
}
