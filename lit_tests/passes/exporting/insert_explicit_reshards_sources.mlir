// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Both branches of an `if`, and what a barrier passes on, are sharded like the results.
// CHECK-LABEL: func.func @if_and_barrier(
func.func @if_and_barrier(%arg0: tensor<i1>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = "stablehlo.if"(%arg0) ({
  // CHECK-NEXT: stablehlo.return %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[V3]] : tensor<8xf32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<i1>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %[[V1]] <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V5:.*]]:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x"}]>]>} %[[V1]], %[[V4]] : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: return
  %0 = "stablehlo.if"(%arg0) ({
    stablehlo.return %arg1 : tensor<8xf32>
  }, {
    %2 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<i1>) -> tensor<8xf32>
  %1:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x"}]>]>} %0, %0 : tensor<8xf32>, tensor<8xf32>
  return
}

// What comes out of a computation is matched before what goes in. The body sees the free axes, the operand all.
// CHECK-LABEL: func.func @computations(
func.func @computations(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.named_computation<"f">(%[[V1]]) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%arg1: tensor<8x8xf32>) {
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: sdy.return %[[V3]] : tensor<8x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.manual_computation(%[[V0]]) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
  // CHECK-NEXT: %[[V5:.*]] = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<2x8xf32>
  // CHECK-NEXT: sdy.return %[[V5]] : tensor<2x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
    sdy.return %arg1 : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// Sources without a sharding are replicated: they fit where nothing is sharded, and are sharded elsewhere.
// CHECK-LABEL: func.func @source_without_sharding(
func.func @source_without_sharding(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: return %arg0, %[[V0]], %arg0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %arg0, %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A call without a sharding on arguments of the callee or on operands is left alone. The results of calls are, too.
// CHECK-LABEL: func.func @call_without_any_sharding(
func.func @call_without_any_sharding(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = call @plain(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = call @sharded(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  %0 = call @plain(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @sharded(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

func.func private @plain(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func private @sharded(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %arg0 : tensor<8xf32>
}

// What is returned is summed up over the axes that the result is not unreduced over; without a sharding over all, and
// replicated.
// CHECK-LABEL: func.func @unreduced_returns(
func.func @unreduced_returns(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}) -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.sharded_to_unreduced [{"x"}] %arg0 out_sharding=<@mesh, [{}], unreduced={"x", "y"}> : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<8xf32>, tensor<8xf32>
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}
