// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=idle-ops --debug-patterns 2>&1 | filecheck %s
// RUN: sdy-opt %s --sdy-normalize-ops=disable-patterns=idle-ops | filecheck %s --check-prefix=WITHOUT
// RUN: not sdy-opt %s --sdy-normalize-ops=enable-patterns=idle-op 2>&1 | filecheck %s --check-prefix=UNKNOWN

// WITHOUT-COUNT-2: stablehlo.select
// UNKNOWN: no pattern 'idle-op', did you mean 'idle-ops'?; there are approximate-top-k, callbacks, constants, empty-values, idle-ops, known-windows, inserted-windows

func.func @main(%p: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<8xf32>
  // CHECK: debug_patterns.mlir:11:8: remark: 'stablehlo.select' op pattern 'idle-ops' does not match: the sides differ
  %1 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<8xf32>
  // CHECK: return %arg1, %0
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
