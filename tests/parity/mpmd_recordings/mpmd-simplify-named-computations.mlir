// RUN mpmd-simplify-named-computations

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
!m1 = !mpmd.mesh_tensor<"m1", !t>
!m2 = !mpmd.mesh_tensor<"m2", !t>

func.func @main(%a: !t, %b: !t) -> (!t, !t) attributes {topology = #topology} {
  %0:4 = mpmd.named_computation<"f"> (%a, %a, %b) (%c: !t, %d: !t, %e: !t) {
    %1:2 = stablehlo.optimization_barrier %c, %d : !t, !t
    %2 = stablehlo.abs %1#0 : !t
    %3 = stablehlo.add %2, %e : !t
    mpmd.return %2, %1#1, %2, %3 : !t, !t, !t, !t
  } : (!t, !t, !t) -> (!t, !t, !t, !t)
  %4 = stablehlo.add %0#1, %0#2 : !t
  return %0#0, %4 : !t, !t
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
      %2 = stablehlo.optimization_barrier %arg2 : tensor<4xf32>
      %3 = stablehlo.abs %2 : tensor<4xf32>
      mpmd.return %3 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-simplify-named-computations
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>, %arg1 : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #topology} {
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %z1 = stablehlo.constant dense<0> : tensor<4xi32>
  %z2 = stablehlo.constant dense<0> : tensor<4xi32>
  %y = stablehlo.add %z2, %z2 : tensor<4xi32>
  %x = stablehlo.custom_call @foo(%y, %z1, %z) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  %0:4 = mpmd.named_computation<"f"> (%arg0, %arg0, %arg1) (%a: tensor<4xf32>, %b: tensor<4xf32>, %u: tensor<4xf32>) {
    %bar:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<4xf32>
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %1 = stablehlo.add %bar#0, %c : tensor<4xf32>
    %2 = stablehlo.add %1, %u : tensor<4xf32>
    mpmd.return %1, %bar#1, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %3 = stablehlo.add %0#1, %0#2 : tensor<4xf32>
  return %0#0, %3 : tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %c = stablehlo.constant dense<0> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<4xi32>
    %0 = stablehlo.add %c_1, %c_1 : tensor<4xi32>
    %1 = stablehlo.custom_call @foo(%0, %c_0, %c) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
    %2 = mpmd.named_computation<"f"> (%arg0) (%arg2: tensor<4xf32>) {
      %4 = stablehlo.optimization_barrier %arg2 : tensor<4xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %5 = stablehlo.add %4, %cst : tensor<4xf32>
      mpmd.return %5 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %arg0, %2 : tensor<4xf32>
    return %2, %3 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-simplify-named-computations
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) attributes {topology = #topology} {
  %0:2 = mpmd.named_computation<"f"> (%arg0) (%a: tensor<4xf32>) {
    %n2_1 = stablehlo.add %a, %a : tensor<4xf32>
    %n2_2 = stablehlo.custom_call @foo(%n2_1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %n2_1, %n2_1 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = mpmd.named_computation<"g"> (%arg0) (%a: tensor<4xf32>) {
    %n3_1 = stablehlo.add %a, %a : tensor<4xf32>
    %n3_2 = stablehlo.custom_call @foo(%n3_1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %n3_1 : tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>)
  %2 = mpmd.named_computation<"g"> (%arg0) (%a: tensor<4xf32>) {
    %n4_1 = stablehlo.add %a, %a : tensor<4xf32>
    %n4_2 = stablehlo.custom_call @foo(%n4_1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %n4_2 : tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>)
  %3:2 = mpmd.named_computation<"h"> (%arg0) (%a: tensor<4xf32>) {
    %n5_1 = stablehlo.add %a, %a : tensor<4xf32>
    %n5_2 = stablehlo.custom_call @foo(%n5_1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %n5_2, %a : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %4:3 = mpmd.named_computation<"i"> (%arg0) (%a: tensor<4xf32>) {
    %n6_1 = stablehlo.add %a, %a : tensor<4xf32>
    %n6_2 = stablehlo.multiply %a, %n6_1 : tensor<4xf32>
    %n6_3 = stablehlo.multiply %n6_2, %n6_1 : tensor<4xf32>
    %n6_4 = stablehlo.custom_call @foo(%n6_1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %n6_1, %n6_2, %n6_3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %3#1 : tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
    %0:2 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %6 = stablehlo.custom_call @foo(%5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %5, %5 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %1 = mpmd.named_computation<"g"> (%arg0) (%arg1: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %6 = stablehlo.custom_call @foo(%5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %5 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %2 = mpmd.named_computation<"g"> (%arg0) (%arg1: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %6 = stablehlo.custom_call @foo(%5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %3 = mpmd.named_computation<"h"> (%arg0) (%arg1: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %6 = stablehlo.custom_call @foo(%5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %6 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %4:3 = mpmd.named_computation<"i"> (%arg0) (%arg1: tensor<4xf32>) {
      %5 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %6 = stablehlo.multiply %arg1, %5 : tensor<4xf32>
      %7 = stablehlo.multiply %6, %5 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    return %arg0 : tensor<4xf32>
  }
}
// -----
// RUN mpmd-simplify-named-computations
#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #topology} {
  %r0:2 = mpmd.named_computation<"f0"> (%arg0) (%a0: tensor<4xf32>) {
    %q0 = stablehlo.add %a0, %a0 : tensor<4xf32>
    %s0 = stablehlo.custom_call @foo(%q0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p0_0 = stablehlo.multiply %q0, %q0 : tensor<4xf32>
    %p0_1 = stablehlo.multiply %q0, %q0 : tensor<4xf32>
    mpmd.return %p0_0, %p0_1 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r1:3 = mpmd.named_computation<"f1"> (%arg0) (%a1: tensor<4xf32>) {
    %q1 = stablehlo.add %a1, %a1 : tensor<4xf32>
    %s1 = stablehlo.custom_call @foo(%q1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p1_0 = stablehlo.multiply %q1, %q1 : tensor<4xf32>
    %p1_1 = stablehlo.multiply %q1, %q1 : tensor<4xf32>
    mpmd.return %p1_0, %p1_1, %a1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r2:2 = mpmd.named_computation<"f2"> (%arg0) (%a2: tensor<4xf32>) {
    %q2 = stablehlo.add %a2, %a2 : tensor<4xf32>
    %s2 = stablehlo.custom_call @foo(%q2) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p2_0 = stablehlo.multiply %q2, %q2 : tensor<4xf32>
    mpmd.return %p2_0, %s2 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r3:2 = mpmd.named_computation<"f3"> (%arg0) (%a3: tensor<4xf32>) {
    %q3 = stablehlo.add %a3, %a3 : tensor<4xf32>
    %s3 = stablehlo.custom_call @foo(%q3) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p3_0 = stablehlo.multiply %q3, %q3 : tensor<4xf32>
    %p3_1 = stablehlo.multiply %q3, %q3 : tensor<4xf32>
    mpmd.return %p3_0, %p3_1 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r4:2 = mpmd.named_computation<"f4"> (%arg0) (%a4: tensor<4xf32>) {
    %q4 = stablehlo.add %a4, %a4 : tensor<4xf32>
    %p4_0 = stablehlo.multiply %q4, %q4 : tensor<4xf32>
    %p4_1 = stablehlo.multiply %q4, %q4 : tensor<4xf32>
    mpmd.return %p4_0, %p4_1 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r5:1 = mpmd.named_computation<"f5"> (%arg0) (%a5: tensor<4xf32>) {
    %q5 = stablehlo.add %a5, %a5 : tensor<4xf32>
    %s5 = stablehlo.custom_call @foo(%q5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p5_0 = stablehlo.multiply %q5, %q5 : tensor<4xf32>
    mpmd.return %p5_0 : tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>)
  %r6:1 = mpmd.named_computation<"f6"> (%arg0) (%a6: tensor<4xf32>) {
    %q6 = stablehlo.add %a6, %a6 : tensor<4xf32>
    %s6 = stablehlo.custom_call @foo(%q6) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %a6 : tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>)
  %r7:2 = mpmd.named_computation<"f7"> (%arg0) (%a7: tensor<4xf32>) {
    %q7 = stablehlo.add %a7, %a7 : tensor<4xf32>
    %s7 = stablehlo.custom_call @foo(%q7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %a7, %a7 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r8:3 = mpmd.named_computation<"f8"> (%arg0) (%a8: tensor<4xf32>) {
    %q8 = stablehlo.add %a8, %a8 : tensor<4xf32>
    %s8 = stablehlo.custom_call @foo(%q8) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %q8, %q8, %s8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r9:2 = mpmd.named_computation<"f9"> (%arg0) (%a9: tensor<4xf32>) {
    %q9 = stablehlo.add %a9, %a9 : tensor<4xf32>
    %s9 = stablehlo.custom_call @foo(%q9) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %q9, %q9 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r10:2 = mpmd.named_computation<"f10"> (%arg0) (%a10: tensor<4xf32>) {
    %q10 = stablehlo.add %a10, %a10 : tensor<4xf32>
    %s10 = stablehlo.custom_call @foo(%q10) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p10_1 = stablehlo.multiply %q10, %q10 : tensor<4xf32>
    mpmd.return %a10, %p10_1 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r11:3 = mpmd.named_computation<"f11"> (%arg0) (%a11: tensor<4xf32>) {
    %q11 = stablehlo.add %a11, %a11 : tensor<4xf32>
    %s11 = stablehlo.custom_call @foo(%q11) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p11_1 = stablehlo.multiply %q11, %q11 : tensor<4xf32>
    %p11_2 = stablehlo.multiply %q11, %q11 : tensor<4xf32>
    mpmd.return %s11, %p11_1, %p11_2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r12:3 = mpmd.named_computation<"f12"> (%arg0) (%a12: tensor<4xf32>) {
    %q12 = stablehlo.add %a12, %a12 : tensor<4xf32>
    %s12 = stablehlo.custom_call @foo(%q12) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p12_1 = stablehlo.multiply %q12, %q12 : tensor<4xf32>
    %p12_2 = stablehlo.multiply %q12, %q12 : tensor<4xf32>
    mpmd.return %s12, %p12_1, %p12_2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r13:2 = mpmd.named_computation<"f13"> (%arg0) (%a13: tensor<4xf32>) {
    %q13 = stablehlo.add %a13, %a13 : tensor<4xf32>
    mpmd.return %q13, %q13 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r14:3 = mpmd.named_computation<"f14"> (%arg0) (%a14: tensor<4xf32>) {
    %q14 = stablehlo.add %a14, %a14 : tensor<4xf32>
    %s14 = stablehlo.custom_call @foo(%q14) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %s14, %s14, %s14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r0#1, %r9#1, %r12#0, %r14#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f0"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      %15 = stablehlo.multiply %13, %13 : tensor<4xf32>
      mpmd.return %15 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1:3 = mpmd.named_computation<"f1"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      %15 = stablehlo.multiply %13, %13 : tensor<4xf32>
      %16 = stablehlo.multiply %13, %13 : tensor<4xf32>
      mpmd.return %15, %16, %arg1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %2 = mpmd.named_computation<"f2"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %3:2 = mpmd.named_computation<"f3"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      %15 = stablehlo.multiply %13, %13 : tensor<4xf32>
      %16 = stablehlo.multiply %13, %13 : tensor<4xf32>
      mpmd.return %15, %16 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %4 = mpmd.named_computation<"f5"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      %15 = stablehlo.multiply %13, %13 : tensor<4xf32>
      mpmd.return %15 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %5 = mpmd.named_computation<"f6"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %arg1 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %6:2 = mpmd.named_computation<"f7"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %arg1, %arg1 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %7 = mpmd.named_computation<"f8"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %8 = mpmd.named_computation<"f9"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %13 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %9:2 = mpmd.named_computation<"f10"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      %15 = stablehlo.multiply %13, %13 : tensor<4xf32>
      mpmd.return %arg1, %15 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %10 = mpmd.named_computation<"f11"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %11 = mpmd.named_computation<"f12"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %12 = mpmd.named_computation<"f14"> (%arg0) (%arg1: tensor<4xf32>) {
      %13 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %14 = stablehlo.custom_call @foo(%13) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %14 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0, %8, %11, %12 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// RUN mpmd-simplify-named-computations
#topology = #mpmd.topology<<"m1" : <["x"=2]>>>
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #topology} {
  %r0:2 = mpmd.named_computation<"f0"> (%arg0) (%a0: tensor<4xf32>) {
    %q0 = stablehlo.add %a0, %a0 : tensor<4xf32>
    %s0 = stablehlo.custom_call @foo(%q0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %s0, %s0 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r1:3 = mpmd.named_computation<"f1"> (%arg0) (%a1: tensor<4xf32>) {
    %q1 = stablehlo.add %a1, %a1 : tensor<4xf32>
    %s1 = stablehlo.custom_call @foo(%q1) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %p1_2 = stablehlo.multiply %q1, %q1 : tensor<4xf32>
    mpmd.return %s1, %s1, %p1_2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r2:2 = mpmd.named_computation<"f2"> (%arg0) (%a2: tensor<4xf32>) {
    %q2 = stablehlo.add %a2, %a2 : tensor<4xf32>
    %s2 = stablehlo.custom_call @foo(%q2) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %s2, %s2 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r3:2 = mpmd.named_computation<"f3"> (%arg0) (%a3: tensor<4xf32>) {
    %q3 = stablehlo.add %a3, %a3 : tensor<4xf32>
    %s3 = stablehlo.custom_call @foo(%q3) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %s3, %s3 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %r4:3 = mpmd.named_computation<"f4"> (%arg0) (%a4: tensor<4xf32>) {
    %q4 = stablehlo.add %a4, %a4 : tensor<4xf32>
    %s4 = stablehlo.custom_call @foo(%q4) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %s4, %s4, %a4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r5:3 = mpmd.named_computation<"f5"> (%arg0) (%a5: tensor<4xf32>) {
    %q5 = stablehlo.add %a5, %a5 : tensor<4xf32>
    %s5 = stablehlo.custom_call @foo(%q5) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %s5, %s5, %a5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r6:4 = mpmd.named_computation<"f6"> (%arg0) (%a6: tensor<4xf32>) {
    %q6 = stablehlo.add %a6, %a6 : tensor<4xf32>
    %s6 = stablehlo.custom_call @foo(%q6) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    mpmd.return %q6, %q6, %s6, %s6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r0#0, %r1#2, %r3#1, %r4#2, %r6#0, %r6#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// ==>
module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
    %0 = mpmd.named_computation<"f0"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %1:2 = mpmd.named_computation<"f1"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      %9 = stablehlo.multiply %7, %7 : tensor<4xf32>
      mpmd.return %8, %9 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %2 = mpmd.named_computation<"f2"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %3 = mpmd.named_computation<"f3"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %4 = mpmd.named_computation<"f4"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %5 = mpmd.named_computation<"f5"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %8 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %6:2 = mpmd.named_computation<"f6"> (%arg0) (%arg1: tensor<4xf32>) {
      %7 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      %8 = stablehlo.custom_call @foo(%7) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
      mpmd.return %7, %8 : tensor<4xf32>, tensor<4xf32>
    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %0, %1#1, %3, %arg0, %6#0, %6#0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
