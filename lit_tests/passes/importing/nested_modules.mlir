// RUN: sdy-opt %s --sdy-add-func-data-flow-edges --sdy-apply-sharding-constraints | filecheck %s

func.func @main() {
  return
}

// What lies in a module in the module is not left out, and means the meshes of that module.
// CHECK-LABEL: module @inner
module @inner {
  sdy.mesh @mesh = <["a"=2]>

  // CHECK: func.func @main(
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK-NEXT: %[[EDGE:.*]] = sdy.func_data_flow_edge %arg0 : tensor<8xf32>
    // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[EDGE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
    // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[NEGATE]] <@mesh, [{"a"}]>
    // CHECK-NEXT: return %[[CONSTRAINT]] : tensor<8xf32>
    %0 = stablehlo.negate %arg0 : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}]> : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
