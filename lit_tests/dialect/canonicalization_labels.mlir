// RUN: sdy-opt %s --canonicalize=enable-patterns=sdy-reshard | filecheck %s --check-prefix=RESHARD
// RUN: sdy-opt %s --canonicalize=enable-patterns=sdy-collective | filecheck %s --check-prefix=COLLECTIVE
// RUN: sdy-opt %s --canonicalize=disable-patterns=sdy-collective,sdy-reshard | filecheck %s --check-prefix=NEITHER
// RUN: not sdy-opt %s --canonicalize='max-iterations=1 test-convergence' 2>&1 | filecheck %s --check-prefix=ENDLESS

// With labels only the patterns of that label run. Dead ops go and equal constants merge all the same, whatever their
// shardings.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// RESHARD-LABEL: func.func @labels(
// RESHARD-NEXT:  %[[CST:.*]] = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<1.000000e+00> : tensor<8x8xf32>
// RESHARD-NEXT:  %[[SAME:.*]] = stablehlo.reshape %arg0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
// RESHARD-NEXT:  %[[RESHARD:.*]] = sdy.reshard %[[SAME]] <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// RESHARD-NEXT:  %[[GATHER:.*]] = sdy.all_gather [{}, {}] %[[RESHARD]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// RESHARD-NEXT:  return %[[GATHER]], %[[CST]], %[[CST]]

// COLLECTIVE-LABEL: func.func @labels(
// COLLECTIVE-NEXT:  %[[CST:.*]] = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<1.000000e+00> : tensor<8x8xf32>
// COLLECTIVE-NEXT:  %[[SAME:.*]] = stablehlo.reshape %arg0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
// COLLECTIVE-NEXT:  %[[FIRST:.*]] = sdy.reshard %[[SAME]] <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
// COLLECTIVE-NEXT:  %[[SECOND:.*]] = sdy.reshard %[[FIRST]] <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
// COLLECTIVE-NEXT:  return %[[SECOND]], %[[CST]], %[[CST]]

// NEITHER-LABEL: func.func @labels(
// NEITHER:      sdy.reshard %{{.*}} <@mesh, [{}, {"y"}]>
// NEITHER-NEXT: sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]>
// NEITHER-NEXT: sdy.all_gather [{}, {}]

// ENDLESS: error: 'builtin.module' op patterns still apply after 1 sweeps

func.func @labels(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  %2 = sdy.reshard %0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %4 = sdy.all_gather [{}, {}] %3 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %5 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<1.0> : tensor<8x8xf32>
  %6 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} dense<1.0> : tensor<8x8xf32>
  return %4, %5, %6 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
