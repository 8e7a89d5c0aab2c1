// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=scatter-major-dimensions | filecheck %s

// CHECK-LABEL: func.func @gradient
func.func @gradient(%a: tensor<8x2x4xf32>, %b: tensor<8x2x6xf32>) -> tensor<3x4xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1, 0] x [1, 0], precision = [HIGH, DEFAULT]
  // CHECK-SAME: -> tensor<6x4xf32>
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.reduce_scatter"(%[[P]]) {{.*}}scatter_dimension = 0
  // CHECK: }) : (tensor<6x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: return %[[S]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1, 0] x [1, 0], precision = [DEFAULT, HIGH]
      : (tensor<8x2x4xf32>, tensor<8x2x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// What is scattered is added up over the other axis as well.
// CHECK-LABEL: func.func @over_two_axes
func.func @over_two_axes(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<3x4xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg1, %arg0
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.reduce_scatter"(%[[P]]) {{.*}}scatter_dimension = 0
  // CHECK: }) : (tensor<6x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.all_reduce"(%[[S]])
  // CHECK: }) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{
      replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// The dimension is a major one already; and here the scattered product is used as it is, too.
// CHECK-LABEL: func.func @others
func.func @others(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> (tensor<6x2xf32>, tensor<3x4xf32>, tensor<4x3xf32>) {
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
  // CHECK-NEXT: scatter_dimension = 0
  // CHECK: stablehlo.transpose
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
  // CHECK-NEXT: scatter_dimension = 1
  // CHECK: stablehlo.transpose
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %6 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %4 = "stablehlo.reduce_scatter"(%3) <{
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %6 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return %2, %5, %4 : tensor<6x2xf32>, tensor<3x4xf32>, tensor<4x3xf32>
}

// Parts of a product are sent in rows, and joined along the columns.
// CHECK-LABEL: func.func @exchanged
func.func @exchanged(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<3x8xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg1, %arg0
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.all_to_all"(%[[P]]) <{concat_dimension = 1 : i64, {{.*}}split_dimension = 0 : i64}>
  // CHECK-SAME: (tensor<6x4xf32>) -> tensor<3x8xf32>
  // CHECK-NEXT: return %[[S]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_to_all"(%0) <{
      concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64,
      split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// Elementwise ops compute from the transposed part.
// CHECK-LABEL: func.func @activation
func.func @activation(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg1, %arg0
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.reduce_scatter"(%[[P]]) {{.*}}scatter_dimension = 0
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[S]], dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: stablehlo.tanh %[[T]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.tanh %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
