// RUN: sdy-opt %s --mpmd-lower-to-fragment-calls | filecheck %s

// Equal bodies share a function only if their operands and results are sharded alike.
// CHECK:      mpmd.fragment_call<mesh="m1", origin=["f"]> @p0_f.main(%arg0)
// CHECK:      mpmd.fragment_call<mesh="m1", origin=["f"]> @p1_f.main(%arg0)
// CHECK:      mpmd.fragment_call<mesh="m1", origin=["f"]> @p0_f.main(%arg0)
// CHECK:      func.func @p0_f.main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK:      func.func @p1_f.main(%arg0: tensor<4xf32>) -> tensor<4xf32>
#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!x1 = !mpmd.mesh_tensor<"m1", !t, sharding=<@mesh, [{"x"}]>>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: !m1) -> (!x1, !m1, !x1) attributes {topology = #topology} {
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %9 = stablehlo.tanh %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !x1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %9 = stablehlo.tanh %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !m1
  %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    %9 = stablehlo.tanh %x : !t
    mpmd.return %9 : !t
  } : (!m1) -> !x1
  return %0, %1, %2 : !x1, !m1, !x1
}
