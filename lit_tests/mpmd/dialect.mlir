// RUN: sdy-opt %s | filecheck %s
// RUN: sdy-opt %s | sdy-opt | filecheck %s
// RUN: sdy-opt %s --mlir-print-op-generic | sdy-opt | filecheck %s
// RUN: sdy-opt %s --emit-bytecode -o %t.bc
// RUN: sdy-opt %t.bc | filecheck %s

// The text of the types, attributes and ops of several meshes, as the reference prints it.

sdy.mesh @mesh = <["x"=2]>
#topology = #mpmd.topology<<"m1": <["x"=2]>>, <"m2": <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t, memory_kind="pinned_host">
!m3 = !mpmd.mesh_tensor<"m2", !t, sharding=<@mesh, [{"x"}]>>
func.func @main(%a: !m1, %b: !t {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"], "m2">}) -> (!m2, !m3) attributes {topology = #topology, e = #mpmd.meshes_with_origins<>, o = #mpmd.user_origin<"f"(1)>, o2=#mpmd.user_origin<"f">, r = #mpmd.reduction<add>} {
  %0 = mpmd.fragment<mesh="m1", origin=["f", "g"(1)], stage=2, in_shardings=[<@mesh, [{}]>], out_shardings=[<@mesh, [{}]>]> (%a) {call_counter = 0 : ui32} (%arg2: !t) {
    mpmd.return %arg2 : !t
  } : (!m1) -> !m1
  %00 = mpmd.fragment<mesh="m1", origin=[]> () () {
    %c = stablehlo.constant dense<1.0> : !t
    mpmd.return %c : !t
  } : () -> !m1
  %1 = mpmd.transfer {foo} %0 : (!m1) -> !m2
  %2 = mpmd.assign {origin="f"} %b : (!t) -> !m1
  %3 = mpmd.unassign {origin="f", zed} %2 : (!m1) -> !t
  %33 = mpmd.unassign %2 : (!m1) -> !t
  %4:2 = mpmd.for (%3, %33) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%c: !t, %d: !t, %i: tensor<ui32>) {
    mpmd.return {x} %c, %d : !t, !t
  } : !t, !t
  %5 = mpmd.broadcast {a} %4#0 : !t
  %6 = mpmd.reduce<add> {a} %4#0, %5 : (!t, !t) -> !t
  %7 = mpmd.reduce<none> %6 : (!t) -> !t
  %8 = mpmd.named_tensor %7 name="x" {a} : !t
  %9:2 = mpmd.named_computation<"f"(1)> (%8, %7) {a} (%c: !t, %d: !t) {
    mpmd.return %c, %d : !t, !t
  } : (!t, !t) -> (!t, !t)
  mpmd.named_computation<"f"> () () {
    mpmd.return
  } : () -> ()
  %10 = mpmd.call @f(%9#0, %9#1) {call_counter = 1 : ui32} : (!t, !t) -> !t
  %11 = mpmd.transfer %0 : (!m1) -> !m3
  %12 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g(%0) {x} : (!m1) -> !m1
  return %1, %11 : !m2, !m3
}
func.func private @f(%a: !t, %b: !t) -> !t attributes {topology = #topology} {
  return %a : !t
}
func.func private @g(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  return %a : !t
}

// CHECK: sdy.mesh @mesh = <["x"=2]>
// CHECK-NEXT: func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: tensor<4xf32> {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"], "m2">}) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", tensor<4xf32>, sharding=<@mesh, [{"x"}]>>) attributes {e = #mpmd.meshes_with_origins<>, o = #mpmd.user_origin<"f"(1)>, o2 = #mpmd.user_origin<"f">, r = #mpmd.reduction<add>, topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
// CHECK-NEXT: %0 = mpmd.fragment<mesh="m1", origin=["f", "g"(1)], stage=2, in_shardings=[<@mesh, [{}]>], out_shardings=[<@mesh, [{}]>]> (%arg0) {call_counter = 0 : ui32} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: mpmd.return %arg2 : tensor<4xf32>
// CHECK-NEXT: } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %1 = mpmd.fragment<mesh="m1", origin=[]> () () {
// CHECK-NEXT: %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: mpmd.return %cst : tensor<4xf32>
// CHECK-NEXT: } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %2 = mpmd.transfer {foo} %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">
// CHECK-NEXT: %3 = mpmd.assign {origin = "f"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: %4 = mpmd.unassign {origin = "f", zed} %3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %5 = mpmd.unassign %3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
// CHECK-NEXT: %6:2 = mpmd.for (%4, %5) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<ui32>) {
// CHECK-NEXT: mpmd.return {x} %arg2, %arg3 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: } : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: %7 = mpmd.broadcast {a} %6#0 : tensor<4xf32>
// CHECK-NEXT: %8 = mpmd.reduce<add> {a} %6#0, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %9 = mpmd.reduce<none> %8 : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %10 = mpmd.named_tensor %9 name="x" {a} : tensor<4xf32>
// CHECK-NEXT: %11:2 = mpmd.named_computation<"f"(1)> (%10, %9) {a} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: mpmd.return %arg2, %arg3 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: } : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: mpmd.named_computation<"f"> () () {
// CHECK-NEXT: mpmd.return
// CHECK-NEXT: } : () -> ()
// CHECK-NEXT: %12 = mpmd.call @f(%11#0, %11#1) {call_counter = 1 : ui32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %13 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>, sharding=<@mesh, [{"x"}]>>
// CHECK-NEXT: %14 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g(%0) {x} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
// CHECK-NEXT: return %2, %13 : !mpmd.mesh_tensor<"m2", tensor<4xf32>, memory_kind="pinned_host">, !mpmd.mesh_tensor<"m2", tensor<4xf32>, sharding=<@mesh, [{"x"}]>>
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
// CHECK-NEXT: return %arg0 : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @g(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
// CHECK-NEXT: return %arg0 : tensor<4xf32>
// CHECK-NEXT: }
