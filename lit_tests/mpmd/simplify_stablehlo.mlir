// RUN: sdy-opt %s --stablehlo-target-independent-optimization | filecheck %s

// Constants go to the right of sums, neutral ones go.
// CHECK-LABEL: @neutral
func.func @neutral(%arg0: tensor<4xf32>, %arg1: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  // CHECK-NEXT: %[[TWO:.*]] = stablehlo.constant dense<2.000000e+00>
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %[[TWO]]
  // CHECK-NEXT: return %arg0, %[[SUM]], %arg1
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %true = stablehlo.constant dense<true> : tensor<4xi1>
  %0 = stablehlo.add %zero, %arg0 : tensor<4xf32>
  %1 = stablehlo.add %two, %arg0 : tensor<4xf32>
  %2 = stablehlo.and %arg1, %true : tensor<4xi1>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// What a loop counts with, and the slice that it takes there, are known where the loop has been unrolled.
// CHECK-LABEL: @index
func.func @index(%arg0: tensor<4x8xf32>) -> tensor<1x8xf32> {
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.slice %arg0 [3:4, 0:8]
  // CHECK-NEXT: return %[[ROW]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<ui32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.convert %three : (tensor<ui32>) -> tensor<i32>
  %1 = stablehlo.add %0, %four : tensor<i32>
  %2 = stablehlo.compare LT, %0, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.select %2, %1, %0 : tensor<i1>, tensor<i32>
  %4 = stablehlo.dynamic_slice %arg0, %3, %zero, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  return %4 : tensor<1x8xf32>
}

// A transpose of single elements is a reshape; a slice of joined tensors is one of a part.
// CHECK-LABEL: @movements
func.func @movements(%arg0: tensor<1x4xf32>, %arg1: tensor<4xf32>) -> (tensor<4x1xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[COLUMN:.*]] = stablehlo.reshape %arg0
  // CHECK-NEXT: return %[[COLUMN]], %arg1
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %2 = stablehlo.concatenate %1, %arg1, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %3 = stablehlo.slice %2 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
  return %0, %3 : tensor<4x1xf32>, tensor<4xf32>
}

// A value that no iteration changes is not carried.
// CHECK-LABEL: @loop
func.func @loop(%arg0: tensor<i32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[LOOP:.*]]:2 = stablehlo.while(%[[I:.*]] = %arg0, %[[X:.*]] = %arg1) : tensor<i32>, tensor<4xf32>
  // CHECK: stablehlo.add %[[X]], %arg2
  // CHECK: return %[[LOOP]]#1
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %arg0, %x = %arg1, %y = %arg2) : tensor<i32>, tensor<4xf32>, tensor<4xf32> cond {
    %1 = stablehlo.compare LT, %i, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %x, %y : tensor<4xf32>
    stablehlo.return %1, %2, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// The `any` of no elements is not the repeated boolean, but the initial value.
// CHECK-LABEL: @any_of_nothing
func.func @any_of_nothing() -> tensor<i1> {
  // CHECK: %[[ANY:.*]] = stablehlo.constant dense<false>
  // CHECK-NEXT: return %[[ANY]]
  %values = stablehlo.constant dense<true> : tensor<0xi1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%values init: %false) applies stablehlo.or across dimensions = [0] : (tensor<0xi1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// Tensors without elements are constants.
// CHECK-LABEL: @empty
func.func @empty(%arg0: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // CHECK-NEXT: %[[EMPTY:.*]] = stablehlo.constant dense<> : tensor<0x4xf32>
  // CHECK-NEXT: return %[[EMPTY]]
  %0 = stablehlo.tanh %arg0 : tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// Constants of all types are computed with.
// CHECK-LABEL: @bfloat16
func.func @bfloat16() -> tensor<2xbf16> {
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xbf16>
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %1 = stablehlo.add %0, %0 : tensor<2xbf16>
  return %1 : tensor<2xbf16>
}
