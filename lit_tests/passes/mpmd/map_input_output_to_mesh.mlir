// RUN: sdy-opt %s --mpmd-map-input-output-to-mesh='input-assignment=0@m1#pinned_host,1@m2 output-assignment=0@m2' | filecheck %s

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

// The attribute of what has a kind of memory in its type goes.
// CHECK-LABEL: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>> {mhlo.memory_kind = "device"}) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>)
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = mpmd.unassign {origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">) -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = mpmd.unassign {origin = "user_in"} %arg1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = stablehlo.add %[[V0]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = mpmd.assign {origin = "user_out"} %[[V2]] : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
// CHECK-NEXT: return %[[V3]], %[[V0]] : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>
// CHECK-NEXT: }
func.func @main(%a: !t {mhlo.memory_kind = "pinned_host"}, %b: !t {mhlo.memory_kind = "device"}) -> (!t, !t) attributes {topology = #topology} {
  %0 = stablehlo.add %a, %b : !t
  return %0, %a : !t, !t
}
