// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline='save-communication=false combine-multi-dimension-reduce-scatter=false' | filecheck %s --check-prefix=PLAIN

sdy.mesh @mesh = <["x"=2, "y"=2]>

// A sum over both axes of which each device keeps a part in both dimensions is scattered at once.
// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.reduce_scatter"
// CHECK-NOT: all_reduce
// CHECK: return
// PLAIN-LABEL: func.func @main
// PLAIN: "stablehlo.all_reduce"
// PLAIN: stablehlo.dynamic_slice
func.func @main(%arg0: tensor<4x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x", "y"}]>})
    -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}, {"y"}]> : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
