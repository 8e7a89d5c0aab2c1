// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-propagation-pipeline='dedup-functions-fully=true' | filecheck %s --check-prefix=CALLS

sdy.mesh @mesh = <["data"=2, "model"=2, "one"=1]>

// The whole way: size-one axes go, constants are split for their users, calls are propagated through, dimensions end
// up closed, and an operand that is needed otherwise is resharded. Rules, constraints and groups are gone.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}
// CHECK-SAME:    %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}
// CHECK-SAME:    -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>})
// CHECK-NOT:     sharding_rule
// CHECK-NOT:     sharding_constraint
// CALLS-LABEL: func.func @main
// CALLS-SAME:    -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>})
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "one"}, {?}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"model"}]>}) -> tensor<8x32xf32> {
  // CHECK: stablehlo.dot {{.*}}[{"data"}, {"model"}]
  // CALLS: stablehlo.dot {{.*}}[{"data"}, {"model"}]
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  // CHECK: call @scale({{.*}}[{"data"}, {"model"}]
  // CALLS: call @scale({{.*}}[{"data"}, {"model"}]
  %1 = func.call @scale(%0) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  // CHECK: stablehlo.tanh {{.*}}[{"data"}, {"model"}]
  %2 = stablehlo.tanh %1 : tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func private @scale
// CALLS-LABEL: func.func private @scale
func.func private @scale(%arg0: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // CHECK: sdy.constant
  %0 = stablehlo.constant dense<2.0> : tensor<8x32xf32>
  // CHECK: stablehlo.multiply {{.*}}[{"data"}, {"model"}]
  // CALLS: stablehlo.multiply {{.*}}[{"data"}, {"model"}]
  %1 = stablehlo.multiply %arg0, %0 : tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
