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
