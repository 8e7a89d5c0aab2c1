// RUN: sdy-opt %s --mpmd-inline-nested-user-exposed-ops='assignment=f@m1/1,g@m1/1' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// Names in a named computation go.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.abs %arg1 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT: } : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%a) (%b: !t) {
    %1 = mpmd.named_computation<"g"> (%b) (%c: !t) {
      %2 = mpmd.named_tensor %c name="x" : !t
      %3 = mpmd.broadcast %2 : !t
      %4 = stablehlo.abs %3 : !t
      mpmd.return %4 : !t
    } : (!t) -> !t
    %5 = mpmd.reduce<none> %1 : (!t) -> !t
    mpmd.return %5 : !t
  } : (!t) -> !t
  return %0 : !t
}
