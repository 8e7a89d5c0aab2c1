// RUN mpmd-infer-mesh-pipeline
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @main(%a: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = mpmd.call @f(%a) {call_counter = 0 : ui32} : (!t) -> !t
  %1 = mpmd.assign {origin = "f"} %0 : (!t) -> !m1
  %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%b: !t) {
    mpmd.return %b : !t
  } : (!m1) -> !m1
  %3 = mpmd.unassign {origin = "f"} %2 : (!m1) -> !t
  %4 = mpmd.assign {origin = "g"} %0 : (!t) -> !m2
  %5 = mpmd.fragment<mesh="m2", origin=["g"]> (%4) (%b: !t) {
    mpmd.return %b : !t
  } : (!m2) -> !m2
  %6 = mpmd.unassign {origin = "g"} %5 : (!m2) -> !t
  %7 = stablehlo.subtract %3, %6 : !t
  return %3, %7 : !t, !t
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  return %0 : !t
}
// ==>
// refused
// -----
// RUN mpmd-infer-mesh-pipeline
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @conflict(%a: !m1, %b: !m2) -> !t attributes {topology = #topology} {
  %0 = mpmd.unassign {origin = "f"} %a : (!m1) -> !t
  %1 = mpmd.unassign {origin = "g"} %b : (!m2) -> !t
  // expected-error @+1 {{has operands on conflicting meshes: operand 0 on 'm1' (by 'f'), operand 1 on 'm2' (by 'g')}}
  %2 = stablehlo.subtract %0, %1 : !t
  %3 = stablehlo.abs %2 : !t
  return %3 : !t
}
// ==>
// refused
// -----
// RUN mpmd-infer-mesh-pipeline
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @reduction(%a: !m1, %b: !m2) -> !t attributes {topology = #topology} {
  %0 = mpmd.unassign {origin = "f"} %a : (!m1) -> !t
  %1 = mpmd.unassign {origin = "g"} %b : (!m2) -> !t
  // expected-error @+1 {{reduces values of different meshes: operand 0 on 'm1' (by 'f'), operand 1 on 'm2' (by 'g')}}
  %2 = stablehlo.add %0, %1 : !t
  return %2 : !t
}
// ==>
// refused
// -----
// RUN mpmd-infer-mesh-pipeline
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @misplaced(%a: !m1) -> !m2 attributes {topology = #topology} {
  %f = mpmd.fragment<mesh="m1", origin=["f"]> (%a) (%b: !t) {
    mpmd.return %b : !t
  } : (!m1) -> !m1
  %0 = mpmd.unassign {origin = "f"} %f : (!m1) -> !t
  %1 = stablehlo.abs %0 : !t
  // expected-error @+1 {{is used on 'm2' (by 'g'), but it can only be placed on 'm1' (by 'f')}}
  %2 = mpmd.assign {origin = "g"} %1 : (!t) -> !m2
  return %2 : !m2
}
// ==>
// refused
// -----
// RUN mpmd-infer-mesh-pipeline
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @main(%a: !t, %b: !t, %un: !t) -> (!t, !t, !t) attributes {topology = #topology} {
  %c = stablehlo.constant dense<1.0> : !t
  %0 = stablehlo.add %a, %c : !t
  %1 = mpmd.assign {origin = "f"} %0 : (!t) -> !m1
  %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  %3 = mpmd.unassign {origin = "f"} %2 : (!m1) -> !t
  %4 = stablehlo.abs %3 : !t
  %5 = mpmd.broadcast %b : !t
  %6 = stablehlo.multiply %5, %4 : !t
  %7 = mpmd.assign {origin = "g"} %5 : (!t) -> !m2
  %8 = mpmd.fragment<mesh="m2", origin=["g"]> (%7) (%x: !t) {
    mpmd.return %x : !t
  } : (!m2) -> !m2
  %9 = mpmd.unassign {origin = "g"} %8 : (!m2) -> !t
  %10:2 = mpmd.call @f(%6, %9) {call_counter = 0 : ui32} : (!t, !t) -> (!t, !t)
  %11:2 = mpmd.call @f(%10#0, %10#1) {call_counter = 1 : ui32} : (!t, !t) -> (!t, !t)
  %12 = stablehlo.add %3, %9 : !t
  %13 = mpmd.reduce<none> %12 : (!t) -> !t
  stablehlo.custom_call @se(%9) {has_side_effect = true} : (!t) -> ()
  %14 = stablehlo.abs %9 : !t
  return %11#0, %13, %c : !t, !t, !t
}
func.func private @f(%a: !t, %b: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  %1 = mpmd.assign {origin = "h"} %0 : (!t) -> !m1
  %2 = mpmd.fragment<mesh="m1", origin=["h"]> (%1) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  %3 = mpmd.unassign {origin = "h"} %2 : (!m1) -> !t
  %4 = stablehlo.negate %b : !t
  %5 = mpmd.assign {origin = "i"} %4 : (!t) -> !m2
  %6 = mpmd.fragment<mesh="m2", origin=["i"]> (%5) (%x: !t) {
    mpmd.return %x : !t
  } : (!m2) -> !m2
  %7 = mpmd.unassign {origin = "i"} %6 : (!m2) -> !t
  return %3, %7 : !t, !t
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0, %0) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg3, %arg4 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.transfer %arg1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m1", origin=[]> (%arg1, %1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %10 = stablehlo.abs %arg4 : tensor<4xf32>
      %11 = stablehlo.multiply %arg3, %10 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m2", origin=["g"]> (%2) (%arg3: tensor<4xf32>) {
      mpmd.return %arg3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %5:2 = mpmd.call @f(%3, %4) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %6:2 = mpmd.call @f(%5#0, %5#1) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %7 = mpmd.transfer %4 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %8 = mpmd.fragment<mesh="m1", origin=[]> (%1, %7) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg3, %arg4 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m1", origin=[]> (%8) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg3: tensor<4xf32>) {
      mpmd.return %arg3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    mpmd.fragment<mesh="m2", origin=[]> (%4) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg3: tensor<4xf32>) {
      stablehlo.custom_call @se(%arg3) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> ()
    return %6#0, %9, %0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["h"]> (%arg0) (%arg2: tensor<4xf32>) {
      %2 = stablehlo.abs %arg2 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m2", origin=["i"]> (%arg1) (%arg2: tensor<4xf32>) {
      %2 = stablehlo.negate %arg2 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %0, %1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
func.func @main(%a: !t) -> (!t, !t) attributes {topology = #topology} {
  %0 = mpmd.call @f(%a) {call_counter = 0 : ui32} : (!t) -> !t
  %1 = mpmd.assign {origin = "f"} %0 : (!t) -> !m1
  %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) (%b: !t) {
    mpmd.return %b : !t
  } : (!m1) -> !m1
  %3 = mpmd.unassign {origin = "f"} %2 : (!m1) -> !t
  %4 = mpmd.assign {origin = "g"} %0 : (!t) -> !m2
  %5 = mpmd.fragment<mesh="m2", origin=["g"]> (%4) (%b: !t) {
    mpmd.return %b : !t
  } : (!m2) -> !m2
  %6 = mpmd.unassign {origin = "g"} %5 : (!m2) -> !t
  %7 = stablehlo.subtract %3, %6 : !t
  return %3, %7 : !t, !t
}
func.func private @f(%a: !t) -> !t attributes {topology = #topology} {
  %0 = stablehlo.abs %a : !t
  return %0 : !t
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1:2 = mpmd.call @f(%arg0, %0) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1#1) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m2", origin=["g"]> (%1#0) (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=[]> (%2, %4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %6 = stablehlo.subtract %arg1, %arg2 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %2, %5 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 1>}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>> {mpmd.copies = array<i64: 1>}, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %2 = stablehlo.abs %arg2 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m2", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %2 = stablehlo.abs %arg2 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %1, %0 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>
!m3 = !mpmd.mesh_tensor<"m3", !t>
func.func @main(%w: !t, %p: tensor<i1>) -> (!t, !t, !t) attributes {topology = #topology} {
  %0:2 = mpmd.call @f(%w) : (!t) -> (!t, !t)
  %1:2 = mpmd.call @f(%0#0) : (!t) -> (!t, !t)
  %2 = mpmd.assign {origin = "x"} %1#0 : (!t) -> !m3
  %3 = mpmd.assign {origin = "x"} %1#0 : (!t) -> !m1
  %4 = mpmd.assign {origin = "x"} %0#1 : (!t) -> !m2
  %5 = mpmd.fragment<mesh="m3", origin=["f"]> (%2) (%x: !t) {
    mpmd.return %x : !t
  } : (!m3) -> !m3
  %6 = mpmd.fragment<mesh="m1", origin=["f"]> (%3) (%x: !t) {
    mpmd.return %x : !t
  } : (!m1) -> !m1
  %7 = mpmd.fragment<mesh="m2", origin=["f"]> (%4) (%x: !t) {
    mpmd.return %x : !t
  } : (!m2) -> !m2
  %8 = mpmd.unassign %5 : (!m3) -> !t
  %9 = mpmd.unassign %6 : (!m1) -> !t
  %10 = mpmd.unassign %7 : (!m2) -> !t
  %d = stablehlo.add %w, %w : !t
  %e = stablehlo.add %d, %d : !t
  %g = "stablehlo.if"(%p) ({
    %h = stablehlo.add %d, %w : !t
    stablehlo.return %h : !t
  }, {
   stablehlo.return %d : !t
   }) : (tensor<i1>) -> !t
  %ea = mpmd.assign {origin = "y"} %e : (!t) -> !m1
  %eb = mpmd.assign {origin = "y"} %e : (!t) -> !m2
  %ga = mpmd.assign {origin = "y"} %g : (!t) -> !m1
  %gb = mpmd.assign {origin = "y"} %g : (!t) -> !m2
  %11 = mpmd.fragment<mesh="m1", origin=["g"]> (%ea, %ga, %ea) (%x: !t, %y : !t, %z : !t) {
    %s = stablehlo.add %x, %y : !t
    %s2 = stablehlo.add %s, %z : !t
    mpmd.return %s2 : !t
  } : (!m1, !m1, !m1) -> !m1
  %12 = mpmd.fragment<mesh="m2", origin=["g"]> (%eb, %gb) (%x: !t, %y : !t) {
    %s = stablehlo.add %x, %y : !t
    mpmd.return %s : !t
  } : (!m2, !m2) -> !m2
  return %8, %9, %10 : !t, !t, !t
}
func.func private @f(%a: !t) -> (!t, !t) attributes {topology = #topology} {
  %c = stablehlo.add %a, %a : !t
  %b = stablehlo.abs %a : !t
  return %c, %b : !t, !t
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<i1>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2:4 = mpmd.call @f(%arg0, %0, %1) : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %3:4 = mpmd.call @f(%2#0, %2#3, %2#2) : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %4 = mpmd.fragment<mesh="m3", origin=["f"]> (%3#2) (%arg2: tensor<4xf32>) {
      mpmd.return %arg2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=["f"]> (%3#0) (%arg2: tensor<4xf32>) {
      mpmd.return %arg2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m2", origin=["f"]> (%2#1) (%arg2: tensor<4xf32>) {
      mpmd.return %arg2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %4, %5, %6 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
  func.func private @f(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 1, 2>}, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 2, 3>}, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %4 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m2", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %4 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=[]> (%arg2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %4 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m2", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %4 = stablehlo.abs %arg3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %0, %3, %2, %1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.subtract %arg0, %arg0 : tensor<4xf32>
    %1 = stablehlo.negate %arg0 : tensor<4xf32>
    %2 = stablehlo.abs %arg0 : tensor<4xf32>
    %3 = mpmd.broadcast %arg0 : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = "stablehlo.if"(%c) ({
      %7 = stablehlo.add %3, %3 : tensor<4xf32>
      stablehlo.return %7 : tensor<4xf32>
    }, {
      stablehlo.return %3 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %5 = stablehlo.add %3, %arg0 : tensor<4xf32>
    %6 = mpmd.assign {origin = "user_out"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %6, %4, %0, %2 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %6 = stablehlo.subtract %arg3, %arg3 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %6 = stablehlo.abs %arg3 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m1", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %c = stablehlo.constant dense<true> : tensor<i1>
      %6 = "stablehlo.if"(%c) ({
        %7 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
        stablehlo.return %7 : tensor<4xf32>
      }, {
        stablehlo.return %arg3 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m3", origin=[]> (%3, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg3, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %5, %4, %0, %1 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>
    %1 = mpmd.assign {origin = "n0"} %0#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3:2 = mpmd.fragment<mesh="m11", origin=["n0"(1)]> (%1, %2) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %11 = stablehlo.add %10, %arg4 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %4 = mpmd.unassign {origin = "n0"} %3#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.assign {origin = "n2"} %0#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %6 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m3", origin=["n2"]> (%5, %6) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %11 = stablehlo.add %10, %10 : tensor<4xf32>
      %12 = stablehlo.add %arg4, %arg3 : tensor<4xf32>
      mpmd.return %11, %12 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %8 = mpmd.unassign {origin = "n2"} %7#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.unassign {origin = "n2"} %7#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    return %7#0, %8, %4, %9 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m3", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %6:2 = stablehlo.optimization_barrier %arg3, %arg3 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %6#0, %6#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %2:2 = mpmd.fragment<mesh="m11", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %6:2 = stablehlo.optimization_barrier %arg3, %arg3 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %6#0, %6#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %3:2 = mpmd.fragment<mesh="m11", origin=["n0"(1)]> (%2#0, %arg0) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %7 = stablehlo.add %6, %arg4 : tensor<4xf32>
      mpmd.return %6, %7 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %4 = mpmd.transfer %3#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5:2 = mpmd.fragment<mesh="m3", origin=["n2"]> (%1#0, %4) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %7 = stablehlo.add %6, %6 : tensor<4xf32>
      %8 = stablehlo.add %arg4, %arg3 : tensor<4xf32>
      mpmd.return %7, %8 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    return %5#0, %5#0, %3#1, %5#1 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = stablehlo.optimization_barrier %arg2, %arg0 : tensor<4xf32>, tensor<4xf32>
    %1 = mpmd.assign {origin = "n0"} %0#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m2", origin=["n0"(1)]> (%1) (%arg3: tensor<4xf32>) {
      %13 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.unassign {origin = "n0"} %2 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %4 = stablehlo.multiply %0#0, %3 : tensor<4xf32>
    %5 = stablehlo.negate %3 : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %6 = "stablehlo.if"(%c) ({
      %13 = stablehlo.add %arg0, %5 : tensor<4xf32>
      stablehlo.return %13 : tensor<4xf32>
    }, {
      stablehlo.return %5 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %7 = mpmd.broadcast %4 : tensor<4xf32>
    %8 = mpmd.assign {origin = "n0"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m2", origin=["n0"]> (%8) (%arg3: tensor<4xf32>) {
      %13 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %14 = stablehlo.add %arg3, %13 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %10 = mpmd.unassign {origin = "n0"} %9 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %11 = stablehlo.abs %6 : tensor<4xf32>
    stablehlo.custom_call @effect(%7) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %12 = mpmd.assign {origin = "user_out"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %12, %10, %11 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m2", origin=[]> (%arg2, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %8:2 = stablehlo.optimization_barrier %arg3, %arg4 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %8#0, %8#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m2", origin=["n0"(1)]> (%1#0) (%arg3: tensor<4xf32>) {
      %8 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m2", origin=[]> (%1#0, %2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %8 = stablehlo.multiply %arg3, %arg4 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m2", origin=["n0"]> (%3) (%arg3: tensor<4xf32>) {
      %8 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %9 = stablehlo.add %arg3, %8 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m11", origin=[]> (%arg0, %6) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %8 = stablehlo.negate %arg4 : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %9 = "stablehlo.if"(%c) ({
        %11 = stablehlo.add %arg3, %8 : tensor<4xf32>
        stablehlo.return %11 : tensor<4xf32>
      }, {
        stablehlo.return %8 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      %10 = stablehlo.abs %9 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    mpmd.fragment<mesh="m11", origin=[]> (%4) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg3: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg3) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> ()
    return %arg0, %5, %7 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n0"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n0"]> (%0) (%arg4: tensor<4xf32>) {
      %17 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %17 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.unassign {origin = "n0"} %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %3 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %4:2 = stablehlo.optimization_barrier %3, %2 : tensor<4xf32>, tensor<4xf32>
    %5 = mpmd.broadcast %4#0 : tensor<4xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %6 = mpmd.assign {origin = "n3"} %4#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.assign {origin = "n3"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8:2 = mpmd.fragment<mesh="m11", origin=["n3"]> (%6, %7) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %17 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      %18 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %17, %18 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %9 = mpmd.unassign {origin = "n3"} %8#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %10 = stablehlo.maximum %5, %9 : tensor<4xf32>
    %11 = mpmd.assign {origin = "n1"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m11", origin=["n1"]> (%11, %8#1) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %17 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      %18 = stablehlo.add %arg4, %17 : tensor<4xf32>
      %19 = stablehlo.add %arg5, %18 : tensor<4xf32>
      mpmd.return %19 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %13 = mpmd.assign {origin = "n0"} %10 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %14:2 = mpmd.fragment<mesh="m11", origin=["n0"]> (%13, %12) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %17 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      %18 = stablehlo.add %arg5, %17 : tensor<4xf32>
      mpmd.return %17, %18 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %15 = mpmd.unassign {origin = "n0"} %14#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %16 = mpmd.unassign {origin = "n0"} %14#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %15, %cst_0, %15, %16 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=["n0"]> (%arg1) (%arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m11", origin=[]> (%0, %arg0, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %6 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      %7:2 = stablehlo.optimization_barrier %6, %arg4 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %7#0, %7#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %2:2 = mpmd.fragment<mesh="m11", origin=["n3"]> (%1#0, %1#0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %6, %7 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %3 = mpmd.fragment<mesh="m11", origin=["n1"]> (%2#1) (%arg4: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %6 = stablehlo.add %cst, %arg4 : tensor<4xf32>
      %7 = stablehlo.add %cst, %6 : tensor<4xf32>
      %8 = stablehlo.add %arg4, %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5:2 = mpmd.fragment<mesh="m11", origin=["n0"]> (%3, %1#0, %2#0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %6 = stablehlo.maximum %arg5, %arg6 : tensor<4xf32>
      %7 = stablehlo.add %arg4, %6 : tensor<4xf32>
      %8 = stablehlo.add %arg4, %7 : tensor<4xf32>
      mpmd.return %7, %8 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    return %5#0, %4, %5#0, %5#1 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = stablehlo.negate %arg0 : tensor<4xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4xf32>
    %2 = stablehlo.subtract %1, %arg0 : tensor<4xf32>
    %3 = stablehlo.add %2, %0 : tensor<4xf32>
    %4 = stablehlo.abs %3 : tensor<4xf32>
    %5 = mpmd.reduce<none> %4 : (tensor<4xf32>) -> tensor<4xf32>
    %6 = mpmd.assign {origin = "n2"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m10", origin=["n2"(1)]> (%6) (%arg1: tensor<4xf32>) {
      %14 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %8 = mpmd.unassign {origin = "n2"} %7 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %9 = mpmd.assign {origin = "n3"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m2", origin=["n3"]> (%9) (%arg1: tensor<4xf32>) {
      %14 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.unassign {origin = "n3"} %10 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %12 = mpmd.assign {origin = "n1"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %13 = mpmd.unassign {origin = "n1"} %12 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %8, %11, %11, %13 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=[]> (%arg0, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %8 = stablehlo.negate %arg2 : tensor<4xf32>
      %9 = stablehlo.multiply %8, %arg1 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=[]> (%0, %arg0, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %8 = stablehlo.negate %arg3 : tensor<4xf32>
      %9 = stablehlo.subtract %arg1, %arg2 : tensor<4xf32>
      %10 = stablehlo.add %9, %8 : tensor<4xf32>
      %11 = stablehlo.abs %10 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m2", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4 = mpmd.transfer %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m10", origin=[]> (%4) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m10", origin=["n2"(1)]> (%5) (%arg1: tensor<4xf32>) {
      %8 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m2", origin=["n3"]> (%3) (%arg1: tensor<4xf32>) {
      %8 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %6, %7, %7, %0 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "user_out"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    return %arg0 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "user_out"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    return %arg1 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg4 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    %2 = stablehlo.multiply %arg1, %0 : tensor<4xf32>
    %3 = stablehlo.negate %arg2 : tensor<4xf32>
    %4 = stablehlo.tanh %2 : tensor<4xf32>
    %5 = mpmd.call @f0(%arg3, %3) {call_counter = 0 : ui32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = mpmd.call @f1(%4) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %7 = mpmd.call @f1(%4) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = mpmd.call @f1(%7) {call_counter = 2 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %9 = stablehlo.negate %7 : tensor<4xf32>
    %10 = stablehlo.tanh %9 : tensor<4xf32>
    %11 = stablehlo.maximum %4, %5 : tensor<4xf32>
    return %11, %10 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg1 : tensor<4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
    %2 = stablehlo.tanh %1 : tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %4 = stablehlo.multiply %2, %1 : tensor<4xf32>
    stablehlo.custom_call @effect(%3) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return %4 : tensor<4xf32>
  }
  func.func private @f1(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n0"]> (%0) (%arg1: tensor<4xf32>) {
      %3 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.unassign {origin = "n0"} %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %12 = stablehlo.negate %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %12 = stablehlo.negate %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.transfer %arg4 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=[]> (%arg1, %3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %12 = stablehlo.multiply %arg5, %arg6 : tensor<4xf32>
      %13 = stablehlo.tanh %12 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6 = mpmd.call @f0(%arg3, %0, %5, %2) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.call @f1(%4) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8 = mpmd.call @f1(%4) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.call @f1(%8) {call_counter = 2 : ui32} : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m11", origin=[]> (%8) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %12 = stablehlo.negate %arg5 : tensor<4xf32>
      %13 = stablehlo.tanh %12 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m11", origin=[]> (%4, %6) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %12 = stablehlo.maximum %arg5, %arg6 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %11, %10 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 2>}, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 3>}, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %3 = stablehlo.abs %arg5 : tensor<4xf32>
      %4 = stablehlo.add %3, %arg4 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=[]> (%arg2, %arg3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %3 = stablehlo.abs %arg5 : tensor<4xf32>
      %4 = stablehlo.add %3, %arg4 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=[]> (%1, %1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %3 = stablehlo.tanh %arg5 : tensor<4xf32>
      %4 = stablehlo.multiply %3, %arg4 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg4: tensor<4xf32>) {
      %3 = stablehlo.tanh %arg4 : tensor<4xf32>
      %4 = stablehlo.negate %3 : tensor<4xf32>
      stablehlo.custom_call @effect(%4) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> ()
    return %2 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f1(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=["n0"]> (%arg0) (%arg1: tensor<4xf32>) {
      %1 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
    %1:2 = stablehlo.optimization_barrier %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>
    %2 = mpmd.broadcast %arg1 : tensor<4xf32>
    %3 = stablehlo.subtract %0, %2 : tensor<4xf32>
    %4 = mpmd.assign {origin = "n0"} %1#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m10", origin=["n0"]> (%4) (%arg2: tensor<4xf32>) {
      %12 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.unassign {origin = "n0"} %5 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.assign {origin = "n1"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8 = mpmd.assign {origin = "n1"} %1#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m2", origin=["n1"(1)]> (%7, %8) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %12 = stablehlo.add %arg3, %arg2 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %10 = mpmd.unassign {origin = "n1"} %9 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %11 = stablehlo.abs %10 : tensor<4xf32>
    stablehlo.custom_call @effect(%10) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return %6, %11, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m2", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %6:2 = stablehlo.optimization_barrier %arg2, %arg2 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %6#0, %6#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %2:2 = mpmd.fragment<mesh="m10", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %6:2 = stablehlo.optimization_barrier %arg2, %arg2 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %6#0, %6#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %3 = mpmd.fragment<mesh="m10", origin=["n0"]> (%2#1) (%arg2: tensor<4xf32>) {
      %6 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m2", origin=["n1"(1)]> (%1#1, %arg1, %0, %arg1) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6 = stablehlo.multiply %arg4, %arg5 : tensor<4xf32>
      %7 = stablehlo.subtract %6, %arg3 : tensor<4xf32>
      %8 = stablehlo.add %arg2, %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m2", origin=[]> (%4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %6 = stablehlo.abs %arg2 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    mpmd.fragment<mesh="m2", origin=[]> (%4) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg2: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg2) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> ()
    return %3, %5, %3 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %0 = stablehlo.tanh %cst : tensor<4xf32>
    %1:2 = stablehlo.optimization_barrier %0, %cst_0 : tensor<4xf32>, tensor<4xf32>
    %2 = mpmd.assign {origin = "n0"} %1#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["n0"]> (%2) (%arg3: tensor<4xf32>) {
      %12 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n0"} %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.unassign {origin = "n0"} %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.fragment<mesh="m3", origin=["n0"(1)]> (%3) (%arg3: tensor<4xf32>) {
      %12 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %13 = stablehlo.add %12, %arg3 : tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7 = mpmd.unassign {origin = "n0"} %6 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %8 = stablehlo.subtract %7, %5 : tensor<4xf32>
    %9 = stablehlo.multiply %8, %8 : tensor<4xf32>
    %10 = mpmd.assign {origin = "user_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %11 = mpmd.assign {origin = "user_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %10, %11, %4 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=["n0"]> () () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %4 = stablehlo.tanh %cst : tensor<4xf32>
      %5:2 = stablehlo.optimization_barrier %4, %cst_0 : tensor<4xf32>, tensor<4xf32>
      %6 = stablehlo.add %5#1, %5#1 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=["n0"(1)]> (%0) (%arg3: tensor<4xf32>) {
      %4 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %5 = stablehlo.add %4, %arg3 : tensor<4xf32>
      mpmd.return %5 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=[]> (%1, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %4 = stablehlo.subtract %arg3, %arg4 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %4 = stablehlo.multiply %arg3, %arg3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %3, %2, %0 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>
    %1 = stablehlo.add %arg1, %0#1 : tensor<4xf32>
    %2 = mpmd.assign {origin = "n0"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=["n0"]> (%2) (%arg2: tensor<4xf32>) {
      %12 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.assign {origin = "n4"} %0#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=["n4"(1)]> (%4) (%arg2: tensor<4xf32>) {
      %12 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %6 = mpmd.assign {origin = "n4"} %0#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m1", origin=["n4"(1)]> (%5, %6) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %12 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %8 = mpmd.unassign {origin = "n4"} %7 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    stablehlo.custom_call @effect(%8) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %9 = mpmd.transfer %5 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m11", origin=["n0"]> (%9, %3) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %12 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.unassign {origin = "n0"} %10 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %11, %8 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %8:2 = stablehlo.optimization_barrier %arg2, %arg2 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %8#0, %8#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2:2 = mpmd.fragment<mesh="m11", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %8:2 = stablehlo.optimization_barrier %arg2, %arg2 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %8#0, %8#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %3 = mpmd.fragment<mesh="m11", origin=["n0"]> (%arg1, %2#1) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %8 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      %9 = stablehlo.add %8, %8 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m1", origin=["n4"(1)]> (%0#1) (%arg2: tensor<4xf32>) {
      %8 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m1", origin=["n4"(1)]> (%4, %0#1) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %8 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    mpmd.fragment<mesh="m1", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg2: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg2) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> ()
    %6 = mpmd.transfer %4 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m11", origin=["n0"]> (%6, %3) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %8 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %7, %5 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.subtract %arg0, %arg0 : tensor<4xf32>
    %1 = stablehlo.subtract %arg0, %0 : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %2 = "stablehlo.if"(%c) ({
      %10 = stablehlo.add %1, %0 : tensor<4xf32>
      stablehlo.return %10 : tensor<4xf32>
    }, {
      stablehlo.return %0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %3 = mpmd.assign {origin = "n2"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m1", origin=["n2"(1)]> (%3) (%arg2: tensor<4xf32>) {
      %10 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.assign {origin = "n0"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m11", origin=["n0"]> (%5) (%arg2: tensor<4xf32>) {
      %10 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      %11 = stablehlo.add %10, %10 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.unassign {origin = "n0"} %6 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.fragment<mesh="m1", origin=["n1"]> (%4) (%arg2: tensor<4xf32>) {
      %10 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9 = mpmd.unassign {origin = "n1"} %8 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    return %9, %7, %8 : tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["n2"(1)]> (%arg0, %arg0) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %3 = stablehlo.subtract %arg3, %arg3 : tensor<4xf32>
      %4 = stablehlo.subtract %arg2, %3 : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %5 = "stablehlo.if"(%c) ({
        %7 = stablehlo.add %4, %3 : tensor<4xf32>
        stablehlo.return %7 : tensor<4xf32>
      }, {
        stablehlo.return %3 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      %6 = stablehlo.add %5, %5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n0"]> () () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %3 = stablehlo.add %cst, %cst : tensor<4xf32>
      %4 = stablehlo.add %3, %3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["n1"]> (%0) (%arg2: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %2, %1, %2 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n3"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=["n3"]> (%0) (%arg1: tensor<4xf32>) {
      %4 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.unassign {origin = "n3"} %1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.broadcast %2 : tensor<4xf32>
    return %3, %3, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=["n3"]> (%arg0) (%arg1: tensor<4xf32>) {
      %2 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %1, %1, %1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %0 = mpmd.broadcast %arg0 : tensor<4xf32>
    %1 = stablehlo.subtract %0, %arg0 : tensor<4xf32>
    %2 = stablehlo.multiply %1, %cst : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %3 = stablehlo.add %arg1, %cst_0 : tensor<4xf32>
    %4 = mpmd.assign {origin = "n2"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.assign {origin = "n2"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m10", origin=["n2"(1)]> (%4, %5) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %21 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %22 = stablehlo.add %21, %arg2 : tensor<4xf32>
      mpmd.return %22 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %7 = mpmd.unassign {origin = "n2"} %6 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.assign {origin = "n0"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.assign {origin = "n0"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m11", origin=["n0"]> (%8, %9) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %21 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %21 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.unassign {origin = "n0"} %10 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %12 = mpmd.broadcast %11 : tensor<4xf32>
    %13 = stablehlo.subtract %7, %3 : tensor<4xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<4xf32>
    %15 = mpmd.assign {origin = "n2"} %14 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %16 = mpmd.fragment<mesh="m10", origin=["n2"]> (%15) (%arg2: tensor<4xf32>) {
      %21 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %21 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %17 = mpmd.unassign {origin = "n2"} %16 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %18 = mpmd.assign {origin = "n0"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %19 = mpmd.fragment<mesh="m11", origin=["n0"]> (%18, %10) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %21 = stablehlo.add %arg3, %arg2 : tensor<4xf32>
      mpmd.return %21 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %20 = mpmd.unassign {origin = "n0"} %19 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %17, %20, %13, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=[]> (%arg0, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.subtract %arg2, %arg3 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=[]> (%0, %2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.subtract %arg2, %arg3 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m10", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %14 = stablehlo.add %arg2, %cst : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.transfer %arg1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m11", origin=[]> (%5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %14 = stablehlo.add %arg2, %cst : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m10", origin=["n2"(1)]> (%arg0, %1) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %15 = stablehlo.add %14, %arg2 : tensor<4xf32>
      mpmd.return %15 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %8 = mpmd.fragment<mesh="m11", origin=["n0"]> (%6, %5) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m10", origin=[]> (%7, %4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.subtract %arg2, %arg3 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.transfer %8 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m10", origin=[]> (%9, %10) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.multiply %arg2, %arg3 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m10", origin=["n2"]> (%11) (%arg2: tensor<4xf32>) {
      %14 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %13 = mpmd.fragment<mesh="m11", origin=["n0"]> (%8, %3) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %14 = stablehlo.multiply %arg3, %cst : tensor<4xf32>
      %15 = stablehlo.add %arg2, %14 : tensor<4xf32>
      mpmd.return %15 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %12, %13, %9, %11 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = "stablehlo.if"(%c) ({
      %2 = stablehlo.add %cst, %cst : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }, {
      stablehlo.return %cst : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = mpmd.assign {origin = "user_out"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %0, %1, %0 : tensor<4xf32>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m10", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %1 = "stablehlo.if"(%c) ({
        %2 = stablehlo.add %cst, %cst : tensor<4xf32>
        stablehlo.return %2 : tensor<4xf32>
      }, {
        stablehlo.return %cst : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %0, %0, %0 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>) {
      %1 = stablehlo.abs %arg2 : tensor<4xf32>
      %2 = stablehlo.tanh %1 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = mpmd.assign {origin = "n1"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n1"} %4 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %6 = stablehlo.negate %5 : tensor<4xf32>
    return %6, %3 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m2", origin=[]> (%arg0, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %2 = stablehlo.reshape %arg2 : (tensor<4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4xf32>
      %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
      mpmd.return %5 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m2", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>) {
      %2 = stablehlo.negate %arg1 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %1, %0 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.call @f0(%arg0) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.call @f0(%0) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = mpmd.call @f0(%1) {call_counter = 2 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = mpmd.call @f1() {call_counter = 0 : ui32} : () -> tensor<4xf32>
    %4 = mpmd.call @f1() {call_counter = 1 : ui32} : () -> tensor<4xf32>
    %5 = mpmd.call @f1() {call_counter = 2 : ui32} : () -> tensor<4xf32>
    %6:2 = stablehlo.optimization_barrier %arg0, %5 : tensor<4xf32>, tensor<4xf32>
    %7 = mpmd.assign {origin = "n1"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %8 = mpmd.assign {origin = "n1"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %9 = mpmd.assign {origin = "n1"} %6#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %10:2 = mpmd.fragment<mesh="m1", origin=["n1"]> (%7, %8, %9) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %14 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %15 = stablehlo.add %arg3, %14 : tensor<4xf32>
      mpmd.return %14, %15 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %11 = mpmd.unassign {origin = "n1"} %10#0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %12 = mpmd.unassign {origin = "n1"} %10#1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.assign {origin = "user_out"} %6#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %6#1, %13, %12, %11 : tensor<4xf32>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f0(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.subtract %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @f1() -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    return %cst : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.call @f0(%arg0) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.call @f0(%0) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.call @f0(%1) {call_counter = 2 : ui32} : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3:2 = mpmd.call @f1() {call_counter = 0 : ui32} : () -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %4:2 = mpmd.call @f1() {call_counter = 1 : ui32} : () -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %5:2 = mpmd.call @f1() {call_counter = 2 : ui32} : () -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %6:2 = mpmd.fragment<mesh="m1", origin=[]> (%arg0, %5#0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %10:2 = stablehlo.optimization_barrier %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %10#0, %10#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    %7 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %8:2 = mpmd.fragment<mesh="m3", origin=[]> (%7, %5#1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %10:2 = stablehlo.optimization_barrier %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %10#0, %10#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %9:2 = mpmd.fragment<mesh="m1", origin=["n1"]> (%5#0, %4#0, %6#0) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %10 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %11 = stablehlo.add %arg3, %10 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>)
    return %6#1, %8#1, %9#1, %9#0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>) {
      %1 = stablehlo.subtract %arg1, %arg1 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
  func.func private @f1() -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>> {mpmd.copies = array<i64: 1>}, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %0, %1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.negate %arg1 : tensor<4xf32>
    %1:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<4xf32>, tensor<4xf32>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    %3 = mpmd.assign {origin = "n0"} %2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m1", origin=["n0"(1)]> (%3) (%arg3: tensor<4xf32>) {
      %9 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %10 = stablehlo.add %9, %9 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n0"} %4 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %6 = stablehlo.subtract %1#0, %1#1 : tensor<4xf32>
    %7 = stablehlo.add %6, %5 : tensor<4xf32>
    %8 = stablehlo.subtract %7, %0 : tensor<4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    return %8, %cst : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["n0"(1)]> (%arg0) (%arg3: tensor<4xf32>) {
      %3 = stablehlo.multiply %arg3, %arg3 : tensor<4xf32>
      %4 = stablehlo.add %3, %3 : tensor<4xf32>
      %5 = stablehlo.add %4, %4 : tensor<4xf32>
      mpmd.return %5 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=[]> (%0, %arg0, %arg1, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %3 = stablehlo.negate %arg6 : tensor<4xf32>
      %4:2 = stablehlo.optimization_barrier %arg4, %arg5 : tensor<4xf32>, tensor<4xf32>
      %5 = stablehlo.subtract %4#0, %4#1 : tensor<4xf32>
      %6 = stablehlo.add %5, %arg3 : tensor<4xf32>
      %7 = stablehlo.subtract %6, %3 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %1, %2 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = stablehlo.negate %arg2 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["n0"]> (%1) (%arg5: tensor<4xf32>) {
      %25 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %25 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.assign {origin = "n3"} %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m11", origin=["n3"]> (%3) (%arg5: tensor<4xf32>) {
      %25 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %26 = stablehlo.add %arg5, %25 : tensor<4xf32>
      mpmd.return %25, %26 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %5 = mpmd.unassign {origin = "n3"} %4#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.unassign {origin = "n3"} %4#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %7:2 = stablehlo.optimization_barrier %5, %6 : tensor<4xf32>, tensor<4xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %8 = stablehlo.add %7#0, %cst : tensor<4xf32>
    %9 = mpmd.assign {origin = "n1"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %10 = mpmd.assign {origin = "n1"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m2", origin=["n1"]> (%9, %10) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %25 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %26 = stablehlo.add %arg6, %25 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %12 = mpmd.unassign {origin = "n1"} %11 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %14 = mpmd.fragment<mesh="m2", origin=["n1"]> (%13, %11) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %25 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      %26 = stablehlo.add %25, %arg5 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %15 = mpmd.unassign {origin = "n1"} %14 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %16 = mpmd.assign {origin = "n2"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %17 = mpmd.fragment<mesh="m1", origin=["n2"]> (%16, %2) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %25 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      mpmd.return %25 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %18 = mpmd.unassign {origin = "n2"} %17 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %19 = "stablehlo.if"(%c) ({
      %25 = stablehlo.add %0, %15 : tensor<4xf32>
      stablehlo.return %25 : tensor<4xf32>
    }, {
      stablehlo.return %15 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %20 = mpmd.broadcast %12 : tensor<4xf32>
    %21 = mpmd.assign {origin = "n2"} %20 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %22 = mpmd.fragment<mesh="m1", origin=["n2"(1)]> (%21) (%arg5: tensor<4xf32>) {
      %25 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %25 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %23 = mpmd.unassign {origin = "n2"} %22 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %24 = mpmd.assign {origin = "user_out"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %19, %24, %23, %18 : tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
// refused
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n4"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n4"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=["n4"]> (%1, %2) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %16 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n4"} %3 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %5 = stablehlo.tanh %4 : tensor<4xf32>
    %6:3 = mpmd.call @f0(%5) {call_counter = 0 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %7:3 = mpmd.call @f0(%6#1) {call_counter = 1 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %8:3 = mpmd.call @f0(%7#1) {call_counter = 2 : ui32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %9 = mpmd.broadcast %8#1 : tensor<4xf32>
    %10 = stablehlo.add %9, %arg0 : tensor<4xf32>
    %11 = stablehlo.abs %10 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %12 = mpmd.assign {origin = "n2"} %cst_1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %13 = mpmd.assign {origin = "n2"} %cst_0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %14 = mpmd.fragment<mesh="m3", origin=["n2"]> (%12, %13) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %16 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %15 = mpmd.unassign {origin = "n2"} %14 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    return %cst_1, %15, %15, %11 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @f0(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n4"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m11", origin=["n4"(1)]> (%0) (%arg1: tensor<4xf32>) {
      %6 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %7 = stablehlo.add %6, %6 : tensor<4xf32>
      %8 = stablehlo.add %7, %7 : tensor<4xf32>
      mpmd.return %7, %8 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %2 = mpmd.unassign {origin = "n4"} %1#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.unassign {origin = "n4"} %1#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.fragment<mesh="m11", origin=["n0"]> (%1#0) (%arg1: tensor<4xf32>) {
      %6 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %7 = stablehlo.add %6, %arg1 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n0"} %4 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %2, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=["n4"]> (%arg4, %arg0) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %8 = stablehlo.multiply %arg6, %arg6 : tensor<4xf32>
      %9 = stablehlo.add %8, %arg5 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %8 = stablehlo.tanh %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2:3 = mpmd.call @f0(%1) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %3:3 = mpmd.call @f0(%2#1) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %4:3 = mpmd.call @f0(%3#1) {call_counter = 2 : ui32} : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %5 = mpmd.fragment<mesh="m11", origin=[]> (%4#1, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %8 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      %9 = stablehlo.abs %8 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m3", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m3", origin=["n2"]> (%6) (%arg5: tensor<4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      %8 = stablehlo.add %cst, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %6, %7, %7, %5 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m11", origin=["n4"(1)]> (%arg0) (%arg1: tensor<4xf32>) {
      %2 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %3 = stablehlo.add %2, %2 : tensor<4xf32>
      %4 = stablehlo.add %3, %3 : tensor<4xf32>
      mpmd.return %3, %4 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %1 = mpmd.fragment<mesh="m11", origin=["n0"]> (%0#0) (%arg1: tensor<4xf32>) {
      %2 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %3 = stablehlo.add %2, %arg1 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %0#0, %0#1, %1 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n4"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n4"]> (%0) (%arg5: tensor<4xf32>) {
      %12 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.unassign {origin = "n4"} %1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.assign {origin = "n4"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=["n4"]> (%3) (%arg5: tensor<4xf32>) {
      %12 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %12 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n4"} %4 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %6 = stablehlo.tanh %2 : tensor<4xf32>
    %7 = stablehlo.multiply %5, %2 : tensor<4xf32>
    %8 = stablehlo.negate %7 : tensor<4xf32>
    %9 = stablehlo.multiply %6, %8 : tensor<4xf32>
    %10 = mpmd.reduce<none> %8 : (tensor<4xf32>) -> tensor<4xf32>
    %11 = stablehlo.negate %10 : tensor<4xf32>
    return %11, %9, %9, %10 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=["n4"]> (%arg1) (%arg5: tensor<4xf32>) {
      %6 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=["n4"]> (%arg1) (%arg5: tensor<4xf32>) {
      %6 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=[]> (%1, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %6 = stablehlo.multiply %arg5, %arg6 : tensor<4xf32>
      %7 = stablehlo.negate %6 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=[]> (%2, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %6 = stablehlo.tanh %arg6 : tensor<4xf32>
      %7 = stablehlo.multiply %6, %arg5 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg5: tensor<4xf32>) {
      mpmd.return %arg5 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m11", origin=[]> (%4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>) {
      %6 = stablehlo.negate %arg5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %5, %3, %3, %4 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = stablehlo.tanh %arg3 : tensor<4xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %1 = stablehlo.add %cst, %arg1 : tensor<4xf32>
    %2 = stablehlo.add %0, %cst : tensor<4xf32>
    %3:2 = stablehlo.optimization_barrier %1, %2 : tensor<4xf32>, tensor<4xf32>
    %4 = mpmd.reduce<none> %1 : (tensor<4xf32>) -> tensor<4xf32>
    %5 = stablehlo.multiply %3#1, %3#0 : tensor<4xf32>
    %6 = stablehlo.abs %4 : tensor<4xf32>
    %7 = stablehlo.add %1, %3#0 : tensor<4xf32>
    %8 = stablehlo.abs %7 : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %9 = "stablehlo.if"(%c) ({
      %19 = stablehlo.add %8, %6 : tensor<4xf32>
      stablehlo.return %19 : tensor<4xf32>
    }, {
      stablehlo.return %6 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %10 = mpmd.assign {origin = "n3"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %11 = mpmd.assign {origin = "n3"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m3", origin=["n3"]> (%10, %11) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %19 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %19 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %13 = mpmd.fragment<mesh="m3", origin=[]> (%12) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %19 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %19 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %14 = mpmd.fragment<mesh="m3", origin=["n3"(1)]> (%13) (%arg4: tensor<4xf32>) {
      %19 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %19 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %15 = mpmd.unassign {origin = "n3"} %14 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %16 = stablehlo.tanh %15 : tensor<4xf32>
    %17 = mpmd.assign {origin = "user_out"} %16 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %18 = mpmd.assign {origin = "user_out"} %9 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %17, %18 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %16 = stablehlo.add %cst, %arg4 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=[]> (%arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %16 = stablehlo.add %cst, %arg4 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=[]> (%3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %16 = stablehlo.tanh %arg4 : tensor<4xf32>
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %17 = stablehlo.add %16, %cst : tensor<4xf32>
      mpmd.return %17 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m11", origin=[]> (%arg3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %16 = stablehlo.tanh %arg4 : tensor<4xf32>
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %17 = stablehlo.add %16, %cst : tensor<4xf32>
      mpmd.return %17 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6:2 = mpmd.fragment<mesh="m3", origin=[]> (%1, %4) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %16:2 = stablehlo.optimization_barrier %arg4, %arg5 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %16#0, %16#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %7:2 = mpmd.fragment<mesh="m11", origin=[]> (%2, %5) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %16:2 = stablehlo.optimization_barrier %arg4, %arg5 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %16#0, %16#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %8 = mpmd.fragment<mesh="m11", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg4: tensor<4xf32>) {
      mpmd.return %arg4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m3", origin=[]> (%1, %6#0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %16 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m11", origin=[]> (%2, %7#0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %16 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m11", origin=[]> (%10, %8) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %16 = stablehlo.abs %arg5 : tensor<4xf32>
      %17 = stablehlo.abs %arg4 : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %18 = "stablehlo.if"(%c) ({
        %19 = stablehlo.add %17, %16 : tensor<4xf32>
        stablehlo.return %19 : tensor<4xf32>
      }, {
        stablehlo.return %16 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m3", origin=["n3"]> (%9, %6#1, %6#0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %16 = stablehlo.multiply %arg5, %arg6 : tensor<4xf32>
      %17 = stablehlo.abs %arg4 : tensor<4xf32>
      %18 = stablehlo.add %17, %16 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %13 = mpmd.fragment<mesh="m3", origin=[]> (%12) {mpmd.inferred_by = ["introduce_transfers"]} (%arg4: tensor<4xf32>) {
      %16 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %14 = mpmd.fragment<mesh="m3", origin=["n3"(1)]> (%13) (%arg4: tensor<4xf32>) {
      %16 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %15 = mpmd.fragment<mesh="m3", origin=[]> (%14) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %16 = stablehlo.tanh %arg4 : tensor<4xf32>
      mpmd.return %16 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %15, %11 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = stablehlo.subtract %arg0, %arg3 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n1"} %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%1, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %14 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n1"} %3 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.call @f0(%0) {call_counter = 0 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %6 = mpmd.call @f0(%5) {call_counter = 1 : ui32} : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %7 = stablehlo.negate %4 : tensor<4xf32>
    %8 = mpmd.broadcast %7 : tensor<4xf32>
    %9 = mpmd.assign {origin = "n1"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m10", origin=["n1"]> (%9) (%arg4: tensor<4xf32>) {
      %14 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11 = mpmd.unassign {origin = "n1"} %10 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %12 = mpmd.reduce<none> %cst_0 : (tensor<4xf32>) -> tensor<4xf32>
    %13 = mpmd.assign {origin = "user_out"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %cst, %12, %11, %13 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = "stablehlo.if"(%c) ({
      %9 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
      stablehlo.return %9 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = mpmd.broadcast %0 : tensor<4xf32>
    %2 = mpmd.assign {origin = "n0"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m2", origin=["n0"]> (%2, %3) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %9 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %10 = stablehlo.add %arg1, %9 : tensor<4xf32>
      mpmd.return %9, %10 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %5 = mpmd.unassign {origin = "n0"} %4#0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.unassign {origin = "n0"} %4#1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %7 = mpmd.reduce<none> %6 : (tensor<4xf32>) -> tensor<4xf32>
    %8 = stablehlo.add %7, %5 : tensor<4xf32>
    return %8 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m2", origin=[]> (%0, %1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %11 = stablehlo.subtract %arg4, %arg5 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%arg2, %arg0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %11 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.call @f0(%2) {call_counter = 0 : ui32} : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %5 = mpmd.call @f0(%4) {call_counter = 1 : ui32} : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %7 = mpmd.fragment<mesh="m10", origin=[]> (%3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %11 = stablehlo.negate %arg4 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %8 = mpmd.fragment<mesh="m10", origin=["n1"]> (%7) (%arg4: tensor<4xf32>) {
      %11 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %10 = mpmd.fragment<mesh="m1", origin=[]> (%9) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg4: tensor<4xf32>) {
      mpmd.return %arg4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %6, %10, %8, %arg3 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m2", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>) {
      %c = stablehlo.constant dense<true> : tensor<i1>
      %4 = "stablehlo.if"(%c) ({
        %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
        stablehlo.return %5 : tensor<4xf32>
      }, {
        stablehlo.return %arg1 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m2", origin=["n0"]> (%0, %0) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %4 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      %5 = stablehlo.add %arg1, %4 : tensor<4xf32>
      mpmd.return %4, %5 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %2 = mpmd.fragment<mesh="m2", origin=[]> (%1#1) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg1: tensor<4xf32>) {
      mpmd.return %arg1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m2", origin=[]> (%2, %1#0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
      %4 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %3 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: tensor<4xf32>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n1"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.assign {origin = "n1"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=["n1"]> (%0, %1) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %21 = stablehlo.add %arg6, %arg6 : tensor<4xf32>
      %22 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      %23 = stablehlo.add %22, %21 : tensor<4xf32>
      mpmd.return %23 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.unassign {origin = "n1"} %2 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %4:2 = stablehlo.optimization_barrier %3, %arg4 : tensor<4xf32>, tensor<4xf32>
    %5 = mpmd.assign {origin = "n0"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %6:2 = mpmd.fragment<mesh="m11", origin=["n0"]> (%5) (%arg5: tensor<4xf32>) {
      %21 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %22 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %21, %22 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>)
    %7 = mpmd.unassign {origin = "n0"} %6#0 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %8 = mpmd.unassign {origin = "n0"} %6#1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %9 = stablehlo.multiply %8, %4#0 : tensor<4xf32>
    %10 = mpmd.assign {origin = "n0"} %4#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %11 = mpmd.fragment<mesh="m11", origin=["n0"]> (%10) (%arg5: tensor<4xf32>) {
      %21 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %21 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %12 = mpmd.unassign {origin = "n0"} %11 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.fragment<mesh="m11", origin=["n1"]> (%11, %6#1) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %21 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %21 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %14 = mpmd.unassign {origin = "n1"} %13 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %15:2 = stablehlo.optimization_barrier %9, %7 : tensor<4xf32>, tensor<4xf32>
    %16 = stablehlo.maximum %12, %14 : tensor<4xf32>
    %17 = mpmd.assign {origin = "n0"} %16 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %18 = mpmd.fragment<mesh="m11", origin=["n0"]> (%17) (%arg5: tensor<4xf32>) {
      %21 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %21 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %19 = mpmd.unassign {origin = "n0"} %18 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %20 = mpmd.assign {origin = "user_out"} %15#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %19, %18, %15#0, %20 : tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// ==>
// refused
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = stablehlo.negate %arg0 : tensor<4xf32>
    stablehlo.custom_call @effect(%0) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %1 = stablehlo.tanh %arg0 : tensor<4xf32>
    %2 = mpmd.assign {origin = "n1"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%2) (%arg3: tensor<4xf32>) {
      %6 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %7 = stablehlo.add %arg3, %6 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n1"} %3 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %5 = mpmd.assign {origin = "user_out"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %1, %5, %4 : tensor<4xf32>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    mpmd.fragment<mesh="m10", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg3: tensor<4xf32>) {
      %3 = stablehlo.negate %arg3 : tensor<4xf32>
      stablehlo.custom_call @effect(%3) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> ()
    %0 = mpmd.fragment<mesh="m10", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %3 = stablehlo.tanh %arg3 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%0) (%arg3: tensor<4xf32>) {
      %3 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %4 = stablehlo.add %arg3, %3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %0, %2, %1 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %0 = stablehlo.abs %cst : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %1 = "stablehlo.if"(%c) ({
      %25 = stablehlo.add %cst, %0 : tensor<4xf32>
      stablehlo.return %25 : tensor<4xf32>
    }, {
      stablehlo.return %0 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %2 = stablehlo.negate %cst : tensor<4xf32>
    stablehlo.custom_call @effect(%1) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %3 = mpmd.reduce<none> %2 : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.abs %3 : tensor<4xf32>
    %5 = mpmd.assign {origin = "n1"} %4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m10", origin=["n1"]> (%5) (%arg4: tensor<4xf32>) {
      %25 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      %26 = stablehlo.add %arg4, %25 : tensor<4xf32>
      mpmd.return %26 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %7 = mpmd.unassign {origin = "n1"} %6 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %8 = stablehlo.abs %7 : tensor<4xf32>
    %9 = mpmd.assign {origin = "n1"} %8 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%6, %9) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %25 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      %26 = stablehlo.add %arg5, %25 : tensor<4xf32>
      %27 = stablehlo.add %25, %25 : tensor<4xf32>
      mpmd.return %26, %27 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %11 = mpmd.unassign {origin = "n1"} %10#0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %12 = mpmd.unassign {origin = "n1"} %10#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %13 = stablehlo.tanh %11 : tensor<4xf32>
    %14 = mpmd.reduce<none> %12 : (tensor<4xf32>) -> tensor<4xf32>
    %15 = mpmd.broadcast %12 : tensor<4xf32>
    %16 = mpmd.assign {origin = "n1"} %14 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %17 = mpmd.assign {origin = "n1"} %13 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %18 = mpmd.fragment<mesh="m10", origin=["n1"]> (%16, %17) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %25 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %25 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %19 = mpmd.unassign {origin = "n1"} %18 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %20 = mpmd.assign {origin = "n3"} %15 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %21 = mpmd.assign {origin = "n3"} %cst_0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %22:2 = mpmd.fragment<mesh="m3", origin=["n3"]> (%20, %21) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %25 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      %26 = stablehlo.add %25, %arg4 : tensor<4xf32>
      mpmd.return %25, %26 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %23 = mpmd.unassign {origin = "n3"} %22#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %24 = mpmd.unassign {origin = "n3"} %22#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    return %19, %24, %23, %23 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m10", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %8 = stablehlo.negate %cst : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    mpmd.fragment<mesh="m1", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} () {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %8 = stablehlo.abs %cst : tensor<4xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %9 = "stablehlo.if"(%c) ({
        %10 = stablehlo.add %cst, %8 : tensor<4xf32>
        stablehlo.return %10 : tensor<4xf32>
      }, {
        stablehlo.return %8 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      stablehlo.custom_call @effect(%9) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : () -> ()
    %1 = mpmd.fragment<mesh="m10", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg4: tensor<4xf32>) {
      mpmd.return %arg4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%1) (%arg4: tensor<4xf32>) {
      %8 = stablehlo.abs %arg4 : tensor<4xf32>
      %9 = stablehlo.add %8, %8 : tensor<4xf32>
      %10 = stablehlo.add %8, %9 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3:2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%2, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %8 = stablehlo.abs %arg5 : tensor<4xf32>
      %9 = stablehlo.add %8, %arg4 : tensor<4xf32>
      %10 = stablehlo.add %8, %9 : tensor<4xf32>
      %11 = stablehlo.add %9, %9 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %4 = mpmd.fragment<mesh="m10", origin=[]> (%3#1) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg4: tensor<4xf32>) {
      mpmd.return %arg4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m10", origin=["n1"]> (%4, %3#0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %8 = stablehlo.tanh %arg5 : tensor<4xf32>
      %9 = stablehlo.add %arg4, %8 : tensor<4xf32>
      mpmd.return %9 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.transfer %3#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m3", origin=["n3"]> (%6) (%arg4: tensor<4xf32>) {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %8 = stablehlo.add %arg4, %cst : tensor<4xf32>
      %9 = stablehlo.add %8, %arg4 : tensor<4xf32>
      mpmd.return %8, %9 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    return %5, %7#1, %7#0, %7#0 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.assign {origin = "n0"} %arg3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["n0"]> (%0, %1) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %5 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      %6 = stablehlo.add %5, %arg6 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.unassign {origin = "n0"} %2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %4 = stablehlo.maximum %3, %arg0 : tensor<4xf32>
    stablehlo.custom_call @effect(%3) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return %4 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["n0"]> (%arg3, %arg0) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %2 = stablehlo.add %arg6, %arg5 : tensor<4xf32>
      %3 = stablehlo.add %2, %arg6 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=[]> (%0, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %2 = stablehlo.maximum %arg5, %arg6 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg5: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg5) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> ()
    return %1 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = stablehlo.tanh %arg0 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n2"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n2"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m1", origin=["n2"]> (%1, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %17 = stablehlo.add %arg5, %arg4 : tensor<4xf32>
      mpmd.return %17 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n2"} %3 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.reduce<none> %4 : (tensor<4xf32>) -> tensor<4xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<4xf32>
    %7 = stablehlo.maximum %5, %6 : tensor<4xf32>
    %8 = stablehlo.subtract %5, %5 : tensor<4xf32>
    stablehlo.custom_call @effect(%8) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %9 = stablehlo.tanh %8 : tensor<4xf32>
    %10 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %11:2 = mpmd.fragment<mesh="m10", origin=["n0"(1)]> (%10) (%arg4: tensor<4xf32>) {
      %17 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      %18 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %17, %18 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %12 = mpmd.unassign {origin = "n0"} %11#0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %13 = mpmd.unassign {origin = "n0"} %11#1 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %14 = stablehlo.add %9, %7 : tensor<4xf32>
    %15 = stablehlo.add %12, %13 : tensor<4xf32>
    %16 = stablehlo.negate %14 : tensor<4xf32>
    return %15, %16 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["n2"]> (%arg0, %arg0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.tanh %arg5 : tensor<4xf32>
      %8 = stablehlo.add %arg4, %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg4: tensor<4xf32>) {
      mpmd.return %arg4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %7 = stablehlo.subtract %arg4, %arg4 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    mpmd.fragment<mesh="m1", origin=[]> (%2) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg4: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg4) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> ()
    %3 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m10", origin=["n0"(1)]> (%3) (%arg4: tensor<4xf32>) {
      %7 = stablehlo.tanh %arg4 : tensor<4xf32>
      %8 = stablehlo.add %7, %7 : tensor<4xf32>
      %9 = stablehlo.add %7, %7 : tensor<4xf32>
      mpmd.return %8, %9 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>)
    %5 = mpmd.fragment<mesh="m10", origin=[]> (%4#0, %4#1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m1", origin=[]> (%2, %1, %arg0, %1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>) {
      %7 = stablehlo.multiply %arg6, %arg7 : tensor<4xf32>
      %8 = stablehlo.maximum %arg5, %7 : tensor<4xf32>
      %9 = stablehlo.tanh %arg4 : tensor<4xf32>
      %10 = stablehlo.add %9, %8 : tensor<4xf32>
      %11 = stablehlo.negate %10 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %5, %6 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg1 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
    %2 = stablehlo.subtract %0, %arg0 : tensor<4xf32>
    %3 = stablehlo.multiply %arg0, %1 : tensor<4xf32>
    %4 = mpmd.call @f0() {call_counter = 0 : ui32} : () -> tensor<4xf32>
    %5 = stablehlo.maximum %4, %4 : tensor<4xf32>
    %6 = stablehlo.subtract %4, %5 : tensor<4xf32>
    %7 = mpmd.assign {origin = "user_out"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8 = mpmd.assign {origin = "user_out"} %3 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %7, %1, %8 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0() -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    return %cst : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg4: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m11", origin=[]> (%arg2, %arg3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %4 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m11", origin=[]> (%arg0, %0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %4 = stablehlo.multiply %arg5, %arg6 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.call @f0() {call_counter = 0 : ui32} : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m2", origin=[]> (%2, %2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %4 = stablehlo.maximum %arg6, %arg6 : tensor<4xf32>
      %5 = stablehlo.subtract %arg5, %4 : tensor<4xf32>
      mpmd.return %5 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %3, %0, %1 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
  func.func private @f0() -> !mpmd.mesh_tensor<"m2", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m2", origin=[]> () {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      mpmd.return %cst : tensor<4xf32>
    } : () -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
    %0 = mpmd.assign {origin = "n0"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1:2 = mpmd.fragment<mesh="m3", origin=["n0"]> (%0) (%arg2: tensor<4xf32>) {
      %7 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      %8 = stablehlo.add %7, %arg2 : tensor<4xf32>
      mpmd.return %7, %8 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %2 = mpmd.unassign {origin = "n0"} %1#0 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %3 = mpmd.unassign {origin = "n0"} %1#1 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %4 = mpmd.fragment<mesh="m3", origin=["n0"(1)]> (%1#1) (%arg2: tensor<4xf32>) {
      %7 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      %8 = stablehlo.add %arg2, %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n0"} %4 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.fragment<mesh="m3", origin=["n0"]> (%4) (%arg2: tensor<4xf32>) {
      %7 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %5, %6, %2, %3 : tensor<4xf32>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m3", origin=["n0"]> () () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
      %3 = stablehlo.add %cst, %cst : tensor<4xf32>
      %4 = stablehlo.add %3, %cst : tensor<4xf32>
      mpmd.return %3, %4 : tensor<4xf32>, tensor<4xf32>
    } : () -> (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>)
    %1 = mpmd.fragment<mesh="m3", origin=["n0"(1)]> (%0#1) (%arg2: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      %4 = stablehlo.add %arg2, %3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m3", origin=["n0"]> (%1) (%arg2: tensor<4xf32>) {
      %3 = stablehlo.add %arg2, %arg2 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %1, %2, %0#0, %0#1 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0:2 = stablehlo.optimization_barrier %arg2, %arg1 : tensor<4xf32>, tensor<4xf32>
    %1 = mpmd.assign {origin = "n0"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m11", origin=["n0"]> (%1) (%arg4: tensor<4xf32>) {
      %10 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.unassign {origin = "n0"} %2 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    %4 = stablehlo.multiply %3, %0#0 : tensor<4xf32>
    %5 = mpmd.assign {origin = "n4"} %0#1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.assign {origin = "n4"} %0#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7:2 = mpmd.fragment<mesh="m2", origin=["n4"]> (%5, %6) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %10 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %11 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %10, %11 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %8 = mpmd.unassign {origin = "n4"} %7#1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %9 = stablehlo.abs %4 : tensor<4xf32>
    return %7#0, %9, %8 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0:2 = mpmd.fragment<mesh="m2", origin=[]> (%arg2, %arg1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6:2 = stablehlo.optimization_barrier %arg4, %arg5 : tensor<4xf32>, tensor<4xf32>
      mpmd.return %6#0, %6#1 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %1 = mpmd.fragment<mesh="m11", origin=["n0"]> (%arg0) (%arg4: tensor<4xf32>) {
      %6 = stablehlo.add %arg4, %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %2 = mpmd.transfer %0#0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m11", origin=[]> (%1, %2) {mpmd.inferred_by = ["infer_mesh_convert_reduce_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6 = stablehlo.multiply %arg4, %arg5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4:2 = mpmd.fragment<mesh="m2", origin=["n4"]> (%0#1, %0#0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %6 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %6, %7 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %5 = mpmd.fragment<mesh="m11", origin=[]> (%3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>) {
      %6 = stablehlo.abs %arg4 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %4#0, %5, %4#1 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: tensor<4xf32>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    stablehlo.custom_call @effect(%0) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %1 = mpmd.assign {origin = "n1"} %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m10", origin=["n1"]> (%1) (%arg3: tensor<4xf32>) {
      %7 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    stablehlo.custom_call @effect(%arg2) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %3 = mpmd.assign {origin = "n1"} %cst : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%3, %2) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %7 = stablehlo.add %arg3, %arg4 : tensor<4xf32>
      %8 = stablehlo.add %7, %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n1"} %4 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %6 = mpmd.assign {origin = "user_out"} %arg2 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %6, %5 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m10" : <["x"=2]>>, <"m11" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    mpmd.fragment<mesh="m2", origin=[]> (%arg0) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg3: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg3) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> ()
    %0 = mpmd.fragment<mesh="m10", origin=["n1"]> (%arg2) (%arg3: tensor<4xf32>) {
      %3 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    mpmd.fragment<mesh="m10", origin=[]> (%arg2) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg3: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg3) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> ()
    %1 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    mpmd.fragment<mesh="m11", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_resultless_ops"]} (%arg3: tensor<4xf32>) {
      stablehlo.custom_call @effect(%arg3) {has_side_effect = true} : (tensor<4xf32>) -> ()
      mpmd.return 
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> ()
    %2 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%0) (%arg3: tensor<4xf32>) {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      %3 = stablehlo.add %cst, %arg3 : tensor<4xf32>
      %4 = stablehlo.add %3, %3 : tensor<4xf32>
      mpmd.return %4 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %1, %2 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>
    %1 = mpmd.assign {origin = "n0"} %0#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m10", origin=["n0"(1)]> (%1) (%arg1: tensor<4xf32>) {
      %10 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %11 = stablehlo.add %arg1, %10 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m1", origin=["n2"(1)]> (%3) (%arg1: tensor<4xf32>) {
      %10 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %11 = stablehlo.add %10, %10 : tensor<4xf32>
      mpmd.return %11 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %5 = mpmd.unassign {origin = "n2"} %4 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
    %6 = stablehlo.add %cst, %5 : tensor<4xf32>
    %7 = mpmd.assign {origin = "n1"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %8 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%7) (%arg1: tensor<4xf32>) {
      %10 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %10 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %9 = mpmd.unassign {origin = "n1"} %8 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %9 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m10", origin=["n0"(1)]> (%arg0) (%arg1: tensor<4xf32>) {
      %5:2 = stablehlo.optimization_barrier %arg1, %arg1 : tensor<4xf32>, tensor<4xf32>
      %6 = stablehlo.add %5#0, %5#0 : tensor<4xf32>
      %7 = stablehlo.add %5#0, %6 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %2 = mpmd.fragment<mesh="m1", origin=["n2"(1)]> (%1) (%arg1: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %6 = stablehlo.add %5, %5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    %3 = mpmd.transfer %2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m11", origin=["n1"(1)]> (%3) (%arg1: tensor<4xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %5 = stablehlo.add %cst, %arg1 : tensor<4xf32>
      %6 = stablehlo.add %5, %5 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    return %4 : !mpmd.mesh_tensor<"m11", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: !mpmd.mesh_tensor<"m11", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg2 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
    %2:2 = stablehlo.optimization_barrier %1, %arg0 : tensor<4xf32>, tensor<4xf32>
    %3 = stablehlo.negate %2#1 : tensor<4xf32>
    %4:2 = stablehlo.optimization_barrier %arg0, %3 : tensor<4xf32>, tensor<4xf32>
    %5 = stablehlo.abs %4#1 : tensor<4xf32>
    %6 = stablehlo.abs %4#1 : tensor<4xf32>
    %7 = mpmd.assign {origin = "n1"} %4#0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %8 = mpmd.assign {origin = "n1"} %6 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %9:2 = mpmd.fragment<mesh="m2", origin=["n1"(1)]> (%7, %8) (%arg5: tensor<4xf32>, %arg6: tensor<4xf32>) {
      %24 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      %25 = stablehlo.add %arg5, %arg6 : tensor<4xf32>
      mpmd.return %24, %25 : tensor<4xf32>, tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>)
    %10 = mpmd.unassign {origin = "n1"} %9#0 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %11 = mpmd.unassign {origin = "n1"} %9#1 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %12 = stablehlo.abs %10 : tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %13 = "stablehlo.if"(%c) ({
      %24 = stablehlo.add %10, %12 : tensor<4xf32>
      stablehlo.return %24 : tensor<4xf32>
    }, {
      stablehlo.return %12 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %14 = "stablehlo.if"(%c_0) ({
      %24 = stablehlo.add %5, %11 : tensor<4xf32>
      stablehlo.return %24 : tensor<4xf32>
    }, {
      stablehlo.return %11 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %15 = mpmd.reduce<none> %13 : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %16 = stablehlo.maximum %15, %cst : tensor<4xf32>
    %17 = stablehlo.add %16, %14 : tensor<4xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %18 = "stablehlo.if"(%c_1) ({
      %24 = stablehlo.add %17, %17 : tensor<4xf32>
      stablehlo.return %24 : tensor<4xf32>
    }, {
      stablehlo.return %17 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %19 = "stablehlo.if"(%c_2) ({
      %24 = stablehlo.add %17, %18 : tensor<4xf32>
      stablehlo.return %24 : tensor<4xf32>
    }, {
      stablehlo.return %18 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %20 = stablehlo.add %18, %19 : tensor<4xf32>
    %21 = mpmd.assign {origin = "n2"} %arg4 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %22 = mpmd.fragment<mesh="m11", origin=["n2"]> (%21) (%arg5: tensor<4xf32>) {
      %24 = stablehlo.add %arg5, %arg5 : tensor<4xf32>
      mpmd.return %24 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m11", tensor<4xf32>>
    %23 = mpmd.unassign {origin = "n2"} %22 : (!mpmd.mesh_tensor<"m11", tensor<4xf32>>) -> tensor<4xf32>
    return %20, %23, %23, %20 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
// refused
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = stablehlo.tanh %arg0 : tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %1 = stablehlo.subtract %cst, %arg0 : tensor<4xf32>
    %2 = mpmd.assign {origin = "n1"} %1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%2) (%arg3: tensor<4xf32>) {
      %18 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n1"} %3 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %5 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %6 = stablehlo.add %4, %cst_0 : tensor<4xf32>
    %7 = stablehlo.subtract %cst_0, %6 : tensor<4xf32>
    %8 = mpmd.assign {origin = "n1"} %7 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%8) (%arg3: tensor<4xf32>) {
      %18 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.unassign {origin = "n1"} %9 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %11 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %12 = mpmd.fragment<mesh="m3", origin=["n0"(1)]> (%5, %11) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %18 = stablehlo.add %arg4, %arg3 : tensor<4xf32>
      mpmd.return %18 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %13 = mpmd.unassign {origin = "n0"} %12 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %14 = stablehlo.negate %10 : tensor<4xf32>
    %15 = stablehlo.negate %13 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %16 = stablehlo.maximum %15, %cst : tensor<4xf32>
    %17 = stablehlo.add %cst_1, %14 : tensor<4xf32>
    return %17, %17, %16 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m10", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%arg0) (%arg3: tensor<4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %6 = stablehlo.subtract %cst, %arg3 : tensor<4xf32>
      %7 = stablehlo.add %6, %6 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m10", origin=["n1"(1)]> (%0) (%arg3: tensor<4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %6 = stablehlo.add %arg3, %cst : tensor<4xf32>
      %7 = stablehlo.subtract %cst, %6 : tensor<4xf32>
      %8 = stablehlo.add %7, %7 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %2 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["n0"(1)]> (%2) (%arg3: tensor<4xf32>) {
      %6 = stablehlo.tanh %arg3 : tensor<4xf32>
      %7 = stablehlo.add %6, %6 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=[]> (%3) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %6 = stablehlo.negate %arg3 : tensor<4xf32>
      %7 = stablehlo.maximum %6, %cst : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.fragment<mesh="m10", origin=[]> (%1) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg3: tensor<4xf32>) {
      %6 = stablehlo.negate %arg3 : tensor<4xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      %7 = stablehlo.add %cst, %6 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    return %5, %5, %4 : !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m10", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg2 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m11" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m3" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=[]> (%arg0, %arg2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %1 = stablehlo.multiply %arg4, %arg5 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>, !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = stablehlo.maximum %arg1, %arg0 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n1"} %arg1 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["n1"]> (%1, %2) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %6 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.unassign {origin = "n1"} %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m3" : <["x"=2]>>, <"m11" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m3", origin=["n1"]> (%arg0, %arg1) (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
      %2 = stablehlo.add %arg2, %arg3 : tensor<4xf32>
      mpmd.return %2 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %1 = mpmd.fragment<mesh="m3", origin=[]> (%0, %arg1, %arg0) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %2 = stablehlo.maximum %arg3, %arg4 : tensor<4xf32>
      %3 = stablehlo.multiply %2, %arg2 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    return %1 : !mpmd.mesh_tensor<"m3", tensor<4xf32>>
  }
}
// -----
// RUN mpmd-infer-mesh-pipeline
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>, <"m10" : <["x"=2]>>>} {
    %0 = mpmd.unassign {origin = "user_in"} %arg2 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %1 = stablehlo.add %cst, %arg0 : tensor<4xf32>
    %2 = stablehlo.reshape %0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.subtract %5, %cst : tensor<4xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<4xf32>
    %8 = mpmd.assign {origin = "n2"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %9 = mpmd.fragment<mesh="m10", origin=["n2"]> (%8) (%arg3: tensor<4xf32>) {
      %28 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %29 = stablehlo.add %28, %arg3 : tensor<4xf32>
      %30 = stablehlo.add %28, %29 : tensor<4xf32>
      mpmd.return %30 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m10", tensor<4xf32>>
    %10 = mpmd.unassign {origin = "n2"} %9 : (!mpmd.mesh_tensor<"m10", tensor<4xf32>>) -> tensor<4xf32>
    %11 = stablehlo.reshape %7 : (tensor<4xf32>) -> tensor<1x4xf32>
    %12 = stablehlo.reshape %10 : (tensor<4xf32>) -> tensor<1x4xf32>
    %13 = stablehlo.concatenate %11, %12, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.abs %14 : tensor<4xf32>
    %16 = mpmd.broadcast %15 : tensor<4xf32>
    %17 = mpmd.reduce<none> %arg0 : (tensor<4xf32>) -> tensor<4xf32>
    %18 = mpmd.assign {origin = "n1"} %17 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %19 = mpmd.assign {origin = "n1"} %16 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %20 = mpmd.fragment<mesh="m3", origin=["n1"(1)]> (%18, %19) (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
      %28 = stablehlo.add %arg3, %arg3 : tensor<4xf32>
      %29 = stablehlo.add %arg4, %28 : tensor<4xf32>
      %30 = stablehlo.add %28, %29 : tensor<4xf32>
      mpmd.return %30 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %21 = mpmd.unassign {origin = "n1"} %20 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
    %22 = stablehlo.add %cst_2, %21 : tensor<4xf32>
    %23 = stablehlo.maximum %22, %22 : tensor<4xf32>
    %24 = stablehlo.abs %23 : tensor<4xf32>
    %25:2 = stablehlo.optimization_barrier %24, %24 : tensor<4xf32>, tensor<4xf32>
    %26 = stablehlo.tanh %cst_2 : tensor<4xf32>
    stablehlo.custom_call @effect(%26) {has_side_effect = true} : (tensor<4xf32>) -> ()
    %c = stablehlo.constant dense<true> : tensor<i1>
    %27 = "stablehlo.if"(%c) ({
      %28 = stablehlo.add %24, %25#1 : tensor<4xf32>
      stablehlo.return %28 : tensor<4xf32>
    }, {
      stablehlo.return %25#1 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %27 : tensor<4xf32>
  }
}
// ==>
// refused
// -----
// RUN 'mpmd-infer-mesh-pipeline{infer-transfers=true}'
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = stablehlo.add %arg3, %arg2 : tensor<4xf32>
    %1 = mpmd.assign {origin = "n1"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.assign {origin = "n1"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=["n1"]> (%1, %2) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %8 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.assign {origin = "n0"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %5 = mpmd.transfer %3 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m2", origin=["n0"(1)]> (%4, %5) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %8 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %7 = mpmd.unassign {origin = "n0"} %6 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>
    return %7, %7 : tensor<4xf32>, tensor<4xf32>
  }
}
// ==>
module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m3", tensor<4xf32>>, %arg1: !mpmd.mesh_tensor<"m1", tensor<4xf32>>, %arg2: !mpmd.mesh_tensor<"m2", tensor<4xf32>>, %arg3: !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) attributes {topology = #mpmd.topology<<"m3" : <["x"=2]>>, <"m10" : <["x"=2]>>, <"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m2", origin=[]> (%arg3, %arg2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %1 = mpmd.transfer %arg3 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %2 = mpmd.transfer %arg2 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %3 = mpmd.fragment<mesh="m3", origin=[]> (%1, %2) {mpmd.inferred_by = ["infer_mesh_wrap_meshless_ops"]} (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %4 = mpmd.fragment<mesh="m3", origin=["n1"]> (%3, %arg0) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>, !mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m3", tensor<4xf32>>
    %5 = mpmd.transfer %4 : (!mpmd.mesh_tensor<"m3", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    %6 = mpmd.fragment<mesh="m2", origin=["n0"(1)]> (%0, %5) (%arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
      %7 = stablehlo.add %arg4, %arg5 : tensor<4xf32>
      mpmd.return %7 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>
    return %6, %6 : !mpmd.mesh_tensor<"m2", tensor<4xf32>>, !mpmd.mesh_tensor<"m2", tensor<4xf32>>
  }
}
