// RUN: sdy-opt %s --mpmd-map-named-ops-to-mpmd-ops='assignment=f@m1/1,x@m2#pinned_host' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// One assign for each distinct operand; tensors without a mesh are their operands.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.assign {origin = "x"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.unassign {origin = "x"} %[[V0]] : (!mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">) -> tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = mpmd.assign {origin = "f"} %[[V1]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.assign {origin = "f"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = mpmd.fragment<mesh="m1", origin=["f"(1)], stage=1> (%[[V2]], %[[V3]], %[[V2]]) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = stablehlo.add %arg1, %arg2 : tensor<4xf32>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = stablehlo.add %[[V5]], %arg3 : tensor<4xf32>
// CHECK-NEXT: mpmd.return %[[V6]] : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = mpmd.unassign {origin = "f"} %[[V4]] : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V7]] : tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  %0 = mpmd.named_tensor %a name="x" : !t
  %1 = mpmd.named_tensor %a name="y" : !t
  %2 = mpmd.named_computation<"f"(1)> (%0, %1, %0) (%b: !t, %c: !t, %d: !t) {
    %3 = stablehlo.add %b, %c : !t
    %4 = stablehlo.add %3, %d : !t
    mpmd.return %4 : !t
  } : (!t, !t, !t) -> !t
  return %2 : !t
}
