// RUN: sdy-opt %s --sdy-add-func-data-flow-edges --sdy-add-data-flow-edges --sdy-apply-sharding-constraints --sdy-sharding-group-import | filecheck %s
// RUN: sdy-opt %s --sdy-import-func-calls | filecheck %s --check-prefix=CALLS
// RUN: sdy-opt %s --sdy-pre-order-funcs | filecheck %s --check-prefix=ORDER

sdy.mesh @mesh = <["a"=2]>

// Blocks that nothing branches to are imported like all others.
// CHECK-LABEL: func.func private @f(
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK:      %[[CALL:.*]] = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_EDGE:.*]] = sdy.func_data_flow_edge %[[CALL]] : tensor<8xf32>
// CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CALL_EDGE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
// CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[NEGATE]] <@mesh, [{"a"}]> {{.*}} : tensor<8xf32>
// CHECK-NEXT: %[[BARRIER:.*]] = stablehlo.optimization_barrier %[[CONSTRAINT]] : tensor<8xf32>
// CHECK-NEXT: %[[EDGE:.*]] = sdy.data_flow_edge %[[BARRIER]] : tensor<8xf32>
// CHECK-NEXT: sdy.sharding_group %[[EDGE]] group_id=0 : tensor<8xf32>
// CHECK-NEXT: return %[[EDGE]] : tensor<8xf32>

// CALLS-NOT: call @f
// CALLS:     sdy.named_computation<"f">(%arg0)
// CALLS-NOT: @f(

// ORDER-LABEL: func.func @main(
// ORDER-LABEL: func.func private @f(

func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
^bb1:
  %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"a"}]> : tensor<8xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<8xf32>
  sdy.sharding_group %3 group_id=4 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
