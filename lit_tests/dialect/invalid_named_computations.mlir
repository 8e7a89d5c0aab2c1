// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Named computations: in each function first what is valid, then what is not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_arguments(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has block arguments that differ from its operands in number or type}}
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<4x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_results(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{returns values that differ from its results in number or type}}
  %bad = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_in_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_out_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) out_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: has 2 shardings for 1 values}}
  %bad = sdy.named_computation<"f">(%arg0) out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_computation_terminator(%arg0: tensor<8x8xf32>) {
  %good = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has a body that ends with 'stablehlo.return', expected 'sdy.return'}}
  %bad = "sdy.named_computation"(%arg0) <{name = "f"}> ({
  ^bb0(%arg1: tensor<8x8xf32>):
    // expected-note @+1 {{it ends here}}
    stablehlo.return %arg1 : tensor<8x8xf32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @named_is_isolated(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @+1 {{required by region isolation constraints}}
  %bad = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    sdy.return %arg0 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

func.func @named_has_a_block(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected region 0 to have 1 block(s) but got 0}}
  %bad = "sdy.named_computation"(%arg0) <{name = "n"}> ({
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

func.func @named_has_no_second_block(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected region 0 to have 1 block(s) but got 2}}
  %bad = "sdy.named_computation"(%arg0) <{name = "n"}> ({
  ^bb0(%arg1: tensor<8x8xf32>):
    "sdy.return"(%arg1) : (tensor<8x8xf32>) -> ()
  ^bb1:
    "sdy.return"() : () -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

func.func @named_argument_type(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has block arguments that differ from its operands in number or type}}
  %bad = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x4xf32>) {
    %0 = stablehlo.custom_call @g(%arg1) : (tensor<8x4xf32>) -> tensor<8x8xf32>
    sdy.return %0 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

func.func @named_lacks_name(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{attribute "name" is expected but not provided}}
  %bad = "sdy.named_computation"(%arg0) ({
  ^bb0(%arg1: tensor<8x8xf32>):
    "sdy.return"(%arg1) : (tensor<8x8xf32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @named_in_shardings_count(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: has 0 shardings for 1 values}}
  %bad = sdy.named_computation<"n">(%arg0) in_shardings=[] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["w"=2]>
func.func @named_out_shardings_axis(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.named_computation<"n">(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@other, [{"w"}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: uses axis "w", which the mesh does not have}}
  %bad = sdy.named_computation<"n">(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"w"}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}
