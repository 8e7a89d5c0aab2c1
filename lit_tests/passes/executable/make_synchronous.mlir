// RUN: sdy-opt %s --sdy-make-synchronous | filecheck %s
// RUN: sdy-opt %s --sdy-make-synchronous --verify-diagnostics
// RUN: sdy-opt %s --sdy-make-synchronous='slices-only=true' | filecheck %s --check-prefix=SLICES

// What is started is done there; a remark says so.
// CHECK-LABEL: func.func @main
// SLICES-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
  // SLICES-NEXT: %[[A:.*]] = hlo_async.start
  // expected-remark@+1 {{'stablehlo.negate' is made synchronous: XLA does not start it from StableHLO}}
  %0 = hlo_async.start(%arg0) (%arg1: tensor<8xf32>) {
    %4 = stablehlo.negate %arg1 : tensor<8xf32>
    hlo_async.return %4 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [0:4]
  // SLICES: %[[S:.*]] = stablehlo.slice %arg0 [0:4]
  // expected-remark@+1 {{'stablehlo.slice' is made synchronous}}
  %1 = hlo_async.start(%arg0) (%arg1: tensor<8xf32>) {
    %4 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    hlo_async.return %4 : tensor<4xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []>
  // SLICES-NEXT: %[[D:.*]] = hlo_async.done %[[A]]
  %2 = hlo_async.done %0 : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  %3 = hlo_async.done %1 : !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  // CHECK-NEXT: return %[[N]], %[[S]]
  // SLICES-NEXT: return %[[D]], %[[S]]
  return %2, %3 : tensor<8xf32>, tensor<4xf32>
}

// Slices that StableHLO starts, too; collectives stay.
// CHECK-LABEL: func.func @pairs
// SLICES-LABEL: func.func @pairs
func.func @pairs(%arg0: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [0:4]
  // SLICES-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [0:4]
  // expected-remark@+1 {{'stablehlo.slice' is made synchronous}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %4 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %4 : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  // CHECK-NEXT: %[[F:.*]] = "stablehlo.async_start"
  // CHECK: %[[P:.*]] = "stablehlo.async_done"(%[[F]])
  // CHECK-NEXT: return %[[S]], %[[P]]
  // SLICES: "stablehlo.async_start"
  %1 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %4 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %3 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %2, %3 : tensor<4xf32>, tensor<8xf32>
}
