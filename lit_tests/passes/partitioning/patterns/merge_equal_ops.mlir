// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=equal-ops | filecheck %s

// Ops in a loop are merged with ops in the same loop only.
// CHECK-LABEL: func.func @loops
func.func @loops(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i1>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[T]], %[[T]]
  // CHECK-NEXT: stablehlo.while
  // CHECK: } do {
  // CHECK-NEXT: %[[U:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.while
  // CHECK: } do {
  // CHECK-NEXT: %[[V:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.add %[[V]], %[[V]]
  // CHECK: stablehlo.multiply %{{.*}}, %[[U]]
  // CHECK: return %{{.*}}, %[[A]]
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  %3 = stablehlo.while(%x = %arg1) : tensor<8x4xf32>
  cond {
    stablehlo.return %arg2 : tensor<i1>
  } do {
    %4 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %5 = stablehlo.while(%y = %x) : tensor<8x4xf32>
    cond {
      stablehlo.return %arg2 : tensor<i1>
    } do {
      %6 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
      %7 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
      %8 = stablehlo.add %6, %7 : tensor<8x4xf32>
      %9 = stablehlo.add %y, %8 : tensor<8x4xf32>
      stablehlo.return %9 : tensor<8x4xf32>
    }
    %10 = stablehlo.multiply %5, %4 : tensor<8x4xf32>
    stablehlo.return %10 : tensor<8x4xf32>
  }
  return %3, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}

// Ops in a branch are merged among themselves: the branch takes %arg0 alone, not its transpose as well.
// CHECK-LABEL: func.func @branches
func.func @branches(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i1>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: "stablehlo.if"(%arg2) ({
  // CHECK-NEXT: %[[U:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.add %[[U]], %[[U]]
  // CHECK: return %{{.*}}, %[[T]]
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = "stablehlo.if"(%arg2) ({
    %2 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<8x4xf32>
    stablehlo.return %4 : tensor<8x4xf32>
  }, {
    stablehlo.return %arg1 : tensor<8x4xf32>
  }) : (tensor<i1>) -> tensor<8x4xf32>
  return %1, %0 : tensor<8x4xf32>, tensor<8x4xf32>
}
