// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @device = <[], device_ids=[3]>
sdy.mesh @same_device = <[], device_ids=[3]>
sdy.mesh @other = <["a"=8]>

// What is on the device stays there for the next op only by way of all devices; what is replicated moves once.
// CHECK-LABEL: func.func @chain(
func.func @chain(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg1 <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.add %[[V0]], %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %[[V3]] <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V5:.*]] = stablehlo.negate %[[V4]] {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V6:.*]] = sdy.reshard %[[V5]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return
}

// Two names of one device do not matter, the last one is taken.
// CHECK-LABEL: func.func @two_names(
func.func @two_names(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]]:2 = stablehlo.custom_call @f(%[[V0]]) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>, <@device, []>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]]#0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V1]]#1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0:2 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@same_device, []>, <@device, []>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// Unreduced values are summed up first; a reshard to the device is such an op too.
// Unlike the reference, which aborts.
// CHECK-LABEL: func.func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.reshard %[[V2]] <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.reshard %[[V3]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@device, []> : tensor<8xf32>
  return
}

// Data-flow ops stay on the device; what they hand on is there already.
// CHECK-LABEL: func.func @data_flow(
func.func @data_flow(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} %arg0
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.negate %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>}
  // CHECK-NEXT: sdy.reshard %[[V1]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} %arg0 : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return
}

// From another mesh the way to the device leads over the first one, also if nothing is sharded.
// CHECK-LABEL: func.func @other_mesh(
func.func @other_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@device, []> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.negate %[[V1]]
  // CHECK-NEXT: sdy.reshard %[[V2]] <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return
}
