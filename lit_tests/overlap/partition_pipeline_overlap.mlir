// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s --check-prefix=OFF
// RUN: sdy-opt %s --sdy-partition-pipeline='overlap=true' | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline='overlap=true machine={flops=1e15 bandwidth=1e9}' | filecheck %s --check-prefix=FAST

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// OFF-LABEL:   func.func @main
// FAST-LABEL:  func.func @main
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK:     stablehlo.async_start
  // CHECK:     stablehlo.collective_permute
  // CHECK:     stablehlo.async_done
  // OFF-NOT:   async_start
  // OFF:       stablehlo.all_gather
  // FAST:      stablehlo.async_start
  // FAST-NEXT: ^bb0
  // FAST-NEXT: stablehlo.all_gather
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
