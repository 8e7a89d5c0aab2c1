// RUN: sdy-opt %s --sdy-convert-async=to=xla | filecheck %s
// RUN: sdy-opt %s --sdy-convert-async=to=xla --verify-diagnostics

// XLA starts no slices and no other ops from StableHLO: they run where they start, and a remark says so.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
  // expected-remark@+1 {{'stablehlo.negate' becomes synchronous: XLA does not start it from StableHLO}}
  %0 = hlo_async.start(%arg0) (%arg1: tensor<8xf32>) {
    %4 = stablehlo.negate %arg1 : tensor<8xf32>
    hlo_async.return %4 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [0:4]
  // expected-remark@+1 {{'stablehlo.slice' becomes synchronous}}
  %1 = hlo_async.start(%arg0) (%arg1: tensor<8xf32>) {
    %4 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    hlo_async.return %4 : tensor<4xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []>
  %2 = hlo_async.done %0 : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  %3 = hlo_async.done %1 : !hlo_async.bundle<[tensor<8xf32>], [tensor<4xf32>], []> -> tensor<4xf32>
  // CHECK-NEXT: return %[[N]], %[[S]]
  return %2, %3 : tensor<8xf32>, tensor<4xf32>
}

// Slices that StableHLO starts become synchronous, too; collectives stay.
// CHECK-LABEL: func.func @pairs
func.func @pairs(%arg0: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [0:4]
  // expected-remark@+1 {{'stablehlo.slice' becomes synchronous}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %4 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %4 : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  // CHECK-NEXT: %[[F:.*]] = "stablehlo.async_start"
  // CHECK: %[[P:.*]] = "stablehlo.async_done"(%[[F]])
  // CHECK-NEXT: return %[[S]], %[[P]]
  %1 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %4 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %3 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %2, %3 : tensor<4xf32>, tensor<8xf32>
}

// Collectives of hlo_async become those of StableHLO.
// CHECK-LABEL: func.func @chain
func.func @chain(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[F:.*]] = "stablehlo.async_start"(%arg0)
  // CHECK: "stablehlo.collective_permute"
  // CHECK: %[[P:.*]] = "stablehlo.async_done"(%[[F]])
  // CHECK-NEXT: return %[[P]]
  %0 = hlo_async.start(%arg0) (%arg1: tensor<8xf32>) {
    %2 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    hlo_async.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  %1 = hlo_async.done %0 : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
