// RUN: sdy-opt %s --mpmd-pipeline-scheduler='must-happen-before=1F1B' | filecheck %s --check-prefix=ORDER
// RUN: sdy-opt %s --mpmd-rule-based-schedule='rules=FragmentScheduleRule(ordered_fragments=[FragmentInfo(origins=["g"],mesh_name="m1")->FragmentInfo(origins=["f"],mesh_name="m1")])' | filecheck %s --check-prefix=RULE
// RUN: sdy-opt %s --mpmd-rule-based-merge='rules=FragmentMergeRule(sources=[FragmentInfo(origins=["f"],mesh_name="m1"),FragmentInfo(origins=["g"],mesh_name="m1")],target=FragmentInfo(origins=["h"],stage=3,mesh_name="m1"))' | filecheck %s --check-prefix=MERGE
// RUN: sdy-opt %s --mpmd-split-bwd-fragments | filecheck %s --check-prefix=SPLIT
// RUN: sdy-opt %s --mpmd-remat-fragment | filecheck %s --check-prefix=AGAIN
// RUN: sdy-opt %s --mpmd-merge-user-fragments-into-scheduling-units | filecheck %s --check-prefix=UNIT
// RUN: sdy-opt %s --mpmd-merge-forward-with-backward | filecheck %s --check-prefix=BOTH

// Passes that order, split and merge fragments of users.
!on_1 = !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
!on_2 = !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>>

// On the last mesh a microbatch goes backward before the next one goes forward.
// ORDER-LABEL: @one_forward_one_backward
func.func public @one_forward_one_backward(%arg0: !on_2) -> (!on_2, !on_2) attributes {topology = #topology} {
  // ORDER: origin=["f"]> (%arg0) {call_counter = 0
  // ORDER: origin=["f"(1)]> {{.*}} {call_counter = 0
  // ORDER: origin=["f"]> (%arg0) {call_counter = 1
  // ORDER: origin=["f"(1)]> {{.*}} {call_counter = 1
  %0 = mpmd.fragment<mesh="m2", origin=["f"]> (%arg0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  %1 = mpmd.fragment<mesh="m2", origin=["f"]> (%arg0) {call_counter = 1 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  %2 = mpmd.fragment<mesh="m2", origin=["f"(1)]> (%0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  %3 = mpmd.fragment<mesh="m2", origin=["f"(1)]> (%1) {call_counter = 1 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2) -> !on_2
  return %2, %3 : !on_2, !on_2
}

// The rule says that `g` comes first.
// RULE-LABEL: @rule
func.func public @rule(%arg0: !on_1) -> (!on_1, !on_1) attributes {topology = #topology} {
  // RULE: origin=["g"]>
  // RULE: origin=["f"]>
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0, %1 : !on_1, !on_1
}

// Two fragments become the one that the rule has as its target.
// MERGE-LABEL: @merged_by_rule
func.func public @merged_by_rule(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // MERGE: %[[H:.*]] = mpmd.fragment<mesh="m1", origin=["h"], stage=3> (%arg0)
  // MERGE: stablehlo.tanh
  // MERGE: stablehlo.negate
  // MERGE: return %[[H]]
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %1 : !on_1
}

// What is sent is computed first; the rest gets what it needs of that.
// SPLIT-LABEL: @split
func.func public @split(%arg0: !on_1, %arg1: !on_1) -> (!on_2, !on_1) attributes {topology = #topology} {
  // SPLIT: %[[KEPT:.*]]:3 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%arg0, %arg1) {split_keep_transferred}
  // SPLIT: %[[SHARED:.*]] = stablehlo.tanh
  // SPLIT: %[[SENT:.*]] = stablehlo.abs
  // SPLIT: mpmd.return %[[SENT]], {{.*}}, %[[SHARED]]
  // SPLIT: %[[REST:.*]] = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%arg0, %arg1, %[[KEPT]]#1, %[[KEPT]]#2) {split_drop_transferred}
  // SPLIT: stablehlo.add
  // SPLIT: mpmd.transfer %[[KEPT]]#0
  %0:2 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%arg0, %arg1) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %kept = stablehlo.tanh %x : tensor<4x8xf32>
    %more = stablehlo.negate %kept : tensor<4x8xf32>
    %sent = stablehlo.abs %more : tensor<4x8xf32>
    %gradient = stablehlo.add %kept, %y : tensor<4x8xf32>
    mpmd.return %sent, %gradient : tensor<4x8xf32>, tensor<4x8xf32>
  } : (!on_1, !on_1) -> (!on_1, !on_1)
  %1 = mpmd.transfer %0#0 : (!on_1) -> !on_2
  return %1, %0#1 : !on_2, !on_1
}

// The forward fragment is computed again where its backward one does not follow.
// AGAIN-LABEL: @again
func.func public @again(%arg0: !on_1) -> (!on_1, !on_1) attributes {topology = #topology} {
  // AGAIN: origin=["f"]> (%arg0) {call_counter = 0 : ui32} (
  // AGAIN: origin=["g"]>
  // AGAIN: %[[SECOND:.*]] = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 0 : ui32, remat}
  // AGAIN: origin=["f"(1)]> (%[[SECOND]], %arg0)
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%arg0) {call_counter = 1 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %2 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%0, %arg0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %v = stablehlo.add %x, %y : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1, !on_1) -> !on_1
  return %1, %2 : !on_1, !on_1
}

// Fragments of one microbatch are one unit, those of another stay apart.
// UNIT-LABEL: @unit
func.func public @unit(%arg0: !on_1) -> (!on_1) attributes {topology = #topology} {
  // UNIT: %[[FIRST:.*]] = mpmd.fragment<mesh="m1", origin=["f", "g"]> (%arg0) {call_counter = 0
  // UNIT: origin=["g"]> (%[[FIRST]]) {call_counter = 1
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%1) {call_counter = 1 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.abs %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %2 : !on_1
}

// A backward fragment that follows is merged.
// BOTH-LABEL: @both_ways
func.func public @both_ways(%arg0: !on_1) -> (!on_1) attributes {topology = #topology} {
  // BOTH: %[[SHARED:.*]] = mpmd.fragment<mesh="m1", origin=["f", "f"(1)]> (%arg0)
  // BOTH: return %[[SHARED]]
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%0) {call_counter = 0 : ui32} (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %1 : !on_1
}
