// RUN: sdy-opt %s --sdy-legalize-for-xla=enable-patterns=scatter-indices | filecheck %s

// All updates are added to the first element.
// CHECK-LABEL: func.func @first_element
func.func @first_element(%arg0: tensor<8xf32>, %arg1: tensor<8x0xi32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<0> : tensor<8x1xi32>
  // CHECK: "stablehlo.scatter"(%arg0, %[[C]], %arg2) <{{.*}}#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<8x0xi32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// With batches and windows, and indices of which the vector comes first.
// CHECK-LABEL: func.func @more_dimensions
func.func @more_dimensions(%arg0: tensor<4x8x3x2xf32>, %arg1: tensor<0x4xi32>, %arg2: tensor<4x3xf32>) -> tensor<4x8x3x2xf32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<0> : tensor<2x4xi32>
  // CHECK: "stablehlo.scatter"(%arg0, %[[C]], %arg2) <{{.*}}#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 3], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1, 3]>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 3], input_batching_dims = [0], scatter_indices_batching_dims = [1], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8x3x2xf32>, tensor<0x4xi32>, tensor<4x3xf32>) -> tensor<4x8x3x2xf32>
  return %0 : tensor<4x8x3x2xf32>
}

// Left alone: no dimension is inserted, or indices say where the updates go.
// CHECK-LABEL: func.func @others
// CHECK-NOT: stablehlo.constant
// CHECK: return
func.func @others(%arg0: tensor<8xf32>, %arg1: tensor<0xi32>, %arg2: tensor<8xf32>, %arg3: tensor<8x1xi32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<0xi32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.scatter"(%arg0, %arg3, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
