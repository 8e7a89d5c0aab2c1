// RUN: sdy-opt %s --sdy-convert-global-to-local | filecheck %s

// The rule on an op is one of its values, which have the types of parts: a cut dimension cuts its factors, major ones first.

sdy.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @cut
func.func @cut(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @several_factors
func.func @several_factors(%arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) -> (tensor<2x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"y":(2)2, "x"}, {}]>}) {
  // CHECK: <([j, k])->([i, j, k]) {i=1, j=1, k=3}, custom>} : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(1)2}, {"y":(2)2, "x"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=2, j=4, k=3}, custom>} : (tensor<8x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// What was not cut stays.
// CHECK-LABEL: func.func @whole
func.func @whole(%arg0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // CHECK: {i=8, j=3}, custom>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=3}, custom>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// In a manual computation a rule is one of parts already, which free axes cut.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK: {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    %1 = stablehlo.custom_call @f(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}, custom>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
