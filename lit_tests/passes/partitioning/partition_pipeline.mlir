// RUN: sdy-opt %s --sdy-partition-pipeline=keep-records | filecheck %s

// A product of which one operand says how it is sharded: the rest follows. The records say how the arguments and the
// result are distributed.
// CHECK:      module attributes {sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["x"=2, "y"=2]>, [{"x"}, {}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2, "y"=2]>, [{"x"}, {"y"}]>, <mesh<["x"=2, "y"=2]>, [{"y"}, {}]>]>} {
// CHECK-NEXT:   func.func @main(%arg0: tensor<4x32xf32>, %arg1: tensor<32x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:     %[[DOT:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:     %[[SUM:.*]] = "stablehlo.all_reduce"(%[[DOT]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
// CHECK:          }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:     return %[[SUM]] : tensor<4x6xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<64x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
