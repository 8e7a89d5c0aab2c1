// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=given-shardings | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTRAINED:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> {sdy.given} : tensor<8xf32>
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %[[CONSTRAINED]] <@mesh, [{}]> {sdy.given} : tensor<8xf32>
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[MOVED]] {sdy.given, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // CHECK-NEXT: stablehlo.negate %[[TANH]] : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.tanh %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %3 = stablehlo.negate %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
