// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=successive-permutes -split-input-file | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @moved
func.func @moved(%arg0: tensor<8xf32>) -> tensor<4x2xf32> {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-SAME{LITERAL}: dense<[[0, 3], [1, 2], [2, 1], [3, 0]]>
  // CHECK-NEXT: stablehlo.reshape %[[P]]
  // CHECK-NEXT: stablehlo.reverse
  // CHECK-NEXT: stablehlo.transpose
  // CHECK-NEXT: return
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %4 = "stablehlo.collective_permute"(%3) <{source_target_pairs = dense<[[0, 2], [1, 3], [2, 0], [3, 1]]> : tensor<4x2xi64>}>
      : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %4 : tensor<4x2xf32>
}

// Zeros stay zeros where they are moved: device 1 is sent nothing in the end.
// CHECK-LABEL: func.func @some_devices
func.func @some_devices(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-SAME{LITERAL}: dense<[[0, 2]]>
  // CHECK-NEXT: stablehlo.reverse %[[P]]
  // CHECK-NEXT: return
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<8xf32>
  %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-SAME{LITERAL}: dense<[[0, 0], [1, 1], [2, 2], [3, 3]]>
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[P]], %{{.*}}
  // CHECK-NEXT: return %[[A]]
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.add %0, %c : tensor<8xf32>
  %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Devices 0 and 2 get zeros, of which the sum makes ones that are sent on.
// CHECK-LABEL: func.func @zeros
func.func @zeros(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: "stablehlo.collective_permute"
  // CHECK-NEXT: stablehlo.add
  // CHECK-NEXT: "stablehlo.collective_permute"
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.add %0, %c : tensor<8xf32>
  %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 2], [1, 3], [2, 0], [3, 1]]> : tensor<4x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The received part is used twice.
// CHECK-LABEL: func.func @other_users
func.func @other_users(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: %[[Q:.*]] = "stablehlo.collective_permute"(%[[P]])
  // CHECK-NEXT: return %[[P]], %[[Q]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// What is shifted by as many places as there are devices reaches none.
// CHECK-LABEL: func.func @nobody
func.func @nobody(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-SAME: dense<> : tensor<0x2xi64>
  // CHECK-NEXT: return %[[P]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
