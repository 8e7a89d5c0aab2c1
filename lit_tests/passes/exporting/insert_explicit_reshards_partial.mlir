// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Most ops are left alone, and so is what a function returns.
// CHECK-LABEL: func.func @left_alone(
func.func @left_alone(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8x8xf32>
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A concatenation whose operands are not sharded like the result is treated in full.
// CHECK-LABEL: func.func @concatenate(
func.func @concatenate(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.concatenate %[[V0]], %[[V1]], dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  return
}

// The contracting axis is wanted on a free dimension: the result keeps the axis of its operand there and is moved
// afterwards, since it is smaller than that operand.
// CHECK-LABEL: func.func @dot(
func.func @dot(%arg0: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}, {"x"}]> : tensor<4x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  return
}

// A larger result is better left as it is.
// CHECK-LABEL: func.func @dot_with_large_result(
func.func @dot_with_large_result(%arg0: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<64x4xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<64x4xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
  return
}

// The operands of calls are always made to fit.
// CHECK-LABEL: func.func @call(
func.func @call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = call @callee(%[[V0]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = call @callee(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @callee(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// A concatenation that agrees, openness included, is left alone; so are data-flow ops, but not their unreduced axes.
// CHECK-LABEL: func.func @others(
func.func @others(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"y"} %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.concatenate %arg0, %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  // CHECK-NEXT: %[[V2:.*]]:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x"}]>]>} %arg0, %[[V0]] : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %1:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x"}]>]>} %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  return
}

// For that barriers are not looked through: here the operand is sharded like the result, so nothing is done.
// CHECK-LABEL: func.func @concatenate_behind_a_barrier(
func.func @concatenate_behind_a_barrier(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.propagation_barrier %arg0
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.concatenate %[[V0]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // CHECK-NEXT: return %[[V1]]
  %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = stablehlo.concatenate %0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Whether a concatenation is treated in full is settled by its operands as they were, unreduced.
// CHECK-LABEL: func.func @unreduced_concatenate(
func.func @unreduced_concatenate(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}, {}]> : tensor<8x2xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.concatenate %[[V1]], dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x2xf32>) -> tensor<8x2xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.concatenate %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x2xf32>) -> tensor<8x2xf32>
  return
}
