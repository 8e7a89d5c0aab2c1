// RUN: sdy-opt %s --sdy-propagation-pipeline=propagate-through-async=true | filecheck %s
// RUN: sdy-opt %s --sdy-propagation-pipeline 2>/dev/null | filecheck %s --check-prefix=OFF

sdy.mesh @m = <["a"=2]>

// With the option the result of an asynchronous slice is sharded like the slice; without, as in the reference, it is not.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>})
// OFF-LABEL:   func.func @main
// OFF-SAME:      {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}) -> tensor<4x8xf32> {
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: "stablehlo.async_start"(%arg0)
  // CHECK:        stablehlo.slice {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>}
  // CHECK:      }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  // CHECK-NEXT: "stablehlo.async_done"(%{{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>}
  // OFF:        "stablehlo.async_done"(%{{.*}}) : (
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8x8xf32>):
    %2 = stablehlo.slice %arg1 [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %2 : tensor<4x8xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
