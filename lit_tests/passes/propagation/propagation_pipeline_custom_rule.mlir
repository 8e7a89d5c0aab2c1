// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// A rule of the user's is propagated by, and is still there at the end for others to go by; one that propagation has
// attached is not. The text in frontend attributes becomes such a rule.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {"a"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>}
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.custom_call @g(%[[V0]]) {mhlo.frontend_attributes = {{{.*}}}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>}
  %1 = stablehlo.custom_call @g(%0) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.tanh %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} :
  %2 = stablehlo.tanh %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
