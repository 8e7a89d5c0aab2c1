// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=given-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.reshard %arg0 <@mesh, [{"x"}]> {sdy.given} : tensor<8xf32>
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
