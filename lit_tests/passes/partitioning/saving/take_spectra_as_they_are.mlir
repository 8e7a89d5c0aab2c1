// RUN: sdy-opt %s --sdy-take-spectra-as-they-are | filecheck %s
// RUN: sdy-opt %s --sdy-take-spectra-as-they-are --sdy-make-spectra-symmetric | filecheck %s --check-prefix=BACK

// CHECK-LABEL: func.func @odd
// CHECK-NEXT: %[[R:.*]] = stablehlo.fft %arg0, type = IRFFT, length = [4, 5] {sdy.symmetric}
// CHECK-NEXT: return %[[R]]
// BACK-LABEL: func.func @odd
// BACK: stablehlo.reverse
// BACK: %[[MEAN:.*]] = stablehlo.multiply
// BACK: %[[REST:.*]] = stablehlo.slice %arg0 [0:4, 0:4, 1:3]
// BACK: %[[X:.*]] = stablehlo.concatenate %[[MEAN]], %[[REST]], dim = 2
// BACK: stablehlo.fft %[[X]], type = IRFFT, length = [4, 5] : (
func.func @odd(%arg0: tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x5xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 0:4, 0:1] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x1xcomplex<f32>>
  %1 = stablehlo.slice %0 [0:4, 0:1, 0:1] : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x1x1xcomplex<f32>>
  %2 = stablehlo.slice %0 [0:4, 1:4, 0:1] : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x3x1xcomplex<f32>>
  %3 = stablehlo.reverse %2, dims = [1] : tensor<4x3x1xcomplex<f32>>
  %4 = stablehlo.concatenate %1, %3, dim = 1 : (tensor<4x1x1xcomplex<f32>>, tensor<4x3x1xcomplex<f32>>) -> tensor<4x4x1xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x4x1xf32>
  %6 = stablehlo.imag %4 : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x4x1xf32>
  %7 = stablehlo.negate %6 : tensor<4x4x1xf32>
  %8 = stablehlo.complex %5, %7 : tensor<4x4x1xcomplex<f32>>
  %9 = stablehlo.add %0, %8 : tensor<4x4x1xcomplex<f32>>
  %cst = stablehlo.constant dense<(5.000000e-01,0.000000e+00)> : tensor<complex<f32>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x4x1xcomplex<f32>>
  %11 = stablehlo.multiply %10, %9 : tensor<4x4x1xcomplex<f32>>
  %12 = stablehlo.slice %arg0 [0:4, 0:4, 1:3] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x2xcomplex<f32>>
  %13 = stablehlo.concatenate %11, %12, dim = 2 : (tensor<4x4x1xcomplex<f32>>, tensor<4x4x2xcomplex<f32>>) -> tensor<4x4x3xcomplex<f32>>
  %14 = stablehlo.fft %13, type = IRFFT, length = [4, 5] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x5xf32>
  return %14 : tensor<4x4x5xf32>
}

// Another number than one half: nothing is known of what becomes of the spectrum.
// CHECK-LABEL: func.func @other
// CHECK: stablehlo.reverse
// CHECK-NOT: sdy.symmetric
// CHECK: return
// BACK-LABEL: func.func @other
func.func @other(%arg0: tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x5xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 0:4, 0:1] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x1xcomplex<f32>>
  %1 = stablehlo.slice %0 [0:4, 0:1, 0:1] : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x1x1xcomplex<f32>>
  %2 = stablehlo.slice %0 [0:4, 1:4, 0:1] : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x3x1xcomplex<f32>>
  %3 = stablehlo.reverse %2, dims = [1] : tensor<4x3x1xcomplex<f32>>
  %4 = stablehlo.concatenate %1, %3, dim = 1 : (tensor<4x1x1xcomplex<f32>>, tensor<4x3x1xcomplex<f32>>) -> tensor<4x4x1xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x4x1xf32>
  %6 = stablehlo.imag %4 : (tensor<4x4x1xcomplex<f32>>) -> tensor<4x4x1xf32>
  %7 = stablehlo.negate %6 : tensor<4x4x1xf32>
  %8 = stablehlo.complex %5, %7 : tensor<4x4x1xcomplex<f32>>
  %9 = stablehlo.add %0, %8 : tensor<4x4x1xcomplex<f32>>
  %cst = stablehlo.constant dense<(2.500000e-01,0.000000e+00)> : tensor<complex<f32>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x4x1xcomplex<f32>>
  %11 = stablehlo.multiply %10, %9 : tensor<4x4x1xcomplex<f32>>
  %12 = stablehlo.slice %arg0 [0:4, 0:4, 1:3] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x2xcomplex<f32>>
  %13 = stablehlo.concatenate %11, %12, dim = 2 : (tensor<4x4x1xcomplex<f32>>, tensor<4x4x2xcomplex<f32>>) -> tensor<4x4x3xcomplex<f32>>
  %14 = stablehlo.fft %13, type = IRFFT, length = [4, 5] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x5xf32>
  return %14 : tensor<4x4x5xf32>
}
