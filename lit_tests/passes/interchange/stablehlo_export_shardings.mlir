// RUN: sdy-opt %s --split-input-file --xla-sdy-stablehlo-export-shardings='add-missing-sharding-to-control-flow' --verify-diagnostics | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=4]>
// Groups along axes of a mesh are written device by device, and loops without a sharding as replicated.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  // CHECK:      replica_groups = dense<{{\[}}[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "b">]>} : (tensor<8xf32>) -> tensor<32xf32>
  // CHECK:      "stablehlo.if"
  // CHECK:      mhlo.sharding = "{replicated}"
  %1 = "stablehlo.if"(%arg1) ({
    stablehlo.return %arg0 : tensor<8xf32>
  }, {
    stablehlo.return %arg0 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @left(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{has no form in sharding text}}
  %0 = sdy.reshard %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
