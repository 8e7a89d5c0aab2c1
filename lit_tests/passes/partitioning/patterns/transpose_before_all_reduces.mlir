// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=transpose-before-all-reduces | filecheck %s

// CHECK-LABEL: func.func @gradient
func.func @gradient(%a: tensor<5x8x4xf32>, %b: tensor<5x8x6xf32>) -> tensor<5x6x4xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg0, %arg1
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[P]], dims = [0, 2, 1] : (tensor<5x4x6xf32>) -> tensor<5x6x4xf32>
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.all_reduce"(%[[T]]) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}>
  // CHECK: }) : (tensor<5x6x4xf32>) -> tensor<5x6x4xf32>
  // CHECK-NEXT: return %[[S]]
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<5x8x4xf32>, tensor<5x8x6xf32>) -> tensor<5x4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<5x4x6xf32>) -> tensor<5x4x6xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<5x4x6xf32>) -> tensor<5x6x4xf32>
  return %2 : tensor<5x6x4xf32>
}

// CHECK-LABEL: func.func @over_one_axis_after_the_other
func.func @over_one_axis_after_the_other(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<6x4xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg0, %arg1
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[P]], dims = [1, 0]
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.all_reduce"(%[[T]]) <{replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
  // CHECK: %[[R:.*]] = "stablehlo.all_reduce"(%[[S]]) <{replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
  // CHECK: return %[[R]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %3 : tensor<6x4xf32>
}

// The sum itself is wanted, too: two sums would send it twice.
// CHECK-LABEL: func.func @wanted_both_ways
func.func @wanted_both_ways(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  // CHECK: %[[S:.*]] = "stablehlo.all_reduce"
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[S]], dims = [1, 0]
  // CHECK-NEXT: return %[[S]], %[[T]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
      : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %1, %2 : tensor<4x6xf32>, tensor<6x4xf32>
}

// No product: it is the same to transpose before or afterwards.
// CHECK-LABEL: func.func @of_no_product
func.func @of_no_product(%a: tensor<4x6xf32>) -> tensor<6x4xf32> {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate
  // CHECK-NEXT: "stablehlo.all_reduce"(%[[N]])
  // CHECK: stablehlo.transpose
  %0 = stablehlo.negate %a : tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}
