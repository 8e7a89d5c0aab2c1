// RUN: sdy-opt %s --sdy-inline-calls=calls=plain-cheap | filecheck %s

// A function that is called once is inlined, and a small one that is called twice; not a long one, nor a public one.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: stablehlo.negate
  // CHECK-NEXT: call @long(
  // CHECK-NEXT: call @long(
  // CHECK-COUNT-17: stablehlo.cosine
  // CHECK-NEXT: call @public(
  // CHECK-NEXT: return
  %0 = call @small(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @small(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @long(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @long(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @once(%3) : (tensor<8xf32>) -> tensor<8xf32>
  %5 = call @public(%4) : (tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func private @small(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @long(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.sine %arg0 : tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  %2 = stablehlo.sine %1 : tensor<8xf32>
  %3 = stablehlo.sine %2 : tensor<8xf32>
  %4 = stablehlo.sine %3 : tensor<8xf32>
  %5 = stablehlo.sine %4 : tensor<8xf32>
  %6 = stablehlo.sine %5 : tensor<8xf32>
  %7 = stablehlo.sine %6 : tensor<8xf32>
  %8 = stablehlo.sine %7 : tensor<8xf32>
  %9 = stablehlo.sine %8 : tensor<8xf32>
  %10 = stablehlo.sine %9 : tensor<8xf32>
  %11 = stablehlo.sine %10 : tensor<8xf32>
  %12 = stablehlo.sine %11 : tensor<8xf32>
  %13 = stablehlo.sine %12 : tensor<8xf32>
  %14 = stablehlo.sine %13 : tensor<8xf32>
  %15 = stablehlo.sine %14 : tensor<8xf32>
  %16 = stablehlo.sine %15 : tensor<8xf32>
  return %16 : tensor<8xf32>
}
func.func private @once(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.cosine %arg0 : tensor<8xf32>
  %1 = stablehlo.cosine %0 : tensor<8xf32>
  %2 = stablehlo.cosine %1 : tensor<8xf32>
  %3 = stablehlo.cosine %2 : tensor<8xf32>
  %4 = stablehlo.cosine %3 : tensor<8xf32>
  %5 = stablehlo.cosine %4 : tensor<8xf32>
  %6 = stablehlo.cosine %5 : tensor<8xf32>
  %7 = stablehlo.cosine %6 : tensor<8xf32>
  %8 = stablehlo.cosine %7 : tensor<8xf32>
  %9 = stablehlo.cosine %8 : tensor<8xf32>
  %10 = stablehlo.cosine %9 : tensor<8xf32>
  %11 = stablehlo.cosine %10 : tensor<8xf32>
  %12 = stablehlo.cosine %11 : tensor<8xf32>
  %13 = stablehlo.cosine %12 : tensor<8xf32>
  %14 = stablehlo.cosine %13 : tensor<8xf32>
  %15 = stablehlo.cosine %14 : tensor<8xf32>
  %16 = stablehlo.cosine %15 : tensor<8xf32>
  return %16 : tensor<8xf32>
}
func.func @public(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
