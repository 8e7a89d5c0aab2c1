// RUN: sdy-opt %s --sdy-distinguish-named-computations | filecheck %s
// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s --check-prefix=CALLS

// CHECK-LABEL: func.func @main
// CALLS-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: sdy.named_computation<"g">
  // CHECK: sdy.named_computation<"g_0">
  // CHECK: sdy.named_computation<"f_0">
  // CHECK: sdy.named_computation<"h">
  // CALLS-NEXT: %[[NEGATED:.*]] = call @[[G:.*]](%arg0)
  // CALLS-NEXT: %[[SIZE:.*]] = call @[[G_0:.*]](%[[NEGATED]])
  // CALLS-NEXT: %[[ROOT:.*]] = call @[[F_0:.*]](%[[SIZE]])
  // CALLS-NEXT: call @[[H:.*]](%[[ROOT]])
  // CALLS: func.func private @[[G]](
  // CALLS-NEXT: stablehlo.negate
  // CALLS: func.func private @[[G_0]](
  // CALLS-NEXT: stablehlo.abs
  // CALLS: func.func private @[[F_0]](
  // CALLS-NEXT: stablehlo.sqrt
  %0 = sdy.named_computation<"g">(%arg0) (%arg1: tensor<8xf32>) {
    %5 = stablehlo.negate %arg1 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"g">(%0) (%arg1: tensor<8xf32>) {
    %5 = stablehlo.abs %arg1 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.named_computation<"f">(%1) (%arg1: tensor<8xf32>) {
    %5 = stablehlo.sqrt %arg1 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.named_computation<"h">(%2) (%arg1: tensor<8xf32>) {
    %5 = stablehlo.sine %arg1 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @f(%3) : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
