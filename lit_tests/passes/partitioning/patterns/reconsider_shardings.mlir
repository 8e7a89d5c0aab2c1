// RUN: sdy-opt %s --split-input-file --sdy-propagation-pipeline='avoid-export-for-partitioning=true' --sdy-reconsider-shardings | filecheck %s
// RUN: sdy-opt %s --split-input-file --sdy-propagation-pipeline='avoid-export-for-partitioning=true' | filecheck %s --check-prefix=BEFORE

sdy.mesh @mesh = <["data"=4, "model"=2]>

// The gradient is added to what is sharded along "data", and broadcasts are the last to pass shardings on. So
// propagation shards hidden units like that, instead of the batch.
// CHECK-LABEL: func.func @main
// BEFORE-LABEL: func.func @main
func.func @main(
    %tokens: tensor<256xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>},
    %table: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
    %w: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %mean: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>})
    -> (tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
  // CHECK-NEXT: %[[I:.*]] = stablehlo.broadcast_in_dim %arg0, {{.*}}<@mesh, [{"data"}, {}]>
  // CHECK-NEXT: %[[X:.*]] = "stablehlo.gather"(%arg1, %[[I]]) {{.*}}<@mesh, [{"data"}, {}]>
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.dot_general %[[X]], %arg2, {{.*}}<@mesh, [{"data"}, {"model"}]>
  // CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[Y]] {{.*}}<@mesh, [{"data"}, {"model"}]>
  // CHECK-NEXT: %[[G:.*]] = stablehlo.dot_general %[[X]], %[[T]], {{.*}}<@mesh, [{"data"}, {"model"}]>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg3, %[[G]] {{.*}}<@mesh, [{"data"}, {"model"}]>
  // CHECK-NEXT: return %[[R]]
  // BEFORE: "stablehlo.gather"({{.*}}<@mesh, [{}, {"data"}]>
  // BEFORE-NEXT: stablehlo.dot_general {{.*}}<@mesh, [{}, {"model"}]>
  %0 = stablehlo.broadcast_in_dim %tokens, dims = [0] : (tensor<256xi32>) -> tensor<256x1xi32>
  %1 = "stablehlo.gather"(%table, %0) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<256x1xi32>) -> tensor<256x64xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
      : (tensor<256x64xf32>, tensor<64x32xf32>) -> tensor<256x32xf32>
  %3 = stablehlo.tanh %2 : tensor<256x32xf32>
  %4 = stablehlo.dot_general %1, %3, contracting_dims = [0] x [0]
      : (tensor<256x64xf32>, tensor<256x32xf32>) -> tensor<64x32xf32>
  %5 = stablehlo.add %mean, %4 : tensor<64x32xf32>
  return %5 : tensor<64x32xf32>
}
