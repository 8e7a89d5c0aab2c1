// RUN: sdy-opt %s --stablehlo-target-independent-optimization | filecheck %s

// Arithmetic of scalars gives scalars, not tensors of one element.
// CHECK: %[[C:.*]] = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
// CHECK-NEXT: return %[[C]] : tensor<f32>
func.func @main() -> tensor<f32> {
  %0 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  %2 = stablehlo.add %1, %1 : tensor<f32>
  return %2 : tensor<f32>
}
