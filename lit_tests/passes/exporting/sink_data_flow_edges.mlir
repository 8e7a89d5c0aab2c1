// RUN: sdy-opt %s --sdy-sink-data-flow-edges | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The shardings of the edges go to the loop; an edge without one leaves its result open, as does a missing edge.
// CHECK-LABEL: func.func @while_loop(
func.func @while_loop(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>, %arg2: !stablehlo.token) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[V0:.*]]:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2) : tensor<8xf32>, tensor<4xf32>, !stablehlo.token attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}], replicated={"y"}>, <@mesh, [{?}]>, <@mesh, []>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[C]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: stablehlo.return %iterArg, %iterArg_0, %iterArg_1 : tensor<8xf32>, tensor<4xf32>, !stablehlo.token
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1 : tensor<8xf32>, tensor<4xf32>
  %0:3 = stablehlo.while(%arg3 = %arg0, %arg4 = %arg1, %arg5 = %arg2) : tensor<8xf32>, tensor<4xf32>, !stablehlo.token
   cond {
    %3 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    stablehlo.return %arg3, %arg4, %arg5 : tensor<8xf32>, tensor<4xf32>, !stablehlo.token
  }
  %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{"x", ?}], replicated={"y"}> : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 : tensor<4xf32>
  return %1, %2 : tensor<8xf32>, tensor<4xf32>
}

// Where no edge has a sharding the op keeps those it has.
// CHECK-LABEL: func.func @no_sharding_on_edges(
func.func @no_sharding_on_edges(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} %arg0 : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} %arg0 : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The edge of an argument of a manual computation holds what the body sees: the manual axes come back in front.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y", ?}]>] out_shardings=[<@mesh, [{"x", "y"}, {?}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<2x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8x8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
    %2 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{}, {"y", ?}]> : tensor<2x8xf32>
    sdy.return %2 : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x", "y"}, {?}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A named computation has edges on both sides.
// CHECK-LABEL: func.func @named_computation(
func.func @named_computation(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"x"}]>] (%arg1: tensor<8xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8xf32>) {
    %2 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"y"}]> : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Unreduced axes stay those of the operand, with their reduction.
// Unlike the reference, which makes it a sum.
// CHECK-LABEL: func.func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced=max{"y"}>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<2xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
    %1 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{}], unreduced=max{"y"}> : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
