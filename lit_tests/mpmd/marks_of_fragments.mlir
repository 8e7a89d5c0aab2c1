// RUN: sdy-opt %s --mpmd-copy-constants | filecheck %s --check-prefix=COPY
// RUN: sdy-opt %s --mpmd-merge-transfers | filecheck %s --check-prefix=TOGETHER
// RUN: sdy-opt %s --mpmd-mark-offloaded-input-output | filecheck %s --check-prefix=HOST
// RUN: sdy-opt %s --mpmd-mark-input-output-with-layouts | filecheck %s --check-prefix=LAYOUT
// RUN: sdy-opt %s --mpmd-delay-inferred-fragments | filecheck %s --check-prefix=LATE
// RUN: sdy-opt %s --mpmd-delay-transfers-from-cpu | filecheck %s --check-prefix=FROM
// RUN: sdy-opt %s --mpmd-sink-create-token-into-fragments | filecheck %s --check-prefix=TOKEN
// RUN: sdy-opt %s --mpmd-mark-aliasing-and-donation | filecheck %s --check-prefix=DONATED
// RUN: sdy-opt %s --mpmd-mark-fragment-reserved-memory | filecheck %s --check-prefix=RESERVED

// Passes of the export pipeline.
!on_1 = !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
!on_2 = !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
#topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m2" : <["x"=2, "y"=2]>>>

// The constant that comes from another mesh is made where it is used.
// COPY-LABEL: @constant
func.func public @constant(%arg0: !on_2) -> !on_2 attributes {topology = #topology} {
  // COPY: origin=["g"]> (%arg0, %{{.*}}) (%[[X:.*]]: tensor<4x8xf32>, %{{.*}})
  // COPY: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00>
  // COPY: stablehlo.add %[[X]], %[[ONE]]
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> () () {
    %one = stablehlo.constant dense<1.0> : tensor<4x8xf32>
    mpmd.return %one : tensor<4x8xf32>
  } : () -> !on_1
  %1 = mpmd.transfer %0 : (!on_1) -> !on_2
  %2 = mpmd.fragment<mesh="m2", origin=["g"]> (%arg0, %1) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %v = stablehlo.add %x, %y : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_2, !on_2) -> !on_2
  return %2 : !on_2
}

// Two scalars are sent together; the single transfers are not used any more.
// TOGETHER-LABEL: @scalars
func.func public @scalars(%arg0: !mpmd.mesh_tensor<"m1", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>> attributes {topology = #topology} {
  // TOGETHER: %[[SHARED:.*]] = stablehlo.concatenate
  // TOGETHER: mpmd.return %{{.*}}, %{{.*}}, %[[SHARED]]
  // TOGETHER: %[[T:.*]] = mpmd.transfer {concat_transfer} %{{.*}}#2
  // TOGETHER: origin=["g"]> (%{{.*}}, %{{.*}}, %[[T]])
  // TOGETHER: stablehlo.slice %{{.*}} [0:1]
  // TOGETHER: stablehlo.slice %{{.*}} [1:2]
  %0:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<f32>) {
    %v = stablehlo.tanh %x : tensor<f32>
    %w = stablehlo.negate %x : tensor<f32>
    mpmd.return %v, %w : tensor<f32>, tensor<f32>
  } : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> (!mpmd.mesh_tensor<"m1", tensor<f32>>, !mpmd.mesh_tensor<"m1", tensor<f32>>)
  %1 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
  %2 = mpmd.transfer %0#1 : (!mpmd.mesh_tensor<"m1", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
  %3 = mpmd.fragment<mesh="m2", origin=["g"]> (%1, %2) (%x: tensor<f32>, %y: tensor<f32>) {
    %v = stablehlo.add %x, %y : tensor<f32>
    mpmd.return %v : tensor<f32>
  } : (!mpmd.mesh_tensor<"m2", tensor<f32>>, !mpmd.mesh_tensor<"m2", tensor<f32>>) -> !mpmd.mesh_tensor<"m2", tensor<f32>>
  return %3 : !mpmd.mesh_tensor<"m2", tensor<f32>>
}

