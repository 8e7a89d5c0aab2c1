// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false partitioner-stage=resolve-permutation-factors' | filecheck %s --check-prefix=PERMUTED
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false partitioner-stage=reshard-to-collectives' | filecheck %s --check-prefix=MOVED
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false partitioner-stage=optimize-collectives' | filecheck %s --check-prefix=OPTIMIZED
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false partitioner-stage=pad-for-divisibility' | filecheck %s --check-prefix=PADDED
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false partitioner-stage=resolve-single-device-sharding' | filecheck %s --check-prefix=RESOLVED
// RUN: sdy-opt %s --sdy-export-pipeline='inline-meshes=false partitioner-stage=convert-global-to-local' | filecheck %s --check-prefix=LOCAL

// What each stage of the partitioner does on top of those before it.

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @device = <[], device_ids=[3]>

// A reversed dimension is computed in the order of devices that suits it; shards are exchanged between them afterwards.
// PERMUTED-LABEL: func.func @main(
// PERMUTED-NEXT: stablehlo.reverse {{.*}}<@mesh_reversed, [{}, {"x"}]>
// PERMUTED-NEXT: sdy.reshard {{.*}} <@mesh, [{}, {"x"}]>

// Reshards become collectives, also the chain that moves "x" to another dimension;
// MOVED-LABEL: func.func @main(
// MOVED-NEXT: stablehlo.reverse
// MOVED-NEXT: sdy.collective_permute {{.*}} out_sharding=<@mesh, [{}, {"x"}]>
// MOVED: sdy.collective_permute %arg1 out_sharding=<@mesh, [{"z", "y", "x"}, {}]>
// MOVED-NEXT: sdy.all_to_all [{"x"}: 0->1]

// which is done without the permute.
// OPTIMIZED-LABEL: func.func @main(
// OPTIMIZED-NOT: sdy.collective_permute %arg1
// OPTIMIZED: sdy.all_to_all [{"x"}: 0->4]

// Six rows on four devices are eight; the device that computes alone gets six.
// PADDED-LABEL: func.func @main(
// PADDED: stablehlo.exponential {{.*}} : tensor<8x16xf32>
// PADDED-NEXT: sdy.all_gather
// PADDED-NEXT: stablehlo.slice {{.*}} -> tensor<6x16xf32>
// PADDED-NEXT: sdy.reshard {{.*}} <@device, []> : tensor<6x16xf32>

// RESOLVED-LABEL: func.func @main(
// RESOLVED: stablehlo.partition_id
// RESOLVED: "stablehlo.if"
// RESOLVED-NOT: @device
// RESOLVED: sdy.all_reduce {"x", "y", "z"}

// LOCAL-LABEL: func.func @main(
// LOCAL-SAME: %arg0: tensor<6x8xf32>, %arg1: tensor<2x16xf32>
// LOCAL-SAME: -> (tensor<6x16xf32>, tensor<4x8xf32>)
// LOCAL-NOT: sdy.
func.func @main(%arg0: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}, {}]>}) -> (tensor<6x16xf32>, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "y"}, {"x"}]>}) {
  %0 = stablehlo.reverse %arg0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<6x16xf32>
  %1 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : tensor<6x16xf32>
  %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<6x16xf32>
  return %2, %arg1 : tensor<6x16xf32>, tensor<16x16xf32>
}
