// RUN: sdy-opt %s --sdy-basic-propagate='debug-propagation-edge-sharding=true' | filecheck %s

sdy.mesh @mesh = <["a"=3, "c"=2, "x"=2, "d"=4]>

// Axes that end in the first of three factors leave nothing to note about the last one.
// Unlike the reference, which reads what is not there and may crash.
// CHECK-LABEL: func.func @overflow
func.func @overflow(%arg0: tensor<36xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d":(1)2, "a", "x", ?}]>}) -> (tensor<4x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}, {"d":(2)2, ?}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reshape %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"d":(1)2 = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"d":(1)2, ?}, {?}, {"d":(2)2, ?}]>]>} : (tensor<36xf32>) -> tensor<4x3x3xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<4x3x3xf32>
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}, {"d":(2)2, ?}]>]>} : (tensor<36xf32>) -> tensor<4x3x3xf32>
  return %0 : tensor<4x3x3xf32>
}
