// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @twin = <["x"=4, "y"=2]>
sdy.mesh @reversed = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @other = <["z"=8]>

// The mesh that most sharded tensors name is taken; the device order of the others must be changed.
// CHECK-LABEL: func.func @device_order(
func.func @device_order(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@reversed, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@reversed, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.add %[[V0]], %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{"x"}]>]>} : tensor<8xf32>
  return
}

// Two names of one mesh do not matter.
// CHECK-LABEL: func.func @two_names(
func.func @two_names(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@twin, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@twin, [{"x"}]>]>} : tensor<8xf32>
  return
}

// Meshes with other axes have nothing in common, and the op is left alone.
// CHECK-LABEL: func.func @other_axes(
func.func @other_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"z"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"z"}]>]>} : tensor<8xf32>
  return
}

// A mesh may be written out.
// CHECK-LABEL: func.func @inlined(
func.func @inlined(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=4, "y"=2]>, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <mesh<["x"=4, "y"=2]>, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=4, "y"=2]>, [{"y"}]>]>} : tensor<8xf32>
  return
}
