// RUN: sdy-opt %s --sdy-update-non-divisible-input-output-shardings | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2, "z"=6, "w"=1]>

// Of the axes of a dimension the front part that divides is kept, the last axis perhaps in part. What divides stays,
// priority included.
// CHECK-LABEL: func.func @functions
// CHECK-SAME: (%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1]>}) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z":(1)3}], replicated={"x"}>}, tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>})
func.func @functions(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1]>})
    -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "y"}], replicated={"x"}>}, tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced=max{"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.constant dense<1.000000e+00> : tensor<3xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.constant dense<1.000000e+00> : tensor<5xf32>
  // CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<3xf32>, tensor<5xf32>
  %0 = sdy.constant dense<1.0> : tensor<3xf32>
  %1 = sdy.constant dense<1.0> : tensor<5xf32>
  return %0, %1 : tensor<3xf32>, tensor<5xf32>
}

// Results of calls are at a boundary, those of other ops are not; a tensor of dynamic size says nothing about division.
// CHECK-LABEL: func.func @calls
// CHECK-SAME: (%arg0: tensor<6xf32>, %arg1: tensor<?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6xf32>
func.func @calls(%arg0: tensor<6xf32>, %arg1: tensor<?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @callee(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}]>]>} : (tensor<6xf32>) -> tensor<6xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.negate %[[V0]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<6xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<6xf32>
  %0 = call @callee(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>) -> tensor<6xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// What the body of a manual computation sees is local: 6 elements over "y" are 3, which "x" does not divide. The
// reduction of unreduced axes stays.
// CHECK-LABEL: func.func @manual_computation(
func.func @manual_computation(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  // CHECK-NEXT: %[[V0:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y"}], unreduced=max{"z"}>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%arg1: tensor<3xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<3xf32>
  // CHECK-NEXT: } : (tensor<6xf32>) -> tensor<6xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<6xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y", "x"}], unreduced=max{"z"}>] out_shardings=[<@mesh, [{"y", "x"}]>] manual_axes={"y"} (%arg1: tensor<3xf32>) {
    sdy.return %arg1 : tensor<3xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func private @callee(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  return %arg0 : tensor<6xf32>
}

// A part of an axis that divides stays, with its priority; an axis of size 1 ends the list like one that does not divide;
// nothing is too much for a dimension without elements; axes in front of a part that is cut stay whole.
// CHECK-LABEL: func.func @rules(
// CHECK-SAME: %arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, ?}p1]>}, %arg1: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z":(1)3}]>}, %arg2: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>}, %arg3: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg4: tensor<0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg5: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "x":(1)2}]>})
func.func @rules(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, ?}p1]>}, %arg1: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "y"}p3]>}, %arg2: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %arg3: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"w", "y"}]>}, %arg4: tensor<0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg5: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "x":(1)2, "y"}]>}) {
  // CHECK-NEXT: return
  return
}
