// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Of the kernel's rows three are on every device, and summed up as they are. The last device has padding as its fourth:
// of that row the windows are put one behind the other, zeros where it is padding.
// CHECK-LABEL: func.func @kernel_gradient
func.func @kernel_gradient(%arg0: tensor<4x15x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<15x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<4x3x4xf32> {
  // CHECK:        sdy.manual_computation({{.*}}manual_axes={"x"} (%{{.*}}: tensor<4x4x8xf32>, %[[KERNEL:.*]]: tensor<4x8x4xf32>) {
  // CHECK:          %[[REACHED:.*]] = stablehlo.concatenate {{.*}} -> tensor<4x6x8xf32>
  // CHECK:          %[[LAST:.*]] = stablehlo.slice %[[REACHED]] [0:4, 5:6, 0:8]
  // CHECK-NEXT:     %[[COUNTED:.*]] = stablehlo.select %{{.*}}, %[[LAST]], %{{.*}}
  // CHECK-NEXT:     %[[APART:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, %[[COUNTED]], dim = 1 {{.*}} -> tensor<4x3x8xf32>
  // CHECK-NEXT:     %[[THREE:.*]] = stablehlo.slice %[[KERNEL]] [0:3, 0:8, 0:4]
  // CHECK-NEXT:     %[[FOURTH:.*]] = stablehlo.slice %[[KERNEL]] [3:4, 0:8, 0:4]
  // CHECK-NEXT:     %[[FIVE:.*]] = stablehlo.slice %[[REACHED]] [0:4, 0:5, 0:8]
  // CHECK-NEXT:     %[[SUM:.*]] = stablehlo.convolution(%[[FIVE]], %[[THREE]])
  // CHECK-NEXT:     %[[REST:.*]] = stablehlo.convolution(%[[APART]], %[[FOURTH]]) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = {{\[\[0, 0\]\]}}}
  // CHECK-NEXT:     %[[ALL:.*]] = stablehlo.add %[[SUM]], %[[REST]]
  // CHECK-NEXT:     sdy.return %[[ALL]]
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}], unreduced={"x"}>]>} : (tensor<4x15x8xf32>, tensor<15x8x4xf32>) -> tensor<4x3x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}, {}]> : tensor<4x3x4xf32>
  return %1 : tensor<4x3x4xf32>
}

// A second sum would take more memory here than it saves: the windows of all rows are put one behind the other.
// CHECK-LABEL: func.func @many_features
func.func @many_features(%arg0: tensor<4x15x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<15x2x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<4x3x64xf32> {
  // CHECK:          %[[APART:.*]] = stablehlo.concatenate {{.*}} -> tensor<4x12x2xf32>
  // CHECK-NEXT:     stablehlo.convolution(%[[APART]], %{{.*}}) {{.*}}stride = [4]
  // CHECK-NEXT:     sdy.return
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}], unreduced={"x"}>]>} : (tensor<4x15x2xf32>, tensor<15x2x64xf32>) -> tensor<4x3x64xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}, {}]> : tensor<4x3x64xf32>
  return %1 : tensor<4x3x64xf32>
}
