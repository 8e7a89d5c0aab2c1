// RUN: sdy-opt %s --sdy-sharding-group-import --split-input-file | filecheck %s

// Groups that share a value are one; ids count from 0 in order of appearance.
// CHECK-LABEL: func.func @merge(
func.func @merge(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xi32>, %arg3: tensor<8xf32>) {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %arg2 group_id=1 : tensor<8xi32>
  // CHECK-NEXT: sdy.sharding_group %arg1 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %arg3 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: return
  sdy.sharding_group %arg0 group_id=12 : tensor<8xf32>
  sdy.sharding_group %arg2 group_id=40 : tensor<8xi32>
  sdy.sharding_group %arg1 group_id=12 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=3 : tensor<8xf32>
  sdy.sharding_group %arg3 group_id=3 : tensor<8xf32>
  return
}

// -----

// The leader of a merged group is that of the set that the value's first group belongs to, and it counts.
// CHECK-LABEL: func.func @leader(
func.func @leader(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %arg1 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %arg2 group_id=1 : tensor<8xf32>
  // CHECK-NEXT: return
  sdy.sharding_group %arg0 group_id=5 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=6 : tensor<8xf32>
  sdy.sharding_group %arg2 group_id=7 : tensor<8xf32>
  sdy.sharding_group %arg2 group_id=5 : tensor<8xf32>
  return
}

// -----

// Of equal groups on one value the first stays; groups of one member stay, too.
// CHECK-LABEL: func.func @duplicates(
func.func @duplicates(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[ADD]] group_id=1 : tensor<8xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=2 : tensor<8xf32>
  sdy.sharding_group %0 group_id=8 : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A group may lie inside a manual computation, and in any other region.
sdy.mesh @mesh = <["a"=2]>

// CHECK-LABEL: func.func @regions(
func.func @regions(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT:   %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
  // CHECK-NEXT:   sdy.sharding_group %[[NEGATE]] group_id=0 : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[NEGATE]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[COMPUTATION:.*]] = sdy.manual_computation(%[[CASE]]) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>) {
  // CHECK-NEXT:   %[[NEGATE_1:.*]] = stablehlo.negate %arg2 : tensor<4xf32>
  // CHECK-NEXT:   sdy.sharding_group %arg2 group_id=1 : tensor<4xf32>
  // CHECK-NEXT:   sdy.sharding_group %[[NEGATE_1]] group_id=1 : tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[NEGATE_1]] : tensor<4xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[COMPUTATION]] : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=4 : tensor<8xf32>
  %0 = "stablehlo.case"(%arg1) ({
    %2 = stablehlo.negate %arg0 : tensor<8xf32>
    sdy.sharding_group %2 group_id=4 : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>) {
    %2 = stablehlo.negate %arg2 : tensor<4xf32>
    sdy.sharding_group %arg2 group_id=2 : tensor<4xf32>
    sdy.sharding_group %2 group_id=2 : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// No groups, nothing to do.
// CHECK-LABEL: func.func @none(
func.func @none(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>

// A function is in the manual computation around the last of its calls, callers before callees.
// CHECK-LABEL: func.func @called_inside(
func.func @called_inside(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: sdy.manual_computation
  // CHECK-NEXT: sdy.sharding_group %{{.*}} group_id=0
  %0 = call @member(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
    sdy.sharding_group %arg1 group_id=7 : tensor<8xf32>
    %2 = func.call @between(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

func.func private @between(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @member(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func private @member(
func.func private @member(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=0
  sdy.sharding_group %arg0 group_id=7 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// -----

// What is in no function is in no manual computation but those around it.
sdy.mesh @mesh = <["a"=2]>
// CHECK: sdy.sharding_group %[[TOP:.*]] group_id=0
%0 = stablehlo.constant dense<1.0> : tensor<8xf32>
sdy.sharding_group %0 group_id=3 : tensor<8xf32>
// CHECK-NEXT: sdy.manual_computation(%[[TOP]])
sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[] manual_axes={"a"} (%arg: tensor<4xf32>) {
  // CHECK-NEXT: sdy.sharding_group %{{.*}} group_id=1
  sdy.sharding_group %arg group_id=5 : tensor<4xf32>
  sdy.return
} : (tensor<8xf32>) -> ()
// CHECK-LABEL: func.func @beside(
func.func @beside(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=0
  sdy.sharding_group %arg0 group_id=3 : tensor<8xf32>
  return
}
