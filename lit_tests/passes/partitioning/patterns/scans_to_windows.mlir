// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=scans-to-windows | filecheck %s
// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=scans-to-windows --sdy-optimize-local-program=enable-patterns=windows-to-scans | filecheck %s --check-prefix=BACK

// A sum that is carried is a window over all elements so far; what is carried last is its last element.
// CHECK-LABEL: func.func @sum
// BACK-LABEL: func.func @sum
func.func @sum(%arg0: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>) {
  // CHECK:      %[[W:.*]] = "stablehlo.reduce_window"(%arg0, %{{.*}}) <{padding = dense<{{\[\[}}7, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 8, 1>}>
  // CHECK:      {sdy.scanned = 0 : i64} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %[[W]] [7:8, 0:6]
  // CHECK-NEXT: %[[L:.*]] = stablehlo.reshape %[[S]]
  // CHECK:      return %[[W]], %[[L]]
  // BACK:       %[[I:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<6xf32>
  // BACK-NEXT:  %[[R:.*]]:2 = chlo.scan(%arg0) inits (%[[I]]) dimension=0 attributes {is_associative = true, is_reverse = false}
  // BACK-NEXT:  ^bb0(%[[X:.*]]: tensor<6xf32>, %[[Y:.*]]: tensor<6xf32>):
  // BACK-NEXT:    %[[A:.*]] = stablehlo.add %[[X]], %[[Y]]
  // BACK-NEXT:    stablehlo.return %[[A]], %[[A]]
  %c = stablehlo.constant dense<0.0> : tensor<6xf32>
  %0:2 = chlo.scan(%arg0) inits (%c) dimension=0 attributes {is_associative = true, is_reverse = false} {
  ^bb0(%x: tensor<6xf32>, %y: tensor<6xf32>):
    %1 = stablehlo.add %x, %y : tensor<6xf32>
    stablehlo.return %1, %1 : tensor<6xf32>, tensor<6xf32>
  } : (tensor<8x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>)
  return %0#0, %0#1 : tensor<8x6xf32>, tensor<6xf32>
}

// From the end, over the only dimension.
// CHECK-LABEL: func.func @maximum_from_end
// BACK-LABEL: func.func @maximum_from_end
func.func @maximum_from_end(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: padding = dense<{{\[\[}}0, 7]]> : tensor<1x2xi64>, window_dimensions = array<i64: 8>
  // BACK: chlo.scan(%arg0) inits (%{{.*}}) dimension=0 attributes {is_associative = true, is_reverse = true}
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0:2 = chlo.scan(%arg0) inits (%c) dimension=0 attributes {is_associative = true, is_reverse = true} {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %y, %x : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  } : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  return %0#0 : tensor<8xf32>
}

// Left alone: steps in their order, a sum that starts from 1, a difference.
// CHECK-LABEL: func.func @left
// CHECK-NOT: reduce_window
// CHECK: return
func.func @left(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = chlo.scan(%arg0) inits (%c) dimension=0 attributes {is_associative = false, is_reverse = false} {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %y, %x : tensor<f32>
    stablehlo.return %3, %3 : tensor<f32>, tensor<f32>
  } : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  %1:2 = chlo.scan(%arg0) inits (%one) dimension=0 attributes {is_associative = true, is_reverse = false} {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %y, %x : tensor<f32>
    stablehlo.return %3, %3 : tensor<f32>, tensor<f32>
  } : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  %2:2 = chlo.scan(%arg0) inits (%c) dimension=0 attributes {is_associative = true, is_reverse = false} {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.subtract %y, %x : tensor<f32>
    stablehlo.return %3, %3 : tensor<f32>, tensor<f32>
  } : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  return %0#0, %1#0, %2#0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
