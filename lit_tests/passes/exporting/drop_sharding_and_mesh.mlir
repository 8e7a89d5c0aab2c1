// RUN: sdy-opt %s --sdy-drop-sharding-and-mesh --split-input-file | filecheck %s --check-prefixes=CHECK,DROP
// RUN: sdy-opt %s --sdy-drop-sharding-and-mesh='keep-module-sharding-metadata=true' --split-input-file | filecheck %s --check-prefixes=CHECK,KEEP
// RUN: sdy-opt %s --sdy-drop-sharding-and-mesh='sharding-rules=true' --split-input-file | filecheck %s --check-prefix=RULES

// Shardings of arguments, results and ops go, and so does the mesh; other attributes stay. Whether the module keeps its
// record of the shardings of main is an option.
// DROP-LABEL: module attributes {mhlo.num_partitions = 8 : i32} {
// KEEP-LABEL: module attributes {mhlo.num_partitions = 8 : i32, sdy.output_shardings = [], sdy.parameters_shardings = []} {
module attributes {mhlo.num_partitions = 8 : i32, sdy.output_shardings = [], sdy.parameters_shardings = []} {
  // CHECK-NEXT: func.func @main(%arg0: tensor<8xf32> {jax.buffer_donor = true}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main(%arg0: tensor<8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
      -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
    // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=8}>} : tensor<8xf32>
    // CHECK-NEXT: return %[[SUM]] : tensor<8xf32>
    %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=8}>} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// A mesh that is still named stays: by an op of the dialect, or by the replica groups of a collective.
// CHECK-LABEL: module {
module {
  // CHECK-NEXT: sdy.mesh @in_reshard
  // CHECK-NEXT: sdy.mesh @in_groups
  // CHECK-NEXT: func.func @main
  sdy.mesh @in_reshard = <["x"=4]>
  sdy.mesh @in_groups = <["x"=4]>
  sdy.mesh @unused = <["x"=4]>
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK-NEXT: sdy.reshard %arg0 <@in_reshard, [{"x"}]> : tensor<8xf32>
    // CHECK-NEXT: replica_group_mesh_axes<mesh = @in_groups
    %0 = sdy.reshard %arg0 <@in_reshard, [{"x"}]> : tensor<8xf32>
    %1 = "stablehlo.collective_broadcast"(%0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @in_groups, axes = [#stablehlo.axis_ref<name = "x">]>}> {sdy.sharding = #sdy.sharding_per_value<[<@unused, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// Rules, custom ones included, go if asked for.
// CHECK-LABEL: func.func @custom_rule
// RULES-LABEL: func.func @custom_rule
func.func @custom_rule(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}, custom>}
  // RULES-NEXT: stablehlo.custom_call @f(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}, custom>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
