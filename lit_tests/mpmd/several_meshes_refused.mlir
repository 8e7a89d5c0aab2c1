// RUN: sdy-opt %s --sdy-partition-pipeline --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["x"=2]>
func.func @named(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32>
    attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
  // expected-error @+1 {{cannot be propagated through before mpmd-import-pipeline has made fragments}}
  %0 = mpmd.named_computation<"f"> (%a) (%b: tensor<4xf32>) {
    mpmd.return %b : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @imported(%a: !m1) -> !m2 attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  // expected-error @+1 {{is of a program of several meshes, which is not partitioned as a whole}}
  %0 = mpmd.transfer %a : (!m1) -> !m2
  return %0 : !m2
}
