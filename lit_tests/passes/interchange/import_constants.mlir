// RUN: sdy-opt %s --xla-sdy-import-constants | filecheck %s

sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @main
func.func @main() -> tensor<8xf32> {
  // CHECK-NEXT: sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<1.000000e+00> : tensor<8xf32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
