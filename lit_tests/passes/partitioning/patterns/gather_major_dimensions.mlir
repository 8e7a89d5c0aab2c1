// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=gather-major-dimensions | filecheck %s

// CHECK-LABEL: func.func @factors
func.func @factors(%a: tensor<2x3xf32>, %b: tensor<6x5xf32>) -> (tensor<2x5xf32>, tensor<6x6xf32>) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[N]], dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: %[[G:.*]] = "stablehlo.all_gather"(%[[T]]) <{all_gather_dim = 0 : i64, {{.*}} : (tensor<3x2xf32>) -> tensor<6x2xf32>
  // CHECK-NEXT: stablehlo.dot_general %[[G]], %arg1, contracting_dims = [0] x [0]
  // CHECK-NEXT: stablehlo.dot_general %[[G]], %[[G]], contracting_dims = [1] x [1]
  %0 = stablehlo.negate %a : tensor<2x3xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0]
      : (tensor<2x6xf32>, tensor<6x5xf32>) -> tensor<2x5xf32>
  %3 = stablehlo.dot_general %1, %1, contracting_dims = [0] x [0]
      : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<6x6xf32>
  return %2, %3 : tensor<2x5xf32>, tensor<6x6xf32>
}

// The dimension is the major one already; nothing computes the operand; a result is used as it is.
// CHECK-LABEL: func.func @others
func.func @others(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<6x5xf32>)
    -> (tensor<4x5xf32>, tensor<2x5xf32>, tensor<2x6xf32>) {
  // CHECK-NOT: stablehlo.transpose
  // CHECK: all_gather_dim = 0
  // CHECK: all_gather_dim = 1
  // CHECK: all_gather_dim = 1
  %0 = stablehlo.negate %a : tensor<2x3xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2x3xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0]
      : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %4 = stablehlo.dot_general %3, %c, contracting_dims = [1] x [0]
      : (tensor<2x6xf32>, tensor<6x5xf32>) -> tensor<2x5xf32>
  %5 = stablehlo.negate %a : tensor<2x3xf32>
  %6 = "stablehlo.all_gather"(%5) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return %2, %4, %6 : tensor<4x5xf32>, tensor<2x5xf32>, tensor<2x6xf32>
}

// The result has both dimensions in their order.
// CHECK-LABEL: func.func @outer_product
func.func @outer_product(%a: tensor<2x3xf32>, %b: tensor<5x4xf32>) -> tensor<2x6x5x4xf32> {
  // CHECK:     all_gather_dim = 1
  // CHECK-NOT: stablehlo.transpose
  %0 = stablehlo.negate %a : tensor<2x3xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [] x []
      : (tensor<2x6xf32>, tensor<5x4xf32>) -> tensor<2x6x5x4xf32>
  return %2 : tensor<2x6x5x4xf32>
}
