// RUN: sdy-opt %s --sdy-forward-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// From operands to results and to other operands; not from a result that has a sharding to its operands.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>)
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %0 = stablehlo.sine %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.add %arg0, %[[SINE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %1 = stablehlo.add %arg0, %0 : tensor<8x8xf32>
  // CHECK-NEXT: %[[COSINE:.*]] = stablehlo.cosine %arg2 : tensor
  %2 = stablehlo.cosine %arg2 : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.tanh %[[COSINE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}]>]>}
  %3 = stablehlo.tanh %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}]>]>} : tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Constraints are passed by and stay what they are, closed dimensions included.
// CHECK-LABEL: func.func @constraint
func.func @constraint(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
  %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  // CHECK-NEXT: sdy.sharding_constraint %{{.*}} <@mesh, [{}, {"b"}]>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"b"}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.sine {{.*}}[{"a", ?}, {?}]
  %2 = stablehlo.sine %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// User priorities are not looked at.
// CHECK-LABEL: func.func @priorities
func.func @priorities(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p3, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}p1]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a", ?}, {"b", ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Around a loop: what it starts with shards its body and its result, and what its body returns shards the start.
// CHECK-LABEL: func.func @loop
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}
func.func @loop(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[LOOP:.*]]:2 = stablehlo.while
  %0:2 = stablehlo.while(%x = %arg0, %y = %arg1) : tensor<8x8xf32>, tensor<8x8xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    // CHECK: stablehlo.cosine {{.*}}[{"a", ?}, {?}]
    %1 = stablehlo.cosine %x : tensor<8x8xf32>
    %2 = stablehlo.tanh %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>} : tensor<8x8xf32>
    stablehlo.return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  // CHECK: sdy.data_flow_edge %[[LOOP]]#0 sharding=<@mesh, [{"a", ?}, {?}]>
  %3 = sdy.data_flow_edge %0#0 : tensor<8x8xf32>
  // CHECK-NEXT: sdy.data_flow_edge %[[LOOP]]#1 sharding=<@mesh, [{?}, {"b", ?}]>
  %4 = sdy.data_flow_edge %0#1 : tensor<8x8xf32>
  // CHECK-NEXT: return
  return %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
