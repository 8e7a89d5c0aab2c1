// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=fold-collectives | filecheck %s
// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=spare-permutes | filecheck %s --check-prefix=SPARED

sdy.mesh @mesh = <["x"=2, "y"=2]>

// A slice of what was gathered is what was there before.
// CHECK-LABEL: func.func @undone
// CHECK:       return %arg0
func.func @undone(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = sdy.all_slice [{"x"}] %0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A tensor with a dimension for each axis needs no permute.
// CHECK-LABEL: func.func @swap
// CHECK:       sdy.collective_permute
// SPARED-LABEL: func.func @swap
// SPARED-NEXT:  stablehlo.reshape %arg0
// SPARED-NEXT:  sdy.all_to_all [{"x"}: 0->3]
// SPARED-NEXT:  sdy.all_to_all [{"y"}: 1->0]
// SPARED-NEXT:  stablehlo.reshape
func.func @swap(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
