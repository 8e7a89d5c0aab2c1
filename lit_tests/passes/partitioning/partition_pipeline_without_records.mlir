// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline='executable' | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline='executable' | not grep sdy
// RUN: sdy-opt %s --sdy-partition-pipeline='dense-replica-groups=false' | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline='dense-replica-groups=false' | not grep sdy

// Nothing of the dialect is left: no record of the boundary, no custom rule, no mesh.
// CHECK:      module {
// CHECK-NEXT:   func.func @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:     %[[CALL:.*]] = stablehlo.custom_call @call(%arg0)
// CHECK-NEXT:     %[[SUM:.*]] = "stablehlo.all_reduce"(%[[CALL]])
// CHECK:          return %[[SUM]]
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @call(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, j]) {i=8, j=8, k=4} reduction={i}, custom>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
