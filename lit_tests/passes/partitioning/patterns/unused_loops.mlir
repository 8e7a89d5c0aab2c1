// RUN: sdy-opt %s --sdy-split-ops='enable-patterns=unused-loops' | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// The second loop has the only use of the first one.
// CHECK-LABEL: func.func @unused
func.func @unused(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.while(%iter = %arg0) : tensor<8xf32>
    cond {
      stablehlo.return %arg1 : tensor<i1>
    } do {
      %3 = sdy.reshard %iter <@mesh, [{"x"}]> : tensor<8xf32>
      stablehlo.return %3 : tensor<8xf32>
    }
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.while(%iter = %1) : tensor<8xf32>
    cond {
      stablehlo.return %arg1 : tensor<i1>
    } do {
      stablehlo.return %iter : tensor<8xf32>
    }
  return %arg0 : tensor<8xf32>
}

// A loop with an effect stays.
// CHECK-LABEL: func.func @effect
func.func @effect(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.while
  %0 = stablehlo.while(%iter = %arg0) : tensor<8xf32>
    cond {
      stablehlo.return %arg1 : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @print(%iter) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %1 : tensor<8xf32>
    }
  return %arg0 : tensor<8xf32>
}

// Loops in loops go with them.
// CHECK-LABEL: func.func @nested
func.func @nested(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.while(%iter = %arg0) : tensor<8xf32>
    cond {
      stablehlo.return %arg1 : tensor<i1>
    } do {
      %1 = stablehlo.while(%inner = %iter) : tensor<8xf32>
        cond {
          stablehlo.return %arg1 : tensor<i1>
        } do {
          stablehlo.return %inner : tensor<8xf32>
        }
      stablehlo.return %iter : tensor<8xf32>
    }
  return %arg0 : tensor<8xf32>
}
