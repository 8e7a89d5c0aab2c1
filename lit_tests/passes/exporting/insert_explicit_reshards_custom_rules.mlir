// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true reshard-custom-rule-ops=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// On request ops with a rule that the user wrote are treated like all others.
// CHECK-LABEL: func.func @custom_rule(
func.func @custom_rule(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
