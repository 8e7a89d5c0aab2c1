// RUN: sdy-opt %s --sdy-close-shardings | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Dimensions are closed; replicated axes go, unreduced axes, their reduction and priorities stay.
// CHECK-LABEL: func.func @functions_and_ops
// CHECK-SAME: (%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"y"}>})
func.func @functions_and_ops(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}], replicated={"y"}>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}], unreduced=max{"y"}>]>} : tensor<8x8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8x8xf32>
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}], unreduced=max{"y"}>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// The shardings that ops of the dialect keep themselves are closed too.
// CHECK-LABEL: func.func @ops_of_the_dialect
// CHECK-SAME: (%arg0: tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @ops_of_the_dialect(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_gather [{"x"}, {}] %[[V1]] out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {"y", ?}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x", ?}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@mesh, [{?}, {}], replicated={"y"}> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Computations keep lists for what goes in and what comes out; manual axes count as any other.
// CHECK-LABEL: func.func @computations
// CHECK-SAME: (%arg0: tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @computations(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.manual_computation(%[[V0]]) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<2x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8x8xf32>
  %0 = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x"}, {"y", ?}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
    sdy.return %arg1 : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Every entry of a list is closed, also that of a data-flow op and of a token.
// CHECK-LABEL: func.func @lists
// CHECK-SAME: (%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> tensor<8xf32>
func.func @lists(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]]:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, []>]>} %arg0, %arg1 : tensor<8xf32>, !stablehlo.token
  // CHECK-NEXT: return %[[V0]]#0 : tensor<8xf32>
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>, <@mesh, []>]>} %arg0, %arg1 : tensor<8xf32>, !stablehlo.token
  return %0#0 : tensor<8xf32>
}
