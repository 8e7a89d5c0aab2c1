// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// The rules of the ops of several meshes, one at a time.

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @frag_two_args(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{number of block arguments must match the number of operands respectively: 2 != 1}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t, %y: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @frag_return_two(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{number of returned values must match the number of results respectively: 2 != 1}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    mpmd.return %x, %x : !t, !t
  } : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!u1 = !mpmd.mesh_tensor<"m1", !u>
func.func @frag_arg_type(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{expected the type of the block argument to be global tensor type operand: 'tensor<4xf32>', got: 'tensor<6xf32>'}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !u) {
    mpmd.return %x : !u
  } : (!m1) -> !u1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!u1 = !mpmd.mesh_tensor<"m1", !u>
func.func @frag_ret_type(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{expected the type of the returned value to be global tensor type result: 'tensor<6xf32>', got: 'tensor<4xf32>'}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !u1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @frag_mesh(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{expected the mesh name of the result to match that of the fragment op: m2 != m1}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m2
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @frag_operand_mesh(%a: !m1, %m: !m2) attributes {topology = #topology} {
  // expected-error @+1 {{expected the mesh name of the operand to match that of the fragment op: m2 != m1}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%m) (%x: !t) {
    mpmd.return %x : !t
  } : (!m2) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @frag_mesh_unknown(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{Topology doesn't have a mesh with name: m9}}
  %0 = mpmd.fragment<mesh="m9", origin=["f"]> (%a) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!n1 = !mpmd.mesh_tensor<"m9", !t>
func.func @frag_mesh_unknown2(%a: !m1, %n: !n1) attributes {topology = #topology} {
  // expected-error @+1 {{Topology doesn't have a mesh with name: m9}}
  %0 = mpmd.fragment<mesh="m9", origin=["f"]> (%n) (%x: !t) {
    mpmd.return %x : !t
  } : (!n1) -> !n1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
sdy.mesh @mesh = <["x"=2]>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!d1 = !mpmd.mesh_tensor<"m1", tensor<3xf32>, sharding=<@mesh, [{"x"}]>>
func.func @frag_nondiv(%a: !m1, %d: !d1) attributes {topology = #topology} {
  // expected-error @+1 {{dim 0 with size 3 is not divisible by its sharded size 2}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%d) (%x: tensor<3xf32>) {
    mpmd.return %x : tensor<3xf32>
  } : (!d1) -> !d1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
sdy.mesh @mesh = <["x"=2]>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!r1 = !mpmd.mesh_tensor<"m1", !t, sharding=<@mesh, [{"x"}, {}]>>
func.func @frag_rank(%a: !m1, %r: !r1) attributes {topology = #topology} {
  // expected-error @+1 {{has a sharding of rank 2 for a value of rank 1}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%r) (%x: !t) {
    mpmd.return %x : !t
  } : (!r1) -> !r1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @frag_tensor_operand(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{operand #0 must be variadic of mesh tensor type or token, but got 'tensor<4xf32>'}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%b) (%x: !t) {
    mpmd.return %x : !t
  } : (!t) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!k = !stablehlo.token
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @frag_token_bad(%a: !m1, %k: !k) attributes {topology = #topology} {
  // expected-error @+1 {{expected the type of the block argument to match the operand: '!stablehlo.token', got: 'tensor<4xf32>'}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%k) (%x: !t) {
    mpmd.return %x : !t
  } : (!k) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @frag_in_frag(%a: !m1) attributes {topology = #topology} {
  %q = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
 // expected-error @+1 {{expects parent op to be one of 'func.func, mpmd.for'}}
 %y = mpmd.assign %x : (!t) -> !m1
 mpmd.return %x : !t
} : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @nc_count(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{number of block arguments must match the number of operands respectively: 0 != 1}}
  %0 = mpmd.named_computation<"f"> (%b) () {
 %x = stablehlo.constant dense<0.0> : !t
 mpmd.return %x : !t
} : (!t) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @nc_type(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{expected the type of the block argument to match the operand: 'tensor<4xf32>', got: 'tensor<6xf32>'}}
  %0 = mpmd.named_computation<"f"> (%b) (%x: !u) {
 %y = stablehlo.constant dense<0.0> : !t
 mpmd.return %y : !t
} : (!t) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @nc_ret(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{expected the type of the returned value to match the result: 'tensor<6xf32>', got: 'tensor<4xf32>'}}
  %0 = mpmd.named_computation<"f"> (%b) (%x: !t) {
 mpmd.return %x : !t
} : (!t) -> !u
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @nc_retcount(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{number of returned values must match the number of results respectively: 2 != 1}}
  %0 = mpmd.named_computation<"f"> (%b) (%x: !t) {
 mpmd.return %x, %x : !t, !t
} : (!t) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @nc_mesh_tensor(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor or token, but got '!mpmd.mesh_tensor<"m1", tensor<4xf32>>'}}
  %0 = mpmd.named_computation<"f"> (%a) (%x: !m1) {
 mpmd.return %x : !m1
} : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!u1 = !mpmd.mesh_tensor<"m1", !u>
func.func @transfer_type(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{cannot perform transfer between given types '!mpmd.mesh_tensor<"m1", tensor<4xf32>>' and '!mpmd.mesh_tensor<"m1", tensor<6xf32>>': global tensor types are different}}
  %0 = mpmd.transfer %a : (!m1) -> !u1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!n1 = !mpmd.mesh_tensor<"m9", !t>
func.func @transfer_unknown(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{Topology doesn't have a mesh with name: m9}}
  %0 = mpmd.transfer %a : (!m1) -> !n1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!b1 = !mpmd.mesh_tensor<"m1", !t, memory_kind="cold">
func.func @transfer_memory(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{memory kind must be either 'pinned_host' or 'device'. Found 'cold'.}}
  %0 = mpmd.transfer %a : (!m1) -> !b1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @transfer_tensor(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{expected base type 'mpmd.mesh_tensor' but got 'builtin.tensor'}}
  %0 = mpmd.transfer %b : (!t) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
sdy.mesh @mesh = <["x"=2]>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!r1 = !mpmd.mesh_tensor<"m1", !t, sharding=<@mesh, [{"x"}, {}]>>
func.func @transfer_rank(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{has a sharding of rank 2 for a value of rank 1}}
  %0 = mpmd.transfer %a : (!m1) -> !r1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
sdy.mesh @mesh = <["x"=2]>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!d1 = !mpmd.mesh_tensor<"m1", tensor<3xf32>, sharding=<@mesh, [{"x"}]>>
func.func @transfer_nondiv(%a: !m1, %d: !d1) attributes {topology = #topology} {
  // expected-error @+1 {{dim 0 with size 3 is not divisible by its sharded size 2}}
  %0 = mpmd.transfer %d : (!d1) -> !d1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
sdy.mesh @mesh = <["x"=2]>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!s1 = !mpmd.mesh_tensor<"m1", !t, sharding=<@mesh, [{"x"}]>>
func.func @assign_sharded(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{MeshTensorType should be fully replicated: '!mpmd.mesh_tensor<"m1", tensor<4xf32>, sharding=<@mesh, [{"x"}]>>'}}
  %0 = mpmd.assign %b : (!t) -> !s1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!u1 = !mpmd.mesh_tensor<"m1", !u>
func.func @assign_type(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{mismatch between the given local type 'tensor<4xf32>' and mesh_type ranked tensor type: 'tensor<6xf32>'}}
  %0 = mpmd.assign %b : (!t) -> !u1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!n1 = !mpmd.mesh_tensor<"m9", !t>
func.func @assign_unknown(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{Topology doesn't have a mesh with name: m9}}
  %0 = mpmd.assign %b : (!t) -> !n1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
sdy.mesh @mesh = <["x"=2]>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!s1 = !mpmd.mesh_tensor<"m1", !t, sharding=<@mesh, [{"x"}]>>
func.func @unassign_sharded(%a: !m1, %s: !s1) attributes {topology = #topology} {
  // expected-error @+1 {{MeshTensorType should be fully replicated: '!mpmd.mesh_tensor<"m1", tensor<4xf32>, sharding=<@mesh, [{"x"}]>>'}}
  %0 = mpmd.unassign %s : (!s1) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @unassign_type(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{mismatch between the given local type 'tensor<6xf32>' and mesh_type ranked tensor type: 'tensor<4xf32>'}}
  %0 = mpmd.unassign %a : (!m1) -> !u
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!n1 = !mpmd.mesh_tensor<"m9", !t>
func.func @unassign_unknown(%a: !m1, %n: !n1) attributes {topology = #topology} {
  // expected-error @+1 {{Topology doesn't have a mesh with name: m9}}
  %0 = mpmd.unassign %n : (!n1) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @call_types(%a: !m1, %c: !u) attributes {topology = #topology} {
  // expected-error @+1 {{Type mismatch. Expected call operand to have type 'tensor<4xf32>' but got 'tensor<6xf32>'}}
  %0 = mpmd.call @f(%c) : (!u) -> !u
  return
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @call_rtypes(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{Type mismatch. Expected call result to have type 'tensor<4xf32>' but got 'tensor<6xf32>'}}
  %0 = mpmd.call @f(%b) : (!t) -> !u
  return
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @call_count(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{has 2 operands, but its callee has 1}}
  %0 = mpmd.call @f(%b, %b) : (!t, !t) -> !t
  return
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @call_public(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{MPMD CallOp callee with topology must also have visibility set to private, as public functions with topologies are assumed to be entry point functions.}}
  %0 = mpmd.call @pub(%b) : (!t) -> !t
  return
}
func.func @pub(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @call_counter_i64(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{call_counter must be an uint32, got 'i64'}}
  %0 = mpmd.call @f(%b) {call_counter = 1 : i64} : (!t) -> !t
  return
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @call_in_nc(%a: !m1, %b: !t) attributes {topology = #topology} {
  %0 = mpmd.named_computation<"f"> (%b) (%x: !t) {
 // expected-error @+1 {{Mpmd CallOp on "f" can only be used in a function or for_op block but was called from inside op mpmd.named_computation.}}
 %y = mpmd.call @f(%x) : (!t) -> !t
 mpmd.return %y : !t
} : (!t) -> !t
  return
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
func.func private @h(%a: !t) -> !t attributes {topology = #topology} {
 // expected-error @+1 {{Mpmd CallOp on "f" in an Mpmd function can only be used directly by the entrypoint function, i.e. the main function, but was called from "h".}}
 %0 = mpmd.call @f(%a) : (!t) -> !t
 return %0 : !t
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @fc_missing(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{'nope' does not reference a valid function}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @nope(%a) : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @fc_shape(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{Expected mesh of fragment call and callee function to match: #sdy.mesh<["x"=2]> vs #sdy.mesh<["x"=4]>}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g2(%a) : (!m1) -> !m1
  return
}
func.func private @g2(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=4]>} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @fc_noshape(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{Function does not have a mesh_shape attribute: g3}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g3(%a) : (!m1) -> !m1
  return
}
func.func private @g3(%a: !t) -> !t { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!u1 = !mpmd.mesh_tensor<"m1", !u>
func.func @fc_type(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{expected the type of the returned value to be global tensor type result: 'tensor<6xf32>', got: 'tensor<4xf32>'}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g(%a) : (!m1) -> !u1
  return
}
func.func private @g(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=2]>} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @fc_count(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{number of block arguments must match the number of operands respectively: 1 != 2}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g(%a, %a) : (!m1, !m1) -> !m1
  return
}
func.func private @g(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=2]>} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @fc_mesh(%a: !m1, %m: !m2) attributes {topology = #topology} {
  // expected-error @+1 {{expected the mesh name of the operand to match that of the fragment op: m2 != m1}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g(%m) : (!m2) -> !m1
  return
}
func.func private @g(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=2]>} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @fc_unknown(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{Topology doesn't have a mesh with name: m9}}
  %0 = mpmd.fragment_call<mesh="m9", origin=["f"]> @g(%a) : (!m1) -> !m1
  return
}
func.func private @g(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=2]>} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @fc_tensor(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{operand #0 must be variadic of mesh tensor type, but got 'tensor<4xf32>'}}
  %0 = mpmd.fragment_call<mesh="m1", origin=["f"]> @g(%b) : (!t) -> !m1
  return
}
func.func private @g(%a: !t) -> !t attributes {mesh_shape = #sdy.mesh<["x"=2]>} { return %a : !t }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_zero(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{number of iterations must be greater than zero}}
  %0 = mpmd.for (%b) {iterations = 0 : ui32} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_unroll(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{number of iterations 4 isn't divisible by unroll factor 3}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32, unroll_factor = 3 : ui32} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_unroll_zero(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{number of iterations 4 isn't divisible by unroll factor 0}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32, unroll_factor = 0 : ui32} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_noiter(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{attribute "iterations" is expected but not provided}}
  %0 = mpmd.for (%b) {} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_i64(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{attribute 'iterations' failed to satisfy constraint: 32-bit unsigned integer attribute}}
  %0 = mpmd.for (%b) {iterations = 4 : i64} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_index_64(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{index must have a 32-bit integer rank-0 tensor type}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !t, %i: tensor<ui64>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_index_1d(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{index must have a 32-bit integer rank-0 tensor type}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !t, %i: tensor<1xui32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_index_f32(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{index must have a 32-bit integer rank-0 tensor type}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !t, %i: tensor<f32>) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_noindex(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{wrong number of arguments for region}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !t) {
    mpmd.return %x : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_argtype(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{wrong argument type at argument no. 0}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !u, %i: tensor<ui32>) {
    mpmd.return %b : !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_ret(%a: !m1, %b: !t, %c: !u) attributes {topology = #topology} {
  // expected-error @+1 {{type mismatch for result of region}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %c : !u
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_retcount(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{type mismatch for result of region}}
  %0 = mpmd.for (%b) {iterations = 4 : ui32} (%x: !t, %i: tensor<ui32>) {
    mpmd.return %x, %x : !t, !t
  } : !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @for_mixed(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{type ids in operands/results are not identical}}
  %0:2 = mpmd.for (%b, %a) {iterations = 4 : ui32} (%x: !t, %y: !m1, %i: tensor<ui32>) {
    mpmd.return %x, %y : !t, !m1
  } : !t, !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_none2(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{ReduceOp must have exactly one operand if the reduction type is none}}
  %0 = mpmd.reduce<none> %b, %b : (!t, !t) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_types(%a: !m1, %b: !t, %c: !u) attributes {topology = #topology} {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = mpmd.reduce<add> %b, %c : (!t, !u) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!u = tensor<6xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_rtype(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = mpmd.reduce<add> %b, %b : (!t, !t) -> !u
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_empty(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %0 = mpmd.reduce<add> : () -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_bad(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{expected one of none, add, max, min, mul, or, and}}
  %0 = mpmd.reduce<foo> %b : (!t) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_nokind(%a: !m1, %b: !t) attributes {topology = #topology} {
  // expected-error @+1 {{expected '<'}}
  %0 = mpmd.reduce %b : (!t) -> !t
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @reduce_mesh(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{expected base type 'builtin.tensor' but got 'mpmd.mesh_tensor'}}
  %0 = mpmd.reduce<add> %a, %a : (!m1, !m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @broadcast_mesh(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{operand #0 must be ranked tensor, but got '!mpmd.mesh_tensor<"m1", tensor<4xf32>>'}}
  %0 = mpmd.broadcast %a : !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @named_tensor_mesh(%a: !m1) attributes {topology = #topology} {
  // expected-error @+1 {{operand #0 must be ranked tensor, but got '!mpmd.mesh_tensor<"m1", tensor<4xf32>>'}}
  %0 = mpmd.named_tensor %a name="x" : !m1
  return
}

// -----

!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @no_topology_frag(%a: !m1) {
  // expected-error @+1 {{Function does not have a topology attribute: no_topology_frag}}
  %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  return
}

// -----

!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @no_topology_transfer(%a: !m1) {
  // expected-error @+1 {{Function does not have a topology attribute: no_topology_transfer}}
  %0 = mpmd.transfer %a : (!m1) -> !m2
  return
}

// -----

!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
func.func @no_topology_assign(%a: !m1, %b: !t) {
  // expected-error @+1 {{Function does not have a topology attribute: no_topology_assign}}
  %0 = mpmd.assign %b : (!t) -> !m1
  return
}

// -----

// expected-error @+1 {{expected at least one mesh}}
func.func @topology_empty() attributes {topology = #mpmd.topology<>} { return }

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
func.func @transfer_of_an_argument_in_host_memory(%a: !m1 {mhlo.memory_kind = "pinned_host"}) attributes {topology = #topology} {
  // expected-error @+1 {{Memory kind attributes are not supported on operands of transfers}}
  %0 = mpmd.transfer %a : (!m1) -> !m1
  return
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
func.func @transfer_of_a_result_in_host_memory(%a: !m1) attributes {topology = #topology} {
  %0 = mpmd.transfer {mhlo.memory_kind = "pinned_host"} %a : (!m1) -> !m1
  // expected-error @+1 {{Memory kind attributes are not supported on operands of transfers}}
  %1 = mpmd.transfer %0 : (!m1) -> !m1
  return
}

// -----

// expected-error @+1 {{expected '>'}}
func.func @type(%a: !mpmd.mesh_tensor<"m1", tensor<4xf32>, memory_kind="device", sharding=<@mesh, [{}]>>) { return }

// -----

// expected-error @+1 {{expected 'sharding' or 'memory_kind'}}
func.func @type(%a: !mpmd.mesh_tensor<"m1", tensor<4xf32>,>) { return }

// -----

// expected-error @+1 {{expected 'memory_kind'}}
func.func @type(%a: !mpmd.mesh_tensor<"m1", tensor<4xf32>, sharding=<@mesh, [{}]>,>) { return }

// -----

// expected-error @+1 {{expected a ranked tensor type}}
func.func @type(%a: !mpmd.mesh_tensor<"m1", f32>) { return }

// -----

// expected-error @+1 {{expected a string}}
func.func @type(%a: !mpmd.mesh_tensor<tensor<4xf32>>) { return }

// -----

// expected-error @+1 {{mesh 'm1' occurs twice in the topology}}
func.func @attribute() attributes {a = #mpmd.topology<<"m1" : <["x"=2]>>, <"m1" : <["x"=2]>>>} { return }

// -----

// expected-error @+1 {{expected an integer}}
func.func @attribute() attributes {a = #mpmd.user_origin<"f"()>} { return }

// -----

// expected-error @+1 {{expected one of none, add, max, min, mul, or, and}}
func.func @attribute() attributes {a = #mpmd.reduction<xor>} { return }

// -----

// expected-error @+1 {{expected at least one origin}}
func.func @attribute() attributes {a = #mpmd<mesh_with_origins"m1"[]>} { return }

// -----

// expected-error @+1 {{expected the name of an mpmd attribute, got 'foo'}}
func.func @attribute() attributes {a = #mpmd.foo<1>} { return }

// -----

// expected-error @+1 {{expected the name of an sdy attribute, got 'topology'}}
func.func @attribute() attributes {a = #sdy.topology<1>} { return }

// -----

func.func @call_missing(%a: tensor<4xf32>) {
  // expected-error @+1 {{'nope' does not reference a valid function}}
  %0 = mpmd.call @nope(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
