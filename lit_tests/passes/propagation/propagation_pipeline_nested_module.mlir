// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s

sdy.mesh @mesh = <["x"=2]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// A function of a module in the module comes out of it, without edges.
// Unlike the reference, which leaves the edge of its argument.
// CHECK-LABEL: func.func @f(
module @inner {
  sdy.mesh @mesh = <["x"=2]>

  func.func @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %arg0 {{.*}}[{"x"}]
    // CHECK-NEXT: return %[[SUM]]
    %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
