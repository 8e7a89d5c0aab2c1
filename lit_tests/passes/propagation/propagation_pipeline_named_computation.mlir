// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// A named computation of the program itself is propagated through, and becomes a function.
// Unlike the reference, which gives it its edges twice and refuses them.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @named(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = sdy.named_computation<"named">(%arg0) (%arg1: tensor<8xf32>) {
    %1 = stablehlo.tanh %arg1 : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
