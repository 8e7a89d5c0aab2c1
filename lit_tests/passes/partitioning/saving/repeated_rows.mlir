// RUN: sdy-opt %s --sdy-repeated-rows | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// As JAX writes the places of nearest points: of an image of four rows that is enlarged to eight, and stays in parts.
// CHECK-LABEL: func.func @enlarged
func.func @enlarged(%arg0: tensor<2x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) -> tensor<2x8x6xf32> {
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}, {}]>]>} : (tensor<2x4x6xf32>) -> tensor<2x4x2x6xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[WIDE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>}
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.iota dim = 0 : tensor<8xf32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  %four = stablehlo.constant dense<4.0> : tensor<8xf32>
  %3 = stablehlo.multiply %2, %four : tensor<8xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<8xf32>
  %4 = stablehlo.divide %3, %eight : tensor<8xf32>
  %5 = stablehlo.floor %4 : tensor<8xf32>
  %6 = stablehlo.convert %5 : (tensor<8xf32>) -> tensor<8xi32>
  %zero = stablehlo.constant dense<0> : tensor<8xi32>
  %7 = stablehlo.compare LT, %6, %zero, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %size = stablehlo.constant dense<4> : tensor<8xi32>
  %8 = stablehlo.add %6, %size : tensor<8xi32>
  %9 = stablehlo.select %7, %8, %6 : tensor<8xi1>, tensor<8xi32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
  %11 = "stablehlo.gather"(%arg0, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>} : (tensor<2x4x6xf32>, tensor<8x1xi32>) -> tensor<2x8x6xf32>
  return %11 : tensor<2x8x6xf32>
}

// Every other row, wanted on all devices: rows are left out before they are gathered, and repeated behind.
// CHECK-LABEL: func.func @steps
func.func @steps(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x6xf32> {
  // CHECK-NEXT: %[[SOME:.*]] = stablehlo.slice %arg0 [1:16:2, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.reshard %[[SOME]] <@mesh, [{}, {}]>
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[WHOLE]], dims = [0, 2]
  // CHECK-NEXT: stablehlo.reshape %[[WIDE]]
  %0 = stablehlo.constant dense<[1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15]> : tensor<16xi32>
  %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<16x6xf32>, tensor<16xi32>) -> tensor<16x6xf32>
  return %1 : tensor<16x6xf32>
}

// The gradient: what was repeated is added up where it is.
// CHECK-LABEL: func.func @gradient
func.func @gradient(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
  // CHECK:      %[[APART:.*]] = stablehlo.reshape %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<8x6xf32>) -> tensor<4x2x6xf32>
  // CHECK-NEXT: %[[ADDED:.*]] = stablehlo.reduce(%[[APART]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
  // CHECK:      %[[R:.*]] = stablehlo.add %arg0, %[[ADDED]]
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.constant dense<[[0], [0], [1], [1], [2], [2], [3], [3]]> : tensor<8x1xi32>
  %1 = "stablehlo.scatter"(%arg0, %0, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x6xf32>, tensor<8x1xi32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// The gradient of steps; updates that every device has are taken in parts.
// CHECK-LABEL: func.func @gradient_of_steps
func.func @gradient_of_steps(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // CHECK-NEXT: %[[PART:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}, {}]>
  // CHECK:      %[[PADDED:.*]] = stablehlo.pad %[[PART]], %{{.*}}, low = [1, 0], high = [0, 0], interior = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: stablehlo.add %arg0, %[[PADDED]]
  %0 = stablehlo.constant dense<[1, 3, 5, 7]> : tensor<4xi32>
  %1 = "stablehlo.scatter"(%arg0, %0, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x6xf32>, tensor<4xi32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// Rows in no order, some beyond the end, uneven parts, places that are not known, and nothing that is sharded.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<4xi32>, %arg3: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<12x6xf32>, tensor<4x6xf32>, tensor<8x6xf32>) {
  // CHECK-COUNT-5: "stablehlo.gather"
  %0 = stablehlo.constant dense<[1, 3, 0, 2]> : tensor<4xi32>
  %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<4xi32>) -> tensor<4x6xf32>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %3 = "stablehlo.gather"(%arg0, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<4xi32>) -> tensor<4x6xf32>
  %4 = stablehlo.constant dense<[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]> : tensor<12xi32>
  %5 = "stablehlo.gather"(%arg1, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<6x6xf32>, tensor<12xi32>) -> tensor<12x6xf32>
  %6 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<4xi32>) -> tensor<4x6xf32>
  %7 = stablehlo.constant dense<[0, 0, 1, 1, 2, 2, 3, 3]> : tensor<8xi32>
  %8 = "stablehlo.gather"(%arg3, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<8xi32>) -> tensor<8x6xf32>
  return %1, %3, %5, %6, %8 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<12x6xf32>, tensor<4x6xf32>, tensor<8x6xf32>
}
