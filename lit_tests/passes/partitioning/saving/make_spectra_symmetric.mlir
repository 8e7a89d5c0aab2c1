// RUN: sdy-opt %s --sdy-make-spectra-symmetric | filecheck %s

// With an even length the last column is made symmetric, too.
// CHECK-LABEL: func.func @even
// CHECK: %[[FIRST:.*]] = stablehlo.slice %arg0 [0:4, 0:4, 0:1]
// CHECK: %[[ONE:.*]] = stablehlo.slice %[[FIRST]] [0:4, 0:1, 0:1]
// CHECK: %[[OTHERS:.*]] = stablehlo.slice %[[FIRST]] [0:4, 1:4, 0:1]
// CHECK: %[[BACK:.*]] = stablehlo.reverse %[[OTHERS]], dims = [1]
// CHECK: %[[MIRROR:.*]] = stablehlo.concatenate %[[ONE]], %[[BACK]], dim = 1
// CHECK: stablehlo.real %[[MIRROR]]
// CHECK: %[[MEAN:.*]] = stablehlo.multiply
// CHECK: %[[MIDDLE:.*]] = stablehlo.slice %arg0 [0:4, 0:4, 1:2]
// CHECK: stablehlo.slice %arg0 [0:4, 0:4, 2:3]
// CHECK: %[[LAST:.*]] = stablehlo.multiply
// CHECK: %[[X:.*]] = stablehlo.concatenate %[[MEAN]], %[[MIDDLE]], %[[LAST]]
// CHECK: stablehlo.fft %[[X]], type = IRFFT, length = [4, 4] : (
func.func @even(%arg0: tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x4xf32> {
  %0 = stablehlo.fft %arg0, type = IRFFT, length = [4, 4] {sdy.symmetric} : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}

// CHECK-LABEL: func.func @unmarked
// CHECK-NEXT: stablehlo.fft %arg0
func.func @unmarked(%arg0: tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x4xf32> {
  %0 = stablehlo.fft %arg0, type = IRFFT, length = [4, 4] : (tensor<4x4x3xcomplex<f32>>) -> tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}
