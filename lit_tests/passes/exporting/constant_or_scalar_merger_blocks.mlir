// RUN: sdy-opt %s --sdy-constant-or-scalar-merger | filecheck %s

// Constants of different blocks stay, since neither might come before the other.
// Unlike the reference, whose result does not verify.
// CHECK-LABEL: func.func @branches
func.func @branches(%arg0: i1) -> tensor<8xf32> {
  // CHECK: %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  // CHECK: %[[V1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
^bb2:
  %1 = sdy.constant dense<1.0> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
