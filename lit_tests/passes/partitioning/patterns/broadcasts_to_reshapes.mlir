// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=broadcasts-to-reshapes | filecheck %s
// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=broadcasts-to-reshapes --sdy-propagation-pipeline | filecheck %s --check-prefix=AFTER

sdy.mesh @mesh = <["data"=4]>

// The batch of the indices gets to what is looked up before the hidden units that follow from the second table.
// CHECK-LABEL: func.func @main
// AFTER-LABEL: func.func @main
func.func @main(
    %tokens: tensor<256xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %table: tensor<64x64xf32>,
    %w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}) -> tensor<256x64xf32> {
  // CHECK-NEXT: %[[I:.*]] = stablehlo.reshape %arg0 : (tensor<256xi32>) -> tensor<256x1xi32>
  // CHECK-NEXT: "stablehlo.gather"(%arg1, %[[I]])
  // AFTER: "stablehlo.gather"({{.*}}<@mesh, [{"data"}, {}]>
  %0 = stablehlo.broadcast_in_dim %tokens, dims = [0] : (tensor<256xi32>) -> tensor<256x1xi32>
  %1 = "stablehlo.gather"(%table, %0) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<256x1xi32>) -> tensor<256x64xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [1]
      : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  return %2 : tensor<256x64xf32>
}

// These are not: data is repeated, dimensions change places, or there is nothing to shard.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<4x1xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<f32>)
    -> (tensor<4x2xf32>, tensor<4x1x1xf32>, tensor<1xf32>) {
  // CHECK-COUNT-3: stablehlo.broadcast_in_dim
  // CHECK-NEXT: return
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1x1xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<4x1x1xf32>, tensor<1xf32>
}
