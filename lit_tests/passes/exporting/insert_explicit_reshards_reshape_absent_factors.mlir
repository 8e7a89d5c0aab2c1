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
