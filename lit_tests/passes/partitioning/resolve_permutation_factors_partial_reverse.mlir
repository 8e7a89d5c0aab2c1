// RUN: sdy-opt %s --sdy-resolve-permutation-factors | filecheck %s

sdy.mesh @mesh = <["b"=4, "a"=2]>

// An axis that shards the operand is left to the reshard behind the reverse.
// CHECK-LABEL: func.func @whole_to_partial
func.func @whole_to_partial(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"a"}>}) {
  // CHECK-NEXT: %[[REVERSE:.*]] = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh_reversed, [{"a"}]>]>} : tensor<8xi32>
  // CHECK-NEXT: sdy.reshard %[[REVERSE]] <@mesh, [{}], unreduced={"a"}> : tensor<8xi32>
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"a"}>]>} : tensor<8xi32>
  return %0 : tensor<8xi32>
}
