// RUN: sdy-opt %s --sdy-capture-loop-invariants | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// The inner loop hands %y on, so that the outer one does not change it, either.
// CHECK-LABEL: func.func @nested
func.func @nested(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[W:.*]] = stablehlo.while(%[[X:.*]] = %arg0) : tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.return %arg2
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %[[V:.*]] = stablehlo.while(%[[U:.*]] = %[[X]]) : tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
  // CHECK:        } do {
  // CHECK-NEXT:     %[[S:.*]] = stablehlo.add %[[U]], %arg1
  // CHECK-NEXT:     stablehlo.return %[[S]] : tensor<8xf32>
  // CHECK-NEXT:   }
  // CHECK-NEXT:   stablehlo.return %[[V]] : tensor<8xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[W]], %arg1
  %0:3 = stablehlo.while(%x = %arg0, %y = %arg1, %p = %arg2) : tensor<8xf32>, tensor<8xf32>, tensor<i1> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [{}]>, <@mesh, []>]>}
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%u = %x, %v = %y) : tensor<8xf32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [{}]>]>}
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = stablehlo.add %u, %v : tensor<8xf32>
      stablehlo.return %2, %v : tensor<8xf32>, tensor<8xf32>
    }
    stablehlo.return %1#0, %1#1, %arg2 : tensor<8xf32>, tensor<8xf32>, tensor<i1>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// A loop without a sharding stays, and one that changes nothing carries what it carried.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.while(%{{.*}} = %arg0, %[[P:.*]] = %arg1) : tensor<8xf32>, tensor<i1>
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.return %[[P]]
  %0:2 = stablehlo.while(%x = %arg0, %p = %arg1) : tensor<8xf32>, tensor<i1>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %2 = stablehlo.sine %x : tensor<8xf32>
    stablehlo.return %2, %p : tensor<8xf32>, tensor<i1>
  }
  // CHECK:      stablehlo.while(%{{.*}} = %arg0) : tensor<8xf32>
  %1 = stablehlo.while(%x = %arg0) : tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
  cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    stablehlo.return %x : tensor<8xf32>
  }
  return %0#0, %1 : tensor<8xf32>, tensor<8xf32>
}
