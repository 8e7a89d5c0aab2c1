// RUN: sdy-opt %s --sdy-user-priority-propagate | filecheck %s

// The reference crashes here.

sdy.mesh @mesh = <["a"=2]>

// A value that dies while priority 0 is propagated has no part in later rounds.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: return
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}p1, {?}]>]>} : tensor<8x8xf32>
  return %arg0 : tensor<8x8xf32>
}
