// RUN: sdy-opt %s --mpmd-import-pipeline='name-to-mesh-assignment=f@m1/0,g@m2/1 infer-transfers=true' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
// Two microbatches: the ops between named computations are in their fragments, the sum of results is where it is used.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=["f"], stage=0> (%arg0) {call_counter = 0 : ui32} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = stablehlo.tanh %arg2 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.transfer %[[V0]] : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=["g"], stage=1> (%arg1, %[[V2]]) {call_counter = 0 : ui32} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V1]] = stablehlo.abs %arg3 : tensor<4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = stablehlo.tanh %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = stablehlo.add %arg2, %[[V4]] : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V5]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=["f"], stage=0> (%arg0) {call_counter = 1 : ui32} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: %[[V1]] = stablehlo.tanh %arg2 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V1]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = mpmd.transfer %[[V6]] : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = mpmd.fragment<mesh="m2", origin=["g"], stage=1> (%[[V3]], %[[V7]]) {call_counter = 1 : ui32} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V1]] = stablehlo.abs %arg3 : tensor<4xf32>
// CHECK-NEXT: %[[V4]] = stablehlo.tanh %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V5]] = stablehlo.add %arg2, %[[V4]] : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V5]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: return %[[V8]] : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: }
func.func @main(%a: !t, %b: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.call @f(%a, %b) {call_counter = 0 : ui32} : (!t, !t) -> !t
  %1 = mpmd.call @f(%a, %0) {call_counter = 1 : ui32} : (!t, !t) -> !t
  return %1 : !t
}
func.func @f(%a: !t, %sum: !t) -> !t {
  %0 = mpmd.named_computation<"f"> (%a) (%b: !t) {
    %4 = stablehlo.tanh %b : !t
    mpmd.return %4 : !t
  } : (!t) -> !t
  %1 = stablehlo.abs %0 : !t
  %2 = mpmd.named_computation<"g"> (%1) (%b: !t) {
    %4 = stablehlo.tanh %b : !t
    mpmd.return %4 : !t
  } : (!t) -> !t
  %3 = stablehlo.add %sum, %2 : !t
  return %3 : !t
}
