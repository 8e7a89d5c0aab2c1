// RUN: sdy-opt %s --sdy-negate-behind-joins | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Halves change places, of which the one that comes first is negated.
// CHECK-LABEL: func.func @rotated_halves
func.func @rotated_halves(%arg0: tensor<3x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<3x16xf32> {
  // CHECK:      %[[SECOND:.*]] = stablehlo.slice %arg0 [0:3, 8:16]
  // CHECK:      %[[FIRST:.*]] = stablehlo.slice %arg0 [0:3, 0:8]
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.concatenate %[[SECOND]], %[[FIRST]], dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>}
  // CHECK-NEXT: %[[NEGATED:.*]] = stablehlo.negate %[[JOINED]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>}
  // CHECK-NEXT: %[[PLACE:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xi32>
  // CHECK-NEXT: %[[HALF:.*]] = stablehlo.constant {{.*}}dense<8> : tensor<16xi32>
  // CHECK-NEXT: %[[IN_FIRST:.*]] = stablehlo.compare LT, %[[PLACE]], %[[HALF]]
  // CHECK-NEXT: %[[WHERE:.*]] = stablehlo.broadcast_in_dim %[[IN_FIRST]], dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>}
  // CHECK-NEXT: %[[R:.*]] = stablehlo.select %[[WHERE]], %[[NEGATED]], %[[JOINED]]
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.slice %arg0 [0:3, 8:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<3x16xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<3x8xf32>
  %2 = stablehlo.slice %arg0 [0:3, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<3x16xf32>) -> tensor<3x8xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x16xf32>
  return %3 : tensor<3x16xf32>
}

// The two parts in the middle are negated.
// CHECK-LABEL: func.func @in_the_middle
func.func @in_the_middle(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  // CHECK:      %[[FROM:.*]] = stablehlo.constant {{.*}}dense<4> : tensor<16xi32>
  // CHECK-NEXT: %[[BEHIND:.*]] = stablehlo.compare GE, %[[PLACE:.*]], %[[FROM]]
  // CHECK-NEXT: %[[TO:.*]] = stablehlo.constant {{.*}}dense<12> : tensor<16xi32>
  // CHECK-NEXT: %[[AFTER:.*]] = stablehlo.compare GE, %[[PLACE]], %[[TO]]
  // CHECK-NEXT: %[[INSIDE:.*]] = stablehlo.xor %[[BEHIND]], %[[AFTER]]
  %0 = stablehlo.slice %arg0 [12:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<4xf32>
  %1 = stablehlo.slice %arg0 [0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  %3 = stablehlo.concatenate %0, %2, %2, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// All parts are negated.
// CHECK-LABEL: func.func @all
func.func @all(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  // CHECK:      %[[JOINED:.*]] = stablehlo.concatenate
  // CHECK-NEXT: %[[R:.*]] = stablehlo.negate %[[JOINED]]
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.slice %arg0 [8:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %2 = stablehlo.concatenate %1, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// Nothing is sent along a dimension that is not sharded; slices of two tensors are sent one by one; nor is there
// anything to be had with steps, or where the result is sharded otherwise.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  // CHECK-NOT: stablehlo.select
  // CHECK:     return
  %0 = stablehlo.slice %arg0 [0:4, 8:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x8xf32>
  %2 = stablehlo.concatenate %1, %0, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %3 = stablehlo.slice %arg1 [8:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<8xf32>
  %4 = stablehlo.negate %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %5 = stablehlo.slice %arg2 [8:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<8xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %7 = stablehlo.slice %arg1 [0:16:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<8xf32>
  %8 = stablehlo.negate %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %9 = stablehlo.concatenate %8, %7, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %10 = stablehlo.concatenate %4, %3, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %2, %6, %9, %10 : tensor<4x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
