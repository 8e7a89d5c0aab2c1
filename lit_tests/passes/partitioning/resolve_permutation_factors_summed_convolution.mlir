// RUN: sdy-opt %s --sdy-resolve-permutation-factors | filecheck %s

sdy.mesh @mesh = <["c"=2, "a"=3, "b"=2]>

// A kernel that is gathered along some of its axes leaves less to sum; then it is the sum that is resharded.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x6x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}, {"c"}, {"b"}]>}, %arg1: tensor<1x3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"c"}, {"b"}, {}]>}) -> tensor<8x6x2x8xf32> {
  // CHECK:      %[[PARTIAL:.*]] = stablehlo.convolution({{.*}}) {{.*}}sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}, {}], unreduced={"b"}>]>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"b"} %[[PARTIAL]] out_sharding=<@mesh, [{}, {}, {}, {}]>
  // CHECK-NEXT: %[[PART:.*]] = sdy.reshard %[[SUM]] <@mesh, [{}, {"a"}, {}, {}]>
  // CHECK-NEXT: return %[[PART]]
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}, {}, {}], unreduced={"c", "b"}>]>} : (tensor<8x6x4x4xf32>, tensor<1x3x4x8xf32>) -> tensor<8x6x2x8xf32>
  %1 = sdy.all_reduce {"c", "b"} %0 out_sharding=<@mesh, [{}, {"a"}, {}, {}]> : tensor<8x6x2x8xf32>
  return %1 : tensor<8x6x2x8xf32>
}
