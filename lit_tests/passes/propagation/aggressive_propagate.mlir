// RUN: sdy-opt %s --sdy-aggressive-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-aggressive-propagate='propagation-strategy=basic' | filecheck %s --check-prefix=BASIC
// RUN: sdy-opt %s --sdy-aggressive-propagate='propagation-strategy=basic-then-aggressive' | filecheck %s --check-prefix=BOTH

sdy.mesh @mesh = <["a"=2, "b"=4]>

func.func @main() {
  return
}

// Rows and columns want one axis; that of the larger operand goes to the result.
// CHECK-LABEL: func.func @larger_tensor_first
// BASIC-LABEL: func.func @larger_tensor_first
func.func @larger_tensor_first(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x32xf32> {
  // CHECK-NEXT: stablehlo.dot {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}]>]>}
  // BASIC-NEXT: stablehlo.dot %arg0, %arg1 : (
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<8x4xf32>, tensor<4x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// All tensors of an elementwise op have one size; there more shards count.
// CHECK-LABEL: func.func @more_shards_first
func.func @more_shards_first(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", "b", ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", "b", ?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Equally many shards: the first operand.
// CHECK-LABEL: func.func @first_operand_first
func.func @first_operand_first(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}]>]>}
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A closed operand concerns nobody else.
// CHECK-LABEL: func.func @closed_operand
// CHECK-SAME:    %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}
func.func @closed_operand(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}, %arg2: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.clamp {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b", ?}, {?}]>]>}
  %0 = stablehlo.clamp %arg0, %arg1, %arg2 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// An elementwise op hands nothing from operand to operand that its result cannot take.
// CHECK-LABEL: func.func @result_stops_operands
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @result_stops_operands(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}]>}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Other ops do: contracting dimensions agree even if the result is closed.
// CHECK-LABEL: func.func @past_a_closed_result
// CHECK-SAME:    %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
func.func @past_a_closed_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// With both strategies the basic one goes through the whole program first. Here it shards the dot's result from below
// before the aggressive one could from above.
// CHECK-LABEL: func.func @basic_goes_first
// BOTH-LABEL: func.func @basic_goes_first
func.func @basic_goes_first(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, %arg2: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<16x4xf32> {
  // CHECK-NEXT: stablehlo.dot {{.*}}[{"a", ?}, {?}]
  // BOTH-NEXT: stablehlo.dot {{.*}}[{?}, {"a", ?}]
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a", ?}, {?}]
  // BOTH-NEXT: stablehlo.add {{.*}}[{?}, {"a", ?}]
  %1 = stablehlo.add %0, %arg2 : tensor<16x4xf32>
  return %1 : tensor<16x4xf32>
}

// What one operand cannot have, others may: here it is replicated. With the basic strategy all do without.
// CHECK-LABEL: func.func @replicated
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}], replicated={"b"}>}
// BASIC-LABEL: func.func @replicated
func.func @replicated(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"b"}>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"a", "b", ?}, {?}]
  // BASIC-NEXT: stablehlo.add {{.*}}[{"a", ?}, {?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// The same for the part of an axis that the other operand uses elsewhere.
// CHECK-LABEL: func.func @overlap
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2, ?}, {"b":(2)2, ?}]>}
// BASIC-LABEL: func.func @overlap
func.func @overlap(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b":(2)2, ?}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}[{"b", ?}, {?}]
  // BASIC-NEXT: stablehlo.add {{.*}}[{"b":(1)2, ?}, {?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Where axes really disagree, both strategies stop at what they have in common.
// CHECK-LABEL: func.func @common_prefix
// BASIC-LABEL: func.func @common_prefix
func.func @common_prefix(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", "b", ?}]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a"}]>}, %arg2: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  // CHECK-NEXT: stablehlo.add {{.*}}[{?}, {"a", "b", ?}]
  // BASIC-NEXT: stablehlo.add {{.*}}[{?}, {"a", ?}]
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x16xf32>
  // CHECK-NEXT: stablehlo.subtract %arg0, %arg2 : tensor
  // BASIC-NEXT: stablehlo.subtract %arg0, %arg2 : tensor
  %1 = stablehlo.subtract %arg0, %arg2 : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}
