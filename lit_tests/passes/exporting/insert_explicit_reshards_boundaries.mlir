// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What enters a loop and what comes out of its body is sharded like the result. Each reshard stands right behind the
// value, so of two reshards of one value the later one comes first.
// CHECK-LABEL: func.func @while_loop(
func.func @while_loop(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]]:2 = stablehlo.while(%iterArg = %[[V1]], %iterArg_0 = %[[V0]]) : tensor<8x8xf32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>, <@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<true> : tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[C]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %iterArg_0 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.return %[[V3]], %iterArg_0 : tensor<8x8xf32>, tensor<8x8xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %0:2 = stablehlo.while(%arg1 = %arg0, %arg2 = %arg0) : tensor<8x8xf32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>, <@mesh, [{}, {"x"}]>]>}
   cond {
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %arg2, %arg2 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return
}

// In a loop that still has an edge the loop variable is sharded like the edge, while sources go where the result says.
// CHECK-LABEL: func.func @while_loop_with_edge(
func.func @while_loop_with_edge(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]]:2 = stablehlo.while(%iterArg = %[[V0]], %iterArg_0 = %arg0)
  // CHECK: } do {
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.add %iterArg, %iterArg_0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[V3]], %iterArg_0 : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: sdy.data_flow_edge %[[V1]]#0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %0:2 = stablehlo.while(%arg1 = %arg0, %arg2 = %arg0) : tensor<8xf32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x"}]>]>}
   cond {
    %2 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    stablehlo.return %2, %arg2 : tensor<8xf32>, tensor<8xf32>
  }
  %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  return
}

// Every branch returns what the result is sharded like.
// CHECK-LABEL: func.func @case(
func.func @case(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT: stablehlo.return %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[V3]] : tensor<8xf32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.case"(%arg1) ({
    stablehlo.return %arg0 : tensor<8xf32>
  }, {
    %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<i32>) -> tensor<8xf32>
  return
}

// Inside a manual computation the manual axes do not count.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.manual_computation(%[[V0]]) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<2x8xf32>
  // CHECK-NEXT: sdy.return %[[V2]] : tensor<2x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
    sdy.return %arg1 : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// A named computation without a sharding for its results returns replicated ones.
// CHECK-LABEL: func.func @named_computation(
func.func @named_computation(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.named_computation<"f">(%[[V0]]) in_shardings=[<@mesh, [{"y"}]>] (%arg1: tensor<8xf32>) {
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %arg1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: sdy.return %[[V2]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{"y"}]>] (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// The operands of a call are sharded like the arguments of the callee; missing ones are open.
// CHECK-LABEL: func.func @call(
func.func @call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{?}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = call @callee(%[[V1]], %[[V0]]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = call @callee(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @callee(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// Without any sharding on the arguments of the callee the operands are replicated.
// CHECK-LABEL: func.func @call_without_shardings(
func.func @call_without_shardings(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = call @callee_without_shardings(%[[V0]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return
  %0 = call @callee_without_shardings(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @callee_without_shardings(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// Returned values are resharded in front of the return, in order.
// CHECK-LABEL: func.func @returns(
func.func @returns(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<8xf32>, tensor<8xf32>
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}
