// RUN: sdy-opt %s --mpmd-simplify-named-computations | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// Equal operands and results become one; what is passed through, around a barrier too, is not computed there.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.optimization_barrier %arg2 : tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.abs %[[V1]] : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V2]] : tensor<4xf32>
// CHECK-NEXT: } : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = stablehlo.add %arg0, %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t, %b: !t) -> (!t, !t) attributes {topology = #topology} {
  %0:4 = mpmd.named_computation<"f"> (%a, %a, %b) (%c: !t, %d: !t, %e: !t) {
    %1:2 = stablehlo.optimization_barrier %c, %d : !t, !t
    %2 = stablehlo.abs %1#0 : !t
    %3 = stablehlo.add %2, %e : !t
    mpmd.return %2, %1#1, %2, %3 : !t, !t, !t, !t
  } : (!t, !t, !t) -> (!t, !t, !t, !t)
  %4 = stablehlo.add %0#1, %0#2 : !t
  return %0#0, %4 : !t, !t
}
