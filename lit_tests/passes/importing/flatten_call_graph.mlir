// RUN: sdy-opt %s --sdy-flatten-call-graph --split-input-file | filecheck %s

// The first call in callee-first order keeps the callee, others get clones; those of nested calls come first.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[CALL:.*]] = call @inner_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_1:.*]] = call @outer(%[[CALL]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_2:.*]] = call @outer_2(%[[CALL_1]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL_2]] : tensor<8xf32>
// CHECK-LABEL: func.func private @outer(
// CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: %[[CALL:.*]] = call @inner(%[[NEGATE]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
// CHECK-LABEL: func.func private @inner(
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @inner_0(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"}
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @inner_1(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"}
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @outer_2(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "outer"}
// CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: %[[CALL:.*]] = call @inner_1(%[[NEGATE]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @inner(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @outer(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @outer(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @outer(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = call @inner(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @inner(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// Names: a number is used up by each name that is tried; the original name is that of the first original.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[CALL:.*]] = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_1:.*]] = call @f_1(%[[CALL]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_2:.*]] = call @f_2(%[[CALL_1]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_3:.*]] = call @f_0(%[[CALL_2]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_4:.*]] = call @f_0_3(%[[CALL_3]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL_4]] : tensor<8xf32>
// CHECK-LABEL: func.func private @f(
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @f_0(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "g"}
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @f_1(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "f"}
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @f_2(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "f"}
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-LABEL: func.func private @f_0_3(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "g"}
// CHECK-NEXT: return %arg0 : tensor<8xf32>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @f_0(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @f_0(%3) : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func private @f_0(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "g"} {
  return %arg0 : tensor<8xf32>
}

// -----

// Calls in regions are calls; declarations are cloned; shardings are copied.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg1) ({
// CHECK-NEXT:   %[[CALL:.*]] = func.call @declared(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   stablehlo.return %[[CALL]] : tensor<8xf32>
// CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_1:.*]] = call @declared_0(%[[CASE]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL_1]] : tensor<8xf32>
// CHECK: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
// CHECK: func.func private @declared_0(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) attributes {sdy.original_func_name = "declared"}

sdy.mesh @mesh = <["a"=2]>

func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%arg1) ({
    %2 = func.call @declared(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %1 = call @declared(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
