// RUN: sdy-opt %s --split-input-file --sdy-legalize-for-xla=enable-patterns=high-products | filecheck %s

// A product of twice the width is shifted.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK-NEXT: %[[X:.*]] = stablehlo.convert %arg0 : (tensor<8xi32>) -> tensor<8xi64>
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg1 : (tensor<8xi32>) -> tensor<8xi64>
  // CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %[[X]], %[[Y]] : tensor<8xi64>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<32> : tensor<8xi64>
  // CHECK-NEXT: %[[H:.*]] = stablehlo.shift_right_arithmetic %[[P]], %[[C]]
  // CHECK-NEXT: %[[R:.*]] = stablehlo.convert %[[H]] : (tensor<8xi64>) -> tensor<8xi32>
  // CHECK-NEXT: return %[[R]]
  %0 = chlo.mulhi %arg0, %arg1 : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// Of the widest integers there are products of halves.
// CHECK-LABEL: func.func @wide
func.func @wide(%arg0: tensor<8xui64>, %arg1: tensor<8xui64>) -> tensor<8xui64> {
  // CHECK-NEXT: stablehlo.constant dense<32> : tensor<8xui64>
  // CHECK-COUNT-4: stablehlo.multiply {{.*}} : tensor<8xui64>
  // CHECK: return
  %0 = chlo.mulhi %arg0, %arg1 : tensor<8xui64>, tensor<8xui64> -> tensor<8xui64>
  return %0 : tensor<8xui64>
}

// -----

// XLA takes it in a program for one device.
// CHECK: chlo.mulhi
module attributes {sdy.devices = #sdy.mesh<["devices"=1]>} {
  func.func @main(%arg0: tensor<8xi32>) -> tensor<8xi32> {
    %0 = chlo.mulhi %arg0, %arg0 : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}
