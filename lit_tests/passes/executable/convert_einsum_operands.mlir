// RUN: sdy-opt %s --sdy-legalize-for-xla=enable-patterns=einsum-operands | filecheck %s

// Products of narrow integers are summed in the wide type of the result.
// CHECK-LABEL: func.func @widening
func.func @widening(%arg0: tensor<4x2xi8>, %arg1: tensor<2x4xi8>) -> tensor<4x4xi16> {
  // CHECK:      %[[X:.*]] = stablehlo.convert %arg0 : (tensor<4x2xi8>) -> tensor<4x2xi16>
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg1 : (tensor<2x4xi8>) -> tensor<2x4xi16>
  // CHECK-NEXT: %[[E:.*]] = stablehlo.einsum %[[X]], %[[Y]], config = "ab,bc->ac" : (tensor<4x2xi16>, tensor<2x4xi16>) -> tensor<4x4xi16>
  // CHECK-NEXT: return %[[E]]
  %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x2xi8>, tensor<2x4xi8>) -> tensor<4x4xi16>
  return %0 : tensor<4x4xi16>
}

// A narrower result is rounded once.
// CHECK-LABEL: func.func @narrowing
func.func @narrowing(%arg0: tensor<4x2xf32>, %arg1: tensor<2x4xf32>) -> tensor<4x4xbf16> {
  // CHECK:      %[[E:.*]] = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %[[E]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  // CHECK-NEXT: return %[[C]]
  %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

// Integers summed in a floating-point type, whatever the widths; sums of one operand alike.
// CHECK-LABEL: func.func @unary
func.func @unary(%arg0: tensor<4x2xi32>) -> tensor<4xbf16> {
  // CHECK:      %[[X:.*]] = stablehlo.convert %arg0 : (tensor<4x2xi32>) -> tensor<4x2xbf16>
  // CHECK-NEXT: stablehlo.unary_einsum %[[X]], config = "ab->a" : (tensor<4x2xbf16>) -> tensor<4xbf16>
  // CHECK-NEXT: return
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->a"} : (tensor<4x2xi32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Einsums of one element type stay.
// CHECK-LABEL: func.func @alike
func.func @alike(%arg0: tensor<4x2xf32>, %arg1: tensor<2x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: stablehlo.einsum %arg0, %arg1
  // CHECK-NEXT: return
  %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
