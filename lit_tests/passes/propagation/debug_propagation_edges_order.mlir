// RUN: sdy-opt %s --sdy-add-data-flow-edges --sdy-aggressive-propagate='debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// An axis that came from two tensors in one step is listed by where it came from, operands first.
// Unlike the reference, whose order is another one in each run.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<i32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}], replicated={"a"}>}, %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}]>}) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1 : tensor<8xf32>
  }, {
    stablehlo.return %arg2 : tensor<8xf32>
  }, {
    stablehlo.return %arg3 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "a"}]>]>} : (tensor<i32>) -> tensor<8xf32>
  // CHECK: sdy.data_flow_edge {{.*}}[{"a" = result-0 -> [operand-0]}, {"b" = operand-2 -> [operand-1]}, {"b" = result-0 -> [operand-0]}]
  return %0 : tensor<8xf32>
}
