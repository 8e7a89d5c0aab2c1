// RUN 'mpmd-map-input-output-to-mesh{input-assignment=2@m1,0@m2#pinned_host,1@m1#device output-assignment=1@m1#pinned_host,0@m2}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
func.func @main(%a: !t, %b: !t {mhlo.memory_kind = "pinned_host"}, %c: !t {mhlo.memory_kind = "device", a.b = 1 : i32}) -> (!t {jax.result_info = "result[0]"}, !t {mhlo.memory_kind = "pinned_host"}, !t) attributes {topology = #topology} {
  return %a, %b, %a : !t, !t, !t
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="device">, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {a.b = 1 : i32, mhlo.memory_kind = "device"}) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>> {jax.result_info = "result[0]"}, !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">) -> tensor<4xf32>
    %1 = mpmd.unassign {origin = "user_in"} %arg2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %2 = mpmd.unassign {origin = "user_in"} %arg1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="device">) -> tensor<4xf32>
    %3 = mpmd.assign {origin = "user_out"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4 = mpmd.assign {origin = "user_out"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">
    return %3, %4, %0 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="pinned_host">, tensor<4xf32>
  }
}
