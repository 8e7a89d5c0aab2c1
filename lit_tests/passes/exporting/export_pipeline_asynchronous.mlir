// RUN: sdy-opt %s --sdy-propagation-pipeline=propagate-through-async=true --sdy-export-pipeline=partitioner-stage=resolve-permutation-factors | filecheck %s --check-prefix=GLOBAL
// RUN: sdy-opt %s --sdy-propagation-pipeline=propagate-through-async=true --sdy-export-pipeline=partitioner-stage=convert-global-to-local 2>&1 | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// A slice of what every device has a part of is asynchronous again once it is local; the done stays late. Where the
// dimension that is cut is sharded, the slice becomes other ops.
// CHECK: remark: 'stablehlo.slice' stays synchronous: the partitioner has made other ops of it
// GLOBAL-LABEL: func.func @main
// CHECK-LABEL:  func.func @main
// CHECK-SAME:     %arg0: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<8x2xf32>)
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  // GLOBAL:      %[[F:.*]] = "stablehlo.async_start"(%arg0)
  // GLOBAL:        stablehlo.slice {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{}, {"x"}]>]>}
  // CHECK:       %[[F:.*]] = "stablehlo.async_start"(%arg0) ({
  // CHECK-NEXT:  ^bb0(%[[X:.*]]: tensor<8x4xf32>):
  // CHECK-NEXT:    stablehlo.slice %[[X]] [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8x8xf32>):
    %2 = stablehlo.slice %x [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %2 : tensor<4x8xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %g = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8x8xf32>):
    %2 = stablehlo.slice %x [0:8, 0:4] : (tensor<8x8xf32>) -> tensor<8x4xf32>
    stablehlo.return %2 : tensor<8x4xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<8x4xf32>>
  %1 = "stablehlo.async_done"(%g) : (!stablehlo.future<tensor<8x4xf32>>) -> tensor<8x4xf32>
  // CHECK-NOT:   async_start
  // GLOBAL:      %[[T:.*]] = stablehlo.tanh
  // GLOBAL-NEXT: %[[D:.*]] = "stablehlo.async_done"(%[[F]]) {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{}, {"x"}]>]>}
  // CHECK:       %[[T:.*]] = stablehlo.tanh
  // CHECK-NEXT:  %[[D:.*]] = "stablehlo.async_done"(%[[F]])
  // CHECK-NEXT:  return %[[D]], %[[T]]
  %t = stablehlo.tanh %1 : tensor<8x4xf32>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<8x4xf32>
}
