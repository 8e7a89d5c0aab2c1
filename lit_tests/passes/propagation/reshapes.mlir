// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-basic-propagate='conservative-propagation=true' | filecheck %s --check-prefix=CONSERVATIVE

// Dimensions that are made of several factors.

sdy.mesh @mesh = <["a"=8, "b"=2]>
sdy.mesh @odd = <["c"=3, "d"=2]>
sdy.mesh @wide = <["e"=4, "f"=6]>
sdy.mesh @ones = <["g"=2, "h"=1, "i"=2]>

func.func @main() {
  return
}

// An axis is split where a factor is full. Not if sub-axes are to be avoided.
// CHECK-LABEL: func.func @split
// CONSERVATIVE-LABEL: func.func @split
func.func @split(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}]>}) -> tensor<4x4xf32> {
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"a":(1)4, ?}, {"a":(4)2, "b", ?}]
  // CONSERVATIVE-NEXT: stablehlo.reshape %arg0 : (
  %0 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// The first factor is 2: the axis of size 2 fits, then 3 divides 9.
// CHECK-LABEL: func.func @divides
func.func @divides(%arg0: tensor<18xf32> {sdy.sharding = #sdy.sharding<@odd, [{"d", "c", ?}]>}) -> tensor<2x9xf32> {
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"d", ?}, {"c", ?}]
  %0 = stablehlo.reshape %arg0 : (tensor<18xf32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}

// The other way round the axes straddle the factors.
// CHECK-LABEL: func.func @does_not_divide
func.func @does_not_divide(%arg0: tensor<18xf32> {sdy.sharding = #sdy.sharding<@odd, [{"c", "d", ?}]>}) -> tensor<2x9xf32> {
  // CHECK-NEXT: stablehlo.reshape %arg0 : (
  %0 = stablehlo.reshape %arg0 : (tensor<18xf32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}

// Merging dimensions: the minor one counts only if the major one is sharded as far as it goes.
// CHECK-LABEL: func.func @merge
func.func @merge(%arg0: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"a", ?}]>}) -> tensor<16xf32> {
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"b", "a", ?}]
  %0 = stablehlo.reshape %arg0 : (tensor<2x8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-LABEL: func.func @merge_half_used
func.func @merge_half_used(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"a", ?}]>}) -> tensor<32xf32> {
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"b", ?}]
  %0 = stablehlo.reshape %arg0 : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// Only as much of an axis as divides the major dimension.
// CHECK-LABEL: func.func @merge_common_divisor
func.func @merge_common_divisor(%arg0: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@wide, [{"e", ?}, {?}]>}, %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@wide, [{"f", ?}, {?}]>}) -> (tensor<16xf32>, tensor<32xf32>) {
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"e":(1)2, ?}]
  %0 = stablehlo.reshape %arg0 : (tensor<2x8xf32>) -> tensor<16xf32>
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"f":(1)2, ?}]
  %1 = stablehlo.reshape %arg1 : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0, %1 : tensor<16xf32>, tensor<32xf32>
}

// Parts of an axis: the longer list wins where one starts with the other.
// CHECK-LABEL: func.func @sub_axes
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)4, "b", ?}]>}
func.func @sub_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)4, "b", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a":(1)4, "b", ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Of an axis, the part in front of what is used elsewhere.
// CHECK-LABEL: func.func @overlap
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)4, ?}, {"a":(4)2, ?}]>}
func.func @overlap(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a":(4)2, ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a":(1)4, ?}, {?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A factor may be larger than the mesh can fill; then the axes need not divide it.
// CHECK-LABEL: func.func @last_factor_takes_anything
func.func @last_factor_takes_anything(%arg0: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}]>}) -> tensor<5xf32> {
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"a", "b", ?}]
  %0 = stablehlo.tanh %arg0 : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Of an axis that is in a closed dimension in part, no more than that part.
// CHECK-LABEL: func.func @part_in_a_closed_dimension
func.func @part_in_a_closed_dimension(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a":(1)2, ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// An axis of size 1 goes with the factor that it stands at, and does not get in the way of others.
// CHECK-LABEL: func.func @axis_of_size_one
func.func @axis_of_size_one(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@ones, [{"g", "h", "i", ?}]>}) -> tensor<2x4xf32> {
  // CHECK-NEXT: stablehlo.reshape {{.*}}[{"g", "h", ?}, {"i", ?}]
  %0 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