// The operand is in the memory of the host, the result is not.
// HOST-LABEL: @offloaded
func.func public @offloaded(%arg0: !on_1 {mhlo.memory_kind = "pinned_host"}) -> !on_1 attributes {topology = #topology} {
  // HOST: {arg_attrs = [{mhlo.memory_kind = "pinned_host"}], res_attrs = [{}]}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.custom_call @annotate_device_placement(%x) {backend_config = "", mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// Operands and results have the layouts of the function's.
// LAYOUT-LABEL: @layouts
func.func public @layouts(%arg0: !on_1 {mhlo.layout_mode = "auto"}) -> (!on_1 {mhlo.layout_mode = "{1,0}"}) attributes {topology = #topology} {
  // LAYOUT: {arg_attrs = [{mhlo.layout_mode = "auto"}], res_attrs = [{mhlo.layout_mode = "{1,0}"}]}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0 : !on_1
}

// The inferred fragment comes right in front of its user.
// LATE-LABEL: @late
func.func public @late(%arg0: !on_1) -> (!on_1, !on_1) attributes {topology = #topology} {
  // LATE: origin=["f"]>
  // LATE: %[[COPIED:.*]] = mpmd.fragment<mesh="m1", origin=[]>
  // LATE: origin=["g"]> (%[[COPIED]])
  %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["a"]} (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.abs %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %1, %2 : !on_1, !on_1
}

// What comes from the host is sent right in front of its user.
// FROM-LABEL: @from_host
func.func public @from_host(%arg0: !mpmd.mesh_tensor<"m1/cpu", tensor<4x8xf32>>, %arg1: !on_1) -> (!on_1, !on_1) attributes {topology = #mpmd.topology<<"m1" : <["x"=2, "y"=2]>>, <"m1/cpu" : <["x"=2, "y"=2]>>>} {
  // FROM: origin=["f"]>
  // FROM: %[[T:.*]] = mpmd.transfer %arg0
  // FROM: origin=["g"]> (%[[T]])
  %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1/cpu", tensor<4x8xf32>>) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg1) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.negate %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %1, %2 : !on_1, !on_1
}

// Each fragment makes the token that it needs.
// TOKEN-LABEL: @token
func.func public @token(%arg0: !on_1) -> !on_1 attributes {topology = #topology} {
  // TOKEN: origin=["g"]> (%arg0) (%[[X:.*]]: tensor<4x8xf32>)
  // TOKEN: %[[T:.*]] = stablehlo.create_token
  // TOKEN: "stablehlo.outfeed"(%[[X]], %[[T]])
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> () () {
    %t = stablehlo.create_token : !stablehlo.token
    mpmd.return %t : !stablehlo.token
  } : () -> !stablehlo.token
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%arg0, %0) (%x: tensor<4x8xf32>, %t: !stablehlo.token) {
    %u = "stablehlo.outfeed"(%x, %t) : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    mpmd.return %x : tensor<4x8xf32>
  } : (!on_1, !stablehlo.token) -> !on_1
  return %1 : !on_1
}

// A donated argument is a donor at its last use, a value in between becomes the result.
// DONATED-LABEL: @donated
func.func public @donated(%arg0: !on_1 {jax.buffer_donor = true}, %arg1: !on_1) -> !on_1 attributes {topology = #topology} {
  // DONATED: origin=["f"]> (%arg0, %arg1) {arg_attrs = [{jax.buffer_donor = true}, {}]}
  // DONATED: origin=["g"]> (%{{.*}}) {arg_attrs = [{tf.aliasing_output = 0 : i32}]}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %arg1) (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
    %v = stablehlo.add %x, %y : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1, !on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %1 : !on_1
}

// The other argument stays, behind the first fragment its result as well: 128 bytes each.
// RESERVED-LABEL: @reserved
func.func public @reserved(%arg0: !on_1, %arg1: !on_1) -> (!on_1, !on_1) attributes {topology = #topology} {
  // RESERVED: origin=["f"]> (%arg0) {reserved_hbm_bytes = 128
  // RESERVED: origin=["g"]> (%arg0) {reserved_hbm_bytes = 256
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%arg0) (%x: tensor<4x8xf32>) {
    %v = stablehlo.tanh %x : tensor<4x8xf32>
    mpmd.return %v : tensor<4x8xf32>
  } : (!on_1) -> !on_1
  return %0, %1 : !on_1, !on_1
}
