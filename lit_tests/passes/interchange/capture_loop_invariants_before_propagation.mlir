// RUN: sdy-opt %s --sdy-capture-loop-invariants='before-propagation=true' | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// What no round changes is used in the loop from outside, behind the loop as well.
// CHECK-LABEL: func.func @weight
func.func @weight(%arg0: tensor<i32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  // CHECK: %[[W:.*]]:2 = stablehlo.while(%[[I:.*]] = %arg0, %[[X:.*]] = %arg1) : tensor<i32>, tensor<8xf32>
  // CHECK: } do {
  // CHECK-NEXT: %[[NEXT:.*]] = stablehlo.add %[[I]]
  // CHECK-NEXT: %[[Y:.*]] = stablehlo.multiply %[[X]], %arg2
  // CHECK-NEXT: stablehlo.return %[[NEXT]], %[[Y]]
  // CHECK: return %[[W]]#1, %arg2
  %0:3 = stablehlo.while(%i = %arg0, %w = %arg2, %x = %arg1) : tensor<i32>, tensor<8xf32>, tensor<8xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.multiply %x, %w : tensor<8xf32>
    stablehlo.return %1, %w, %2 : tensor<i32>, tensor<8xf32>, tensor<8xf32>
  }
  return %0#2, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// A loop that has shardings is left alone.
// CHECK-LABEL: func.func @with_shardings
func.func @with_shardings(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.while(%{{.*}} = %arg0, %{{.*}} = %arg1) : tensor<8xf32>, tensor<i1>
  %0:2 = stablehlo.while(%x = %arg0, %p = %arg1) : tensor<8xf32>, tensor<i1> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>]>}
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.sine %x : tensor<8xf32>
    stablehlo.return %1, %p : tensor<8xf32>, tensor<i1>
  }
  return %0#0 : tensor<8xf32>
}
