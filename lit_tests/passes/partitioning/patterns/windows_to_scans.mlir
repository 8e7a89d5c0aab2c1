// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=windows-to-scans | filecheck %s

// Marked windows that grow are a scan.
// CHECK-LABEL: func.func @marked
func.func @marked(%arg0: tensor<2x3xi32>, %arg1: tensor<i32>) -> tensor<2x3xi32> {
  // CHECK:      %[[I:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<2xi32>
  // CHECK-NEXT: %[[R:.*]]:2 = chlo.scan(%arg0) inits (%[[I]]) dimension=1 attributes {is_associative = true, is_reverse = true}
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<2xi32>, %[[Y:.*]]: tensor<2xi32>):
  // CHECK-NEXT:   %[[P:.*]] = stablehlo.multiply %[[X]], %[[Y]]
  // CHECK-NEXT:   stablehlo.return %[[P]], %[[P]]
  // CHECK:      return %[[R]]#0
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
    %1 = stablehlo.multiply %arg2, %arg3 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {sdy.scanned = 1 : i64} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// Left alone: windows that were none, and some that have become others; no mark is left.
// CHECK-LABEL: func.func @left
// CHECK-NOT: chlo.scan
// CHECK-NOT: sdy.scanned
// CHECK: return
func.func @left(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
    %2 = stablehlo.add %arg2, %arg3 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
    %2 = stablehlo.add %arg2, %arg3 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {sdy.scanned = 0 : i64} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
