// RUN: sdy-opt %s --sdy-import-pipeline=dedup-functions-fully=true | filecheck %s

// Dead functions go, meshes get symbols, axes of size 1 go, calls get shardings, constants are split, manual axes are
// cleaned up, edges are inserted; with the option constraints are applied and groups numbered here, too.

// CHECK: sdy.mesh @mesh = <["a"=2, "one"=1]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "one", size = 1 : i64}]}}
// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x4xf32>
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[CONSTANT]] : tensor<8x4xf32>
// CHECK-NEXT: %[[CALL:.*]] = call @callee(%[[ADD]]) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a"}]>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[CALL]]) in_shardings=[<@mesh, [{"a"}, {}], replicated={"one"}>] out_shardings=[<@mesh, [{"a"}, {}], replicated={"one"}>] manual_axes={"a", "one"} (%arg1: tensor<4x4xf32>) {
// CHECK-NEXT:   %[[EDGE:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
// CHECK-NEXT:   sdy.return %[[EDGE]] : tensor<4x4xf32>
// CHECK-NEXT: } : (tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[EDGE_1:.*]] = sdy.data_flow_edge %[[COMPUTATION]] sharding=<@mesh, [{"a"}, {}], replicated={"one"}> : tensor<8x4xf32>
// CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[EDGE_1]], %[[CONSTANT_1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : tensor<8x4xf32>
// CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[MULTIPLY]] <@mesh, [{}, {"a"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : tensor<8x4xf32>
// CHECK-NEXT: sdy.sharding_group %[[MULTIPLY]] group_id=0 : tensor<8x4xf32>
// CHECK-NEXT: %[[CALL_1:.*]] = call @constant_0() : () -> tensor<8x4xf32>
// CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[CONSTRAINT]], %[[CALL_1]] : tensor<8x4xf32>
// CHECK-NEXT: return %[[ADD_1]] : tensor<8x4xf32>
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:  %arg0: tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a"}]>})
// CHECK-NEXT: return %arg0 : tensor<8x4xf32>
// CHECK-LABEL: func.func private @constant_0(
// CHECK-SAME:  ) -> tensor<8x4xf32> attributes {sdy.original_func_name = "constant"}
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<8x4xf32>

func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "one"=1]>, [{"one", "a"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<8x4xf32>
  %2 = call @callee(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = sdy.manual_computation(%2) in_shardings=[<mesh<["a"=2, "one"=1]>, [{"a"}, {}]>] out_shardings=[<mesh<["a"=2, "one"=1]>, [{"a"}, {}]>] manual_axes={"one", "a"} (%arg1: tensor<4x4xf32>) {
    sdy.return %arg1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.multiply %3, %0 : tensor<8x4xf32>
  %5 = sdy.sharding_constraint %4 <mesh<["a"=2, "one"=1]>, [{}, {"a"}]> : tensor<8x4xf32>
  sdy.sharding_group %4 group_id=7 : tensor<8x4xf32>
  %6 = call @constant() : () -> tensor<8x4xf32>
  %7 = stablehlo.add %5, %6 : tensor<8x4xf32>
  return %7 : tensor<8x4xf32>
}
func.func private @callee(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "one"=1]>, [{?}, {"a"}]>}) {
  return %arg0 : tensor<8x4xf32>
}
func.func private @constant() -> tensor<8x4xf32> {
  %0 = stablehlo.constant dense<2.0> : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @dead() {
  return
}
