// RUN: sdy-opt %s --sdy-pre-order-funcs | filecheck %s

// Functions with a body go to the end, callers before callees; the rest stays in front.

// CHECK: func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
// CHECK: sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @unrelated(
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[CALL:.*]] = call @first(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_1:.*]] = call @second(%[[CALL]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL_1]] : tensor<8xf32>
// CHECK-LABEL: func.func private @first(
// CHECK-NEXT: %[[CALL:.*]] = call @inner(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
// CHECK-LABEL: func.func private @inner(
// CHECK-NEXT: %[[CALL:.*]] = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
// CHECK-LABEL: func.func private @second(
// CHECK-NEXT: return %arg0 : tensor<8xf32>

func.func private @second(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @first(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @second(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

func.func private @declared(tensor<8xf32>) -> tensor<8xf32>

func.func private @first(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @inner(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func private @inner(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @unrelated(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

sdy.mesh @mesh = <["a"=2]>
