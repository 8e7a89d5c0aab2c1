// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-aggressive-propagate='debug-sharding-origins=true' | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// Constraints, arguments and results are called what they are elsewhere, and "self" at home. An axis has the origin that
// it had where it came from.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>, sdy.sharding_origins = {a = "self", b = "constraint_0"}}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>, sdy.sharding_origins = {a = "input: 0", b = "constraint_0"}}
// CHECK-SAME:    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>, sdy.sharding_origins = {a = "input: 0", b = "constraint_0"}}
// CHECK-SAME:    tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}]>, sdy.sharding_origins = {c = "self"}}
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}]>}) {
  // CHECK-NEXT: stablehlo.add {{.*}}sdy.sharding_origins = [{a = "input: 0", b = "constraint_0"}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  // CHECK-NEXT: sdy.sharding_constraint {{.*}} {sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {a = "input: 0", b = "self"}}
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"b"}]> : tensor<8x8xf32>
  // CHECK-NEXT: stablehlo.tanh {{.*}}sdy.sharding_origins = [{c = "output: 1"}]
  %2 = stablehlo.tanh %arg2 : tensor<4xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<4xf32>
}

// What comes from the shardings of a manual computation is called after its operands and results.
// CHECK-LABEL: func.func private @manual
// CHECK-SAME:    sdy.sharding_origins = {a = "mc_0_input: 0", b = "mc_0_input: 0"}
func.func private @manual(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: sdy.data_flow_edge {{.*}}sdy.sharding_origins = {a = "self", b = "self"}
  // CHECK: sdy.return
  // CHECK-NEXT: sdy.sharding_origin_name = "mc_0"
  // CHECK-NEXT: sdy.data_flow_edge {{.*}}sdy.sharding_origins = {a = "self"}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    %1 = stablehlo.tanh %x : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Only results that got something have origins; of several results each has its own. A value that is returned hands its
// origins to one of the function's results, the last that it is.
// CHECK-LABEL: func.func private @several_results
// CHECK-SAME:    -> (tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding_origins = {a = "input: 0"}})
func.func private @several_results(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, %arg1: tensor<4xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: stablehlo.custom_call @f({{.*}}sdy.sharding_origins = [{a = "input: 0"}, {}]
  %0:2 = stablehlo.custom_call @f(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k])->([i, j], [k]) {i=8, j=8, k=4}, custom>} : (tensor<8x8xf32>, tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32>)
  return %0#0, %0#0 : tensor<8x8xf32>, tensor<8x8xf32>
}
