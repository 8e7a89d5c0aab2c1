// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>

// Partial results are combined as the body does; the axes stand in the order of the mesh.
// CHECK-LABEL: func.func @reduce(
func.func @reduce(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %arg1: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x", "y"} %[[V0]] out_sharding=<@mesh, []> : tensor<f32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.all_reduce max {"x"} %[[V2]] out_sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.minimum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V5:.*]] = sdy.all_reduce min {"x"} %[[V4]] out_sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.minimum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// No all-reduce of ours can multiply: the partial results stay, and the local conversion combines them with the body.
// CHECK-LABEL: func.func @product(
func.func @product(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %arg1: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.multiply across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.multiply across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// All results are all-reduced, between the op and the reshards of its results.
// CHECK-LABEL: func.func @several_results(
func.func @several_results(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]]:2 = stablehlo.reduce(%arg0 init: %arg1), (%arg0 init: %arg1) across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"y"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, %arg5: tensor<f32>)  {
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.add %arg2, %arg4 : tensor<f32>
  // CHECK-NEXT: %[[V5:.*]] = stablehlo.add %arg3, %arg5 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V4]], %[[V5]] : tensor<f32>, tensor<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x"} %[[V0]]#0 out_sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"x"} %[[V0]]#1 out_sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"z"}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0:2 = stablehlo.reduce(%arg0 init: %arg1), (%arg0 init: %arg1) across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"z"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
   reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) (%arg4: tensor<f32>, %arg5: tensor<f32>) {
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    %2 = stablehlo.add %arg4, %arg5 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return
}

// A result that is unreduced itself is all-reduced over the other axes only.
// CHECK-LABEL: func.func @unreduced_result(
func.func @unreduced_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"y"} %[[V0]] out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// The rows of a sharded table are gathered where they are; everyone else contributes zeros.
// CHECK-LABEL: func.func @gather(
func.func @gather(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<4x1xi32>) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x"} %[[V0]] out_sharding=<@mesh, [{}, {"y"}]> : tensor<4x8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// A scatter that adds may see a part of the updates each; one that overwrites must see all.
// CHECK-LABEL: func.func @scatter(
func.func @scatter(%arg0: tensor<16x8xf32>, %arg1: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: %[[V5:.*]] = stablehlo.add %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V5]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x"} %[[V0]] out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}]> : tensor<4x1xi32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %arg2 <@mesh, [{}, {}]> : tensor<4x8xf32>
  // CHECK-NEXT: %[[V4:.*]] = "stablehlo.scatter"(%arg0, %[[V2]], %[[V3]]) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: stablehlo.return %arg4 : tensor<f32>
  // CHECK-NEXT: }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  return
}

// One axis cannot be summed over and shard the result: the larger tensor keeps it.
// CHECK-LABEL: func.func @gather_along_the_axis_of_the_result
func.func @gather_along_the_axis_of_the_result(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}, %arg1: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}]> : tensor<8x1xi32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.gather"(%arg0, %[[V0]]) {{.*}}{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"x":(1)2} %[[V1]] out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: sdy.reshard %[[V2]] <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
  return
}
