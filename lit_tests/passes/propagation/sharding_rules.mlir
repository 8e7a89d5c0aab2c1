// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-basic-propagate='keep-sharding-rules=true' | filecheck %s --check-prefix=KEEP

sdy.mesh @mesh = <["a"=2, "b"=2]>

func.func @main() {
  return
}

// Rules that propagation attaches go at its end, unless they are to be kept. They are there even if nothing was sharded.
// CHECK-LABEL: func.func @attached
// KEEP-LABEL: func.func @attached
func.func @attached(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 : tensor<8xf32>
  // KEEP-NEXT: stablehlo.tanh %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>}
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A rule that is there is used as it is. Only a custom one stays.
// CHECK-LABEL: func.func @given
// KEEP-LABEL: func.func @given
func.func @given(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}, {"a", ?}]>]>}
  // KEEP-NEXT: stablehlo.custom_call @f(%arg0) {{.*}}sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}>}
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}, {"a", ?}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>}
  %1 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Nothing moves along a blocked factor.
// CHECK-LABEL: func.func @blocked
func.func @blocked(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8} blocked_propagation={i}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Ops without a rule let nothing through.
// CHECK-LABEL: func.func @no_rule
func.func @no_rule(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: sdy.reshard %arg0 <@mesh, [{?}]> : tensor<8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{?}]> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
