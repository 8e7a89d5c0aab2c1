// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Numbers of operands and results are not negative. Unlike here, the reference crashes.
sdy.mesh @mesh = <["x"=2]>
func.func @negative(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error @+1 {{has a propagation edge at result--1, which it does not have}}
  %0 = stablehlo.tanh %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result--1]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
