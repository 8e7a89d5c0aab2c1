// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=pads-of-slices | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// Elements 1 to 30 stay where they are.
// CHECK-LABEL: func.func @in_place
func.func @in_place(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<32xf32> {
  // CHECK: %[[GE:.*]] = stablehlo.compare GE
  // CHECK: %[[LT:.*]] = stablehlo.compare LT
  // CHECK: %[[AND:.*]] = stablehlo.and %[[GE]], %[[LT]]
  // CHECK-NEXT: %[[PLACES:.*]] = stablehlo.broadcast_in_dim %[[AND]], dims = [0]
  // CHECK-NEXT: %[[VALUE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = []
  // CHECK-NEXT: %[[S:.*]] = stablehlo.select %[[PLACES]], %arg0, %[[VALUE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // CHECK-NEXT: return %[[S]]
  %0 = stablehlo.slice %arg0 [1:31] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>) -> tensor<30xf32>
  %1 = stablehlo.pad %0, %arg1, low = [1], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<30xf32>, tensor<f32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}

// Three elements are sliced off, two padded: one crosses each border, where three and two would.
// CHECK-LABEL: func.func @shift
func.func @shift(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<32xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.pad %arg0, %arg1, low = [-1], high = [1], interior = [0] {sdy.sharding
  // CHECK: %[[GE:.*]] = stablehlo.compare GE
  // CHECK-NOT: compare LT
  // CHECK: stablehlo.select %{{.*}}, %[[P]]
  %0 = stablehlo.slice %arg0 [3:32] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>) -> tensor<29xf32>
  %1 = stablehlo.pad %0, %arg1, low = [2], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<29xf32>, tensor<f32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}

// A prefix that is shifted stays: no row crosses a border twice.
// CHECK-LABEL: func.func @prefix
func.func @prefix(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<32xf32> {
  // CHECK-NEXT: stablehlo.slice
  // CHECK-NEXT: stablehlo.pad
  %0 = stablehlo.slice %arg0 [0:31] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>) -> tensor<31xf32>
  %1 = stablehlo.pad %0, %arg1, low = [1], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<31xf32>, tensor<f32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}

// A slice that others use too, and one along a dimension that is not sharded, stay.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<f32>) -> (tensor<32x8xf32>, tensor<32x8xf32>, tensor<30x8xf32>) {
  // CHECK-NOT: stablehlo.select
  %0 = stablehlo.slice %arg0 [1:31, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<32x8xf32>) -> tensor<30x8xf32>
  %1 = stablehlo.pad %0, %arg1, low = [1, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<30x8xf32>, tensor<f32>) -> tensor<32x8xf32>
  %2 = stablehlo.slice %arg0 [0:32, 1:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<32x8xf32>) -> tensor<32x6xf32>
  %3 = stablehlo.pad %2, %arg1, low = [0, 1], high = [0, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<32x6xf32>, tensor<f32>) -> tensor<32x8xf32>
  return %1, %3, %0 : tensor<32x8xf32>, tensor<32x8xf32>, tensor<30x8xf32>
}
