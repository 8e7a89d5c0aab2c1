// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-apply-sharding-constraints='debug-sharding-origins=true' | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// A constraint that the pass itself makes, for the operand of a manual computation, has no origin.
// Unlike the reference, which crashes.
// CHECK-LABEL: func.func @created
func.func @created(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.data_flow_edge %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.sharding_constraint %[[V1]] <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = sdy.manual_computation(%[[V2]]) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
  // CHECK-NEXT: %[[V5:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{}]> {sdy.sharding_origins = {x = "self"}} : tensor<4xf32>
  // CHECK-NEXT: sdy.return %[[V5]] : tensor<4xf32>
  // CHECK-NEXT: } {sdy.sharding_origin_name = "mc_0"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = sdy.data_flow_edge %[[V3]] sharding=<@mesh, [{"x"}]> {sdy.sharding_origins = {x = "self"}} : tensor<8xf32>
  // CHECK-NEXT: return %[[V4]], %[[V2]] : tensor<8xf32>, tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<8xf32>
}
