// Control flow: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// A size that one of the branches may give.
func.func @if(%arg0: tensor<i1>) {
  %0 = "stablehlo.if"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<?xf32, #stablehlo.bounds<5>>
      stablehlo.return %r0 : tensor<?xf32, #stablehlo.bounds<5>>
  }, {
      %r0 = "test.value"() : () -> tensor<?xf32, #stablehlo.bounds<7>>
      stablehlo.return %r0 : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<i1>) -> tensor<6xf32>
  return
}

// Several conditions.
func.func @if_i1(%arg0: tensor<2xi1>) {
  // expected-error@+1 {{(if_i1)}}
  %0 = "stablehlo.if"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<?xf32, #stablehlo.bounds<5>>
      stablehlo.return %r0 : tensor<?xf32, #stablehlo.bounds<5>>
  }, {
      %r0 = "test.value"() : () -> tensor<?xf32, #stablehlo.bounds<7>>
      stablehlo.return %r0 : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<2xi1>) -> tensor<6xf32>
  return
}

// A branch that takes an argument.
func.func @if_c1(%arg0: tensor<i1>) {
  // expected-error@+1 {{(if_c1)}}
  %0 = "stablehlo.if"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
    ^bb0(%a0: tensor<6xf32>):
      stablehlo.return %a0 : tensor<6xf32>
  }) : (tensor<i1>) -> tensor<6xf32>
  return
}

// Branches of different types.
func.func @if_c2(%arg0: tensor<i1>) {
  // expected-error@+1 {{(if_c2)}}
  %0 = "stablehlo.if"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<6xf64>
      stablehlo.return %r0 : tensor<6xf64>
  }) : (tensor<i1>) -> tensor<6xf32>
  return
}

// More than either branch gives.
func.func @if_c3(%arg0: tensor<i1>) {
  // expected-error@+1 {{(if_c3)}}
  %0 = "stablehlo.if"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<?xf32, #stablehlo.bounds<5>>
      stablehlo.return %r0 : tensor<?xf32, #stablehlo.bounds<5>>
  }, {
      %r0 = "test.value"() : () -> tensor<?xf32, #stablehlo.bounds<7>>
      stablehlo.return %r0 : tensor<?xf32, #stablehlo.bounds<7>>
  }) : (tensor<i1>) -> tensor<8xf32>
  return
}

// A size that one of the branches gives.
func.func @case(%arg0: tensor<i32>) {
  %0 = "stablehlo.case"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<6xf32>
  return
}

// Several indices.
func.func @case_i1(%arg0: tensor<2xi32>) {
  // expected-error@+1 {{(case_i1)}}
  %0 = "stablehlo.case"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }) : (tensor<2xi32>) -> tensor<6xf32>
  return
}

// No branch.
func.func @case_c1(%arg0: tensor<i32>) {
  // expected-error@+1 {{(case_c1)}}
  %0 = "stablehlo.case"(%arg0) : (tensor<i32>) -> tensor<6xf32>
  return
}

// A branch that takes an argument.
func.func @case_c2(%arg0: tensor<i32>) {
  // expected-error@+1 {{(case_c2)}}
  %0 = "stablehlo.case"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
    ^bb0(%a0: tensor<6xf32>):
      stablehlo.return %a0 : tensor<6xf32>
  }) : (tensor<i32>) -> tensor<6xf32>
  return
}

// Branches of different types.
func.func @case_c3(%arg0: tensor<i32>) {
  // expected-error@+1 {{(case_c3)}}
  %0 = "stablehlo.case"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<6xf64>
      stablehlo.return %r0 : tensor<6xf64>
  }) : (tensor<i32>) -> tensor<6xf32>
  return
}

// Another type than the branches give.
func.func @case_c4(%arg0: tensor<i32>) {
  // expected-error@+1 {{(case_c4)}}
  %0 = "stablehlo.case"(%arg0) ({
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<6xf32>
      stablehlo.return %r0 : tensor<6xf32>
  }, {
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<6xf64>
  return
}

// A size that is known inside.
func.func @while(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<3xf32>
      stablehlo.return %r0 : tensor<3xf32>
  }) : (tensor<?xf32>) -> tensor<3xf32>
  return
}

// A condition on another type.
func.func @while_c1(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(while_c1)}}
  %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%a0: tensor<?xf64>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<?xf32>):
      stablehlo.return %a0 : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<3xf32>
  return
}

// A condition that is a number.
func.func @while_c1_2(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(while_c1)}}
  %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<f32>
      stablehlo.return %r0 : tensor<f32>
  }, {
    ^bb0(%a0: tensor<?xf32>):
      stablehlo.return %a0 : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<3xf32>
  return
}

// A body that takes another type.
func.func @while_c2(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(while_c2)}}
  %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<?xf64>):
      %r0 = "test.value"() : () -> tensor<?xf32>
      stablehlo.return %r0 : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<3xf32>
  return
}

// A body that returns another type.
func.func @while_c2_2(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(while_c2)}}
  %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<?xf64>
      stablehlo.return %r0 : tensor<?xf64>
  }) : (tensor<?xf32>) -> tensor<3xf32>
  return
}

// The result has another type.
func.func @while_c3(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{(while_c3)}}
  %0 = "stablehlo.while"(%arg0) ({
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }, {
    ^bb0(%a0: tensor<?xf32>):
      %r0 = "test.value"() : () -> tensor<3xf32>
      stablehlo.return %r0 : tensor<3xf32>
  }) : (tensor<?xf32>) -> tensor<?xf64>
  return
}

// An empty branch.
func.func @if_i2(%arg0: tensor<i1>) {
  // expected-error@+1 {{(if_i2)}}
  %0 = "stablehlo.if"(%arg0) ({}, {}) : (tensor<i1>) -> tensor<f32>
  return
}

// An empty branch.
func.func @case_i2(%arg0: tensor<i32>) {
  // expected-error@+1 {{(case_i2)}}
  %0 = "stablehlo.case"(%arg0) ({}) : (tensor<i32>) -> tensor<f32>
  return
}
