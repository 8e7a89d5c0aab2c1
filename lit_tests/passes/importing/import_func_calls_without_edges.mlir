// RUN: sdy-opt %s --sdy-import-func-calls='add-data-flow-edges-on-named-computations=false' | filecheck %s

// Only the calls are replaced.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8xf32>) {
// CHECK-NEXT:   sdy.return %arg1 : tensor<8xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[NAMED_COMPUTATION]] : tensor<8xf32>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
