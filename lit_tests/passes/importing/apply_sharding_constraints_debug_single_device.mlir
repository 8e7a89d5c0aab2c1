// RUN: sdy-opt %s --sdy-apply-sharding-constraints='debug-sharding-origins=true debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["a"=2]>
sdy.mesh @device = <[], device_ids=[1]>

// One of several results may be on a single device, which a constraint overrides like an open sharding.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding_origins = {a = "constraint_0"}})
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CALL:.*]]:2 = stablehlo.custom_call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [{?}]>]>, sdy.sharding_origins = [{a = "constraint_0"}, {}]} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[CALL]]#0 <@mesh, [{"a"}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = result-0 -> [operand-0]}]}]>, sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {a = "self"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTRAINT]] : tensor<8xf32>
  %0:2 = stablehlo.custom_call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>, <@mesh, [{?}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %1 = sdy.sharding_constraint %0#0 <@mesh, [{"a"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
