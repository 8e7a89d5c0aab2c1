// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-strip-dialect | filecheck %s

// Meshes go, named computations are inlined, attributes go but for what the module says of the program as a whole.
// CHECK: module attributes {mine.note, sdy.devices = #sdy.mesh<["x"=4, "y"=2]>} {
// CHECK-NEXT: func.func @main(%arg0: tensor<4xf32> {mine.note}) -> tensor<4xf32> {
module attributes {mine.note, sdy.devices = #sdy.mesh<["x"=4, "y"=2]>, sdy.other} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main(%arg0: tensor<4xf32> {mine.note, sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<4xf32> {sdy.note}) {
    // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0 : tensor<4xf32>
    %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<4xf32>) {
      %2 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<4xf32>
      sdy.return %2 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    // Axes become numbers of devices.
    // CHECK-NEXT: "stablehlo.all_reduce"(%[[N]]) <{{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{remains after partitioning}}
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{remains after partitioning, which has to run sdy-resolve-partitioner-calls}}
  stablehlo.custom_call @InspectSharding(%arg0) {backend_config = "0", has_side_effect = true} : (tensor<8xf32>) -> ()
  return
}
