// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-propagation-pipeline='avoid-export-for-partitioning=true' | filecheck %s

// A public function stays where only a private one calls it that nothing calls, once unused calls are gone.
// CHECK-DAG:   func.func @kept(
// CHECK-DAG:   func.func @main()
// CHECK-NOT:   @dropped
func.func @main() {
  %0 = stablehlo.constant dense<3> : tensor<3x8xui32>
  %1 = call @dropped(%0) : (tensor<3x8xui32>) -> tensor<3x8xui32>
  return
}

func.func private @dropped(%arg0: tensor<3x8xui32>) -> tensor<3x8xui32> {
  %0 = call @kept(%arg0) : (tensor<3x8xui32>) -> tensor<3x8xui32>
  return %arg0 : tensor<3x8xui32>
}

func.func @kept(%arg0: tensor<3x8xui32>) -> tensor<3x8xui32> {
  return %arg0 : tensor<3x8xui32>
}
