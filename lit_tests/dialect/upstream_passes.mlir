// RUN: sdy-opt %s --split-input-file --cse | filecheck %s --check-prefix=CSE
// RUN: sdy-opt %s --split-input-file --canonicalize | filecheck %s --check-prefix=CANON
// RUN: sdy-opt %s --split-input-file --symbol-dce | filecheck %s --check-prefix=DCE
// RUN: sdy-opt %s --split-input-file --inline | filecheck %s --check-prefix=INLINE
// RUN: sdy-opt %s --split-input-file --inline='default-pipeline=' | filecheck %s --check-prefix=ALONE

// What upstream's passes know of sdy's ops: which are pure, terminators, isolated, symbols.

sdy.mesh @mesh = <["a"=2, "b"=4]>

// Unused ops go if they are pure; constraints, groups, edges and collectives stay.
// CSE-LABEL: func.func @unused
// CANON-LABEL: func.func @unused
func.func @unused(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg1: tensor<8xf32>) {
  // CSE-NEXT: %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  // CANON-NEXT: %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{"b"}]> : tensor<8xf32>
  %2 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8xf32>
  %3 = sdy.constant dense<1.0> : tensor<8xf32>
  // CSE-NEXT: sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  // CANON-NEXT: sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  // CSE-NEXT: %1 = sdy.func_data_flow_edge %arg1 : tensor<8xf32>
  // CANON-NEXT: %1 = sdy.func_data_flow_edge %arg1 : tensor<8xf32>
  %4 = sdy.func_data_flow_edge %arg1 : tensor<8xf32>
  // CSE-NEXT: %2 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CANON-NEXT: %2 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %5 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CSE-NEXT: return
  // CANON-NEXT: return
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>

// Of equal ops that are pure one is enough, constants included; constraints are not pure.
// CSE-LABEL: func.func @equal
func.func @equal(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CSE-NEXT: %0 = sdy.reshard %arg0
  %0 = sdy.reshard %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  // CSE-NEXT: %1 = sdy.constant
  %2 = sdy.constant dense<1.0> : tensor<8xf32>
  %3 = sdy.constant dense<1.0> : tensor<8xf32>
  // CSE-NEXT: %2 = sdy.sharding_constraint
  // CSE-NEXT: %3 = sdy.sharding_constraint
  %4 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %5 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  // CSE-NEXT: return %0, %0, %1, %1, %2, %3
  return %0, %1, %2, %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>

// An unused computation goes if nothing in it has effects. What is equal in it becomes one, never with what is outside.
// CSE-LABEL: func.func @computations
func.func @computations(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CSE-NEXT: %0 = stablehlo.abs %arg0
  %0 = stablehlo.abs %arg0 : tensor<8xf32>
  %1 = sdy.named_computation<"pure">(%arg0) (%arg1: tensor<8xf32>) {
    %5 = stablehlo.abs %arg1 : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // CSE-NEXT: sdy.named_computation<"constrained">
  %2 = sdy.named_computation<"constrained">(%arg0) (%arg1: tensor<8xf32>) {
    %5 = sdy.sharding_constraint %arg1 <@mesh, [{"a"}]> : tensor<8xf32>
    sdy.return %5 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // CSE: sdy.named_computation<"used">(%0)
  %3 = sdy.named_computation<"used">(%0) (%arg1: tensor<8xf32>) {
    // CSE-NEXT: %[[ABS:.*]] = stablehlo.abs %arg1
    %5 = stablehlo.abs %arg1 : tensor<8xf32>
    %6 = stablehlo.abs %arg1 : tensor<8xf32>
    // CSE-NEXT: stablehlo.add %[[ABS]], %[[ABS]]
    %7 = stablehlo.add %5, %6 : tensor<8xf32>
    sdy.return %7 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// A private mesh stays as long as something names it, be it an argument, an op, a list of shardings or a module in it.
// DCE-LABEL: module @meshes
module @meshes {
// DCE-NEXT: sdy.mesh @by_argument
sdy.mesh @by_argument = <["a"=2]> {sym_visibility = "private"}
// DCE-NEXT: sdy.mesh @by_op
sdy.mesh @by_op = <["a"=2]> {sym_visibility = "private"}
// DCE-NEXT: sdy.mesh @by_attribute
sdy.mesh @by_attribute = <["a"=2]> {sym_visibility = "private"}
// DCE-NEXT: sdy.mesh @by_module
sdy.mesh @by_module = <["a"=2]> {sym_visibility = "private"}
// DCE-NEXT: sdy.mesh @by_other_dialect
sdy.mesh @by_other_dialect = <["a"=2]> {sym_visibility = "private"}
// DCE-NOT: @by_nobody
sdy.mesh @by_nobody = <["a"=2]> {sym_visibility = "private"}
sdy.mesh @nested_by_nobody = <["a"=2]> {sym_visibility = "nested"}
sdy.mesh @by_dead_function = <["a"=2]> {sym_visibility = "private"}
// DCE: sdy.mesh @public
sdy.mesh @public = <["a"=2]>
// DCE-NEXT: func.func @uses
func.func @uses(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@by_argument, [{"a"}]>}) {
  %0 = sdy.reshard %arg0 <@by_op, [{"a"}]> : tensor<8xf32>
  %1 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@by_attribute, [{"a"}]>]>} : tensor<8xf32>
  %2 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @by_other_dialect, axes = [#stablehlo.axis_ref<name = "a">]>}> {note = "@by_nobody"} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
// DCE-NOT: @dead_function
func.func private @dead_function(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@by_dead_function, [{"a"}]>}) {
  return
}
// DCE: module attributes {sdy.x = [#sdy.sharding<@by_module, []>]} {
module attributes {sdy.x = [#sdy.sharding<@by_module, []>]} {
  // DCE-NEXT: }
  sdy.mesh @by_argument = <["a"=4]> {sym_visibility = "private"}
}
}

// -----

sdy.mesh @mesh = <["a"=2]>

// Calls of functions with sdy ops are inlined, in computations as well.
// INLINE-LABEL: func.func @calls
// ALONE-LABEL: func.func @calls
func.func @calls(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // INLINE-NEXT: %0 = sdy.sharding_constraint %arg0
  // INLINE-NEXT: sdy.named_computation<"n">(%0)
  // ALONE-NEXT: %0 = sdy.sharding_constraint %arg0
  // ALONE-NEXT: %1 = sdy.reshard %arg0
  // ALONE-NEXT: sdy.named_computation<"n">(%0)
  %0 = call @constrained(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"n">(%0) (%arg1: tensor<8xf32>) {
    // INLINE-NEXT: sdy.sharding_constraint %arg1
    %2 = func.call @outer(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
    // INLINE-NEXT: sdy.return
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // INLINE: %[[R:.*]] = call @recursive
  %2 = call @recursive(%1) : (tensor<8xf32>) -> tensor<8xf32>
  // INLINE-NEXT: call @not_inline(%[[R]])
  %3 = call @not_inline(%2) : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
// INLINE-NOT: func.func private @constrained
// INLINE-NOT: func.func private @outer
func.func private @outer(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @constrained(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @constrained(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
  %1 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// INLINE: func.func private @recursive
func.func private @recursive(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // INLINE-NEXT: call @recursive
  %0 = call @recursive(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @not_inline(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {no_inline} {
  return %arg0 : tensor<8xf32>
}

// -----

// A private function that nobody names is removed, and what it calls counts as called. So does a call that goes with an
// op that turns out to be dead.
// INLINE-LABEL: func.func @main
// INLINE-NEXT:  return
func.func @main(%arg0: tensor<i32>) {
  call @caller() : () -> ()
  call @with_dead_code() : () -> ()
  return
}
// INLINE-NOT: @nobody_calls
func.func private @nobody_calls() {
  call @called_by_nobody() : () -> ()
  return
}
// INLINE: func.func private @called_by_nobody
func.func private @called_by_nobody() {
  return
}
// INLINE-NOT: @caller
func.func private @caller() {
  call @callee() : () -> ()
  return
}
// INLINE: func.func private @callee
func.func private @callee() {
  return
}
// INLINE-NOT: @with_dead_code
func.func private @with_dead_code() {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  "stablehlo.case"(%0) ({
    stablehlo.return
  }, {
    func.call @callee() : () -> ()
    stablehlo.return
  }) : (tensor<i32>) -> ()
  return
}

// -----

// Of functions that call each other the one that is met first keeps its call.
// INLINE-LABEL: func.func @circle
// INLINE-NEXT:  call @first
// INLINE-NEXT:  call @effect
// INLINE-NEXT:  return
func.func @circle() {
  call @first() : () -> ()
  return
}
// INLINE: func.func private @first
func.func private @first() {
  // INLINE-NEXT: call @first
  // INLINE-NEXT: call @effect
  call @second() : () -> ()
  return
}
// INLINE-NOT: @second
func.func private @second() {
  call @first() : () -> ()
  call @effect() : () -> ()
  return
}
func.func private @effect()
