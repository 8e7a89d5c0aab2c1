// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// The documents on the dialect write some things otherwise than the parser reads them.

// expected-error @+1 {{expected operation name in quotes, did you mean 'sdy.mesh @mesh_xy = <'?}}
@mesh_xy = <["x"=2, "y"=2]>

// -----

// expected-error @+1 {{custom op 'func' is unknown (tried 'builtin.func' as well), did you mean 'func.func'?}}
func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %0 : tensor<8x8xf32>
}

// -----

func.func @main(%arg0: tensor<8x2xi64>) {
  // expected-error @+1 {{expected 'group_id', did you mean 'group_id=0'?}}
  %0 = sdy.sharding_group %arg0, id=0 : tensor<8x2xi64>
  return
}

// -----

func.func @main(%arg0: tensor<8x2xi64>) {
  // expected-error @+1 {{cannot name an operation with no results, did you mean 'sdy.sharding_group %arg0 group_id=0 : tensor<8x2xi64>'?}}
  %0 = sdy.sharding_group %arg0 group_id=0 : tensor<8x2xi64>
  return
}

// -----

sdy.mesh @mesh_name = <["data"=2, "model"=2]>
func.func @main(%0: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh_name, [{"data"}, {"model",?}]>] out_shardings=[<@mesh_name, [{"data"}, {?}]>] manual_axes={"data"} (%arg1: tensor<8x32xf32>) {
    // expected-error @+1 {{op 'return' lacks the name of its dialect, did you mean 'sdy.return'?}}
    return %arg1 : tensor<8x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}

// -----

func.func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected SSA operand, did you mean 'stablehlo.tanh %0'?}}
  %1 = stablehlo.tanh(%0) : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

func.func @main(%0: tensor<8x8xf32>, %1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected SSA operand, did you mean 'stablehlo.add %0, %1'?}}
  %2 = stablehlo.add(%0, %1) : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected ',' or ']', did you mean ']'?}}
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}\]>]>} : tensor<8xf32>
  return %1 : tensor<8xf32>
}
