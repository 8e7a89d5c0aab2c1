// RUN: sdy-opt %s --split-input-file --sdy-inline-calls=calls=plain | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// Bodies take the place of calls, those that are called in them included, wherever the calls are.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<i32>)
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[A]]
  // CHECK-NEXT: %[[C:.*]] = sdy.sharding_constraint %[[N]] <@mesh, [{"x"}]>
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.case"(%[[I]]) ({
  // CHECK-NEXT:   %[[D:.*]] = sdy.sharding_constraint %[[C]] <@mesh, [{"x"}]>
  // CHECK-NEXT:   stablehlo.return %[[D]]
  // CHECK: return %[[C]], %[[R]]
  %0 = call @outer(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.case"(%arg1) ({
    %2 = func.call @inner(%0) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @outer(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = call @inner(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @inner(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// Calls with attributes stay, and calls of functions that say how they are sharded or have no body of one block.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: call @f(%{{.*}}) {mhlo.frontend_attributes
  // CHECK-NEXT: call @f(%{{.*}}) {sdy.sharding
  // CHECK-NEXT: call @argument(
  // CHECK-NEXT: call @result(
  // CHECK-NEXT: call @kept(
  // CHECK-NEXT: call @elsewhere(
  // CHECK-NEXT: return
  %0 = call @f(%arg0) {mhlo.frontend_attributes = {_xla_compute_type = "host"}} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @argument(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @result(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @kept(%3) : (tensor<8xf32>) -> tensor<8xf32>
  %5 = call @elsewhere(%4) : (tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func private @argument(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func private @result(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %arg0 : tensor<8xf32>
}
func.func private @kept(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {no_inline} {
  return %arg0 : tensor<8xf32>
}
func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>

// -----

// A function that calls itself is left for others to refuse.
// CHECK-LABEL: func.func private @again
// CHECK-NEXT: call @again(
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @again(
func.func private @again(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @again(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @again(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
