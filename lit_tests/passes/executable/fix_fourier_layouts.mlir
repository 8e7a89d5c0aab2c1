// RUN: sdy-opt %s --split-input-file --sdy-legalize-for-xla=enable-patterns=fourier-layouts | filecheck %s

// Operand and result are in row-major layout, for all users of the result.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<4x8xcomplex<f32>>) -> (tensor<4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>) {
  // CHECK-NEXT: %[[X:.*]] = stablehlo.custom_call @LayoutConstraint(%arg0) {{.*}}operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]
  // CHECK-NEXT: %[[F:.*]] = stablehlo.fft %[[X]]
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.custom_call @LayoutConstraint(%[[F]])
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[Y]]
  // CHECK-NEXT: return %[[Y]], %[[N]]
  %0 = stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  %1 = stablehlo.negate %0 : tensor<4x8xcomplex<f32>>
  return %0, %1 : tensor<4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>
}

// -----

// There are no gathers in a program for one device.
// CHECK-NOT: LayoutConstraint
module attributes {sdy.devices = #sdy.mesh<["devices"=1]>} {
  func.func @main(%arg0: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
    return %0 : tensor<8xcomplex<f32>>
  }
}
