// RUN: rm -rf %t && mkdir -p %t
// RUN: sdy-opt %s --sdy-user-priority-propagate='module-dump-directory=%t' | filecheck %s
// RUN: ls %t | filecheck %s --check-prefix=FILES
// RUN: filecheck %s --check-prefix=DUMP --input-file %t/00.propagation_after_user_priority_1.mlir

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// One file for each priority but the last, with the rules.
// FILES: 00.propagation_after_user_priority_0.mlir
// FILES-NEXT: 00.propagation_after_user_priority_1.mlir
// FILES-NOT: priority

// CHECK-LABEL: func.func @main
// DUMP-LABEL: func.func @main
func.func @main(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}p1, {"c", ?}p7]>}) -> tensor<8x8x8xf32> {
  // CHECK-NEXT: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}, {"c", ?}]>]>}
  // DUMP-NEXT: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}, {?}]>]>, sdy.sharding_rule =
  %0 = stablehlo.tanh %arg0 : tensor<8x8x8xf32>
  return %0 : tensor<8x8x8xf32>
}
