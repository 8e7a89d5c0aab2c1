// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>

// Unreduced axes come and go: the axes that a reshard takes off the end of a dimension become unreduced where they are,
// others of replicated data; an op that does not pass them on gets reduced operands.
// CHECK-LABEL: func.func @come_and_go(
func.func @come_and_go(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x", "y"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.sharded_to_unreduced [{"x":(2)2, "y"}, {}] %[[V0]] out_sharding=<@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"x":(2)2, "y"} %[[V1]] out_sharding=<@mesh, [{"x":(1)2}, {}], unreduced={"z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.negate %[[V2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"z"}>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.all_reduce {"z"} %[[V3]] out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<8x8xf32>
  %0 = sdy.reshard %arg0 <@mesh, [{"x":(1)2}, {}], unreduced={"x":(2)2, "y", "z"}> : tensor<8x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"z"}>]>} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// An axis of a dimension that does not become unreduced must be moved first.
// CHECK-LABEL: func.func @reshard_first(
func.func @reshard_first(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.replicated_to_unreduced {"z"} %[[V0]] out_sharding=<@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.replicated_to_unreduced {"x"} %[[V2]] out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}], unreduced={"z"}> : tensor<8x8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return
}

// A value that is unreduced already keeps its axes; a reshard without further ones is left alone.
// CHECK-LABEL: func.func @further_axes(
func.func @further_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.replicated_to_unreduced {"z"} %arg0 out_sharding=<@mesh, [{"x"}], unreduced={"y", "z"}> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}], unreduced={"y", "z"}> : tensor<8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// The kinds of reductions differ from value to value; one operand may be reduced and the other not.
// CHECK-LABEL: func.func @kinds(
func.func @kinds(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=min{"x", "y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce min {"x", "y"} %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.add %[[V0]], %[[V1]] : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return
}

// A scatter or a reduction that is unreduced over all axes of its partial results needs no all-reduce.
// CHECK-LABEL: func.func @all_unreduced(
func.func @all_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.all_reduce {"y"} %[[V1]] out_sharding=<@mesh, [], unreduced={"x"}> : tensor<f32>
  // CHECK-NEXT: return
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
