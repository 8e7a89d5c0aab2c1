// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s
// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true machine="flops=1e7 bandwidth=1e9"' | filecheck %s --check-prefix=SLOW
// RUN: not sdy-opt %s --sdy-resolve-permutation-factors='machine=abacus' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: 'sdy-resolve-permutation-factors': no machine 'abacus'

sdy.mesh @mesh = <["x"=4]>

// The gradient of a kernel. On most machines it takes longer to add up all of it than to let each device do all products;
// where products take long, each does those with its part, of the input which all have.
// CHECK-LABEL: func.func @kernel_gradient
// SLOW-LABEL: func.func @kernel_gradient
func.func @kernel_gradient(%arg0: tensor<2x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<7x3x8xf32> {
  // CHECK-NEXT: %[[INPUT:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}, {}]>
  // CHECK-NEXT: %[[KERNEL:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}, {}]>
  // CHECK-NEXT: stablehlo.convolution(%[[INPUT]], %[[KERNEL]])
  // SLOW:      sdy.manual_computation(%arg0, %arg1) {{.*}} unreduced={"x"}>] manual_axes={"x"} (%[[PART:.*]]: tensor<2x1x3xf32>, %[[KERNEL:.*]]: tensor<2x1x8xf32>) {
  // SLOW:        %[[INPUT:.*]] = "stablehlo.all_gather"(%[[PART]])
  // SLOW:        %[[PADDED:.*]] = stablehlo.pad %[[INPUT]]
  // SLOW:        %[[MET:.*]] = stablehlo.dynamic_slice %[[PADDED]], {{.*}} -> tensor<2x7x3xf32>
  // SLOW-NEXT:   stablehlo.convolution(%[[MET]], %[[KERNEL]]) {{.*}} : (tensor<2x7x3xf32>, tensor<2x1x8xf32>) -> tensor<7x3x8xf32>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[3, 3]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}], unreduced={"x"}>]>}
      : (tensor<2x4x3xf32>, tensor<2x4x8xf32>) -> tensor<7x3x8xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}, {}]> : tensor<7x3x8xf32>
  return %1 : tensor<7x3x8xf32>
}
