// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @reversed = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @empty = <[]>

// Of two meshes that equally many tensors name, the one that got there first is taken.
// CHECK-LABEL: func.func @tie(
func.func @tie(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@reversed, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg1 <@reversed, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.add %arg0, %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@reversed, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return
}

// Replicated tensors have no say; their order of devices does not matter.
// CHECK-LABEL: func.func @replicated(
func.func @replicated(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@reversed, [{}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.clamp %[[V0]], %arg1, %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.clamp %arg0, %arg1, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return
}

// If all are replicated a mesh without device ids is preferred, and nothing is to be done.
// CHECK-LABEL: func.func @all_replicated(
func.func @all_replicated(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@reversed, [{}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{}]>]>} : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@reversed, [{}]>]>} : tensor<8xf32>
  return
}

// An empty mesh goes with every other.
// CHECK-LABEL: func.func @empty_mesh(
func.func @empty_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@empty, [{}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.add %[[V0]], %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@empty, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@empty, [{}]>]>} : tensor<8xf32>
  return
}

// Without any sharding there is no mesh, and nothing to do.
// CHECK-LABEL: func.func @no_mesh(
func.func @no_mesh(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.add %arg0, %arg0 : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
  return
}
