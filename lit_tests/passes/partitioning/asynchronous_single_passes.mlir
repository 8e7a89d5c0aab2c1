// RUN: not sdy-opt %s --sdy-resolve-permutation-factors 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not sdy-opt %s --sdy-convert-global-to-local 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: sdy-opt %s --sdy-convert-async=to=marked --sdy-resolve-permutation-factors --sdy-pad-for-divisibility --sdy-convert-global-to-local --sdy-convert-async=to=restored | filecheck %s

// A pass by itself refuses to put ops that move data beside what is started, and says which pass lets it do so.
// REFUSED: asynchronous_single_passes.mlir:16:8: error: 'stablehlo.async_start' op may hold only one op, but moving sharded values adds others; 'sdy-convert-async=to=marked' makes it synchronous during partitioning

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<4xf32>
// CHECK-NOT:     async
// CHECK:         "stablehlo.collective_permute"(%arg0)
// CHECK:         stablehlo.dynamic_slice
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8xf32>):
    %2 = stablehlo.slice %arg1 [2:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<6xf32>
    stablehlo.return %2 : tensor<6xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<6xf32>>
  %1 = "stablehlo.async_done"(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (!stablehlo.future<tensor<6xf32>>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
