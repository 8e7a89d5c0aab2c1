// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=exchange-major-dimensions | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @to_rows
func.func @to_rows(%arg0: tensor<2x8x3xf32>) -> tensor<8x2x3xf32> {
  // CHECK-NEXT: %[[PARTS:.*]] = stablehlo.reshape %arg0 : (tensor<2x8x3xf32>) -> tensor<2x4x2x3xf32>
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.transpose %[[PARTS]], dims = [1, 0, 2, 3] : (tensor<2x4x2x3xf32>) -> tensor<4x2x2x3xf32>
  // CHECK-NEXT: %[[FLAT:.*]] = stablehlo.reshape %[[ROW]] : (tensor<4x2x2x3xf32>) -> tensor<8x2x3xf32>
  // CHECK-NEXT: %[[ONCE:.*]] = stablehlo.optimization_barrier %[[FLAT]] : tensor<8x2x3xf32>
  // CHECK-NEXT: %[[SENT:.*]] = "stablehlo.all_to_all"(%[[ONCE]]) <{channel_handle = {{.*}}, concat_dimension = 0 : i64, {{.*}}split_count = 4 : i64, split_dimension = 0 : i64}>
  // CHECK-NEXT: return %[[SENT]]
  %0 = "stablehlo.all_to_all"(%arg0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x8x3xf32>) -> tensor<8x2x3xf32>
  return %0 : tensor<8x2x3xf32>
}

// What arrives is joined along another dimension.
// CHECK-LABEL: func.func @to_columns
func.func @to_columns(%arg0: tensor<8x2xf32>) -> tensor<2x8xf32> {
  // CHECK-NEXT: "stablehlo.all_to_all"(%arg0)
  // CHECK-NEXT: return
  %0 = "stablehlo.all_to_all"(%arg0) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<8x2xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// The result keeps its sharding.
// CHECK-LABEL: func.func @with_sharding
func.func @with_sharding(%arg0: tensor<2x8xf32>) -> tensor<8x2xf32> {
  // CHECK: "stablehlo.all_to_all"({{.*}}) <{{{.*}}}> {sdy.sharding = {{.*}}} : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %0 = "stablehlo.all_to_all"(%arg0) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<2x8xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
