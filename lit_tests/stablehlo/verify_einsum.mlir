// Sums in Einstein's notation and selections of slices: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// An ellipsis; element types that XLA multiplies.
func.func @einsum_ellipsis(%arg0: tensor<7x2x3xbf16>, %arg1: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "...ij,jk->...ik"} : (tensor<7x2x3xbf16>, tensor<3x4xf32>) -> tensor<7x2x4xf32>
  return
}

// A diagonal, a size of one that is repeated, and another element type for the sum.
func.func @einsum_diagonal(%arg0: tensor<3x3xi8>, %arg1: tensor<1x4xi8>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ii,ik->ik"} : (tensor<3x3xi8>, tensor<1x4xi8>) -> tensor<3x4xi16>
  return
}

// No arrow: what occurs once, in alphabetical order.
func.func @einsum_without_arrow(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "zj,ja"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// One list of labels for two operands.
func.func @einsum_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c1)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ij->i"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Blanks are no letters.
func.func @einsum_c1_blank(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c1)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "i j,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Two arrows.
func.func @einsum_c1_arrows(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c1)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ij,jk->ik->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Two ellipses.
func.func @einsum_c1_ellipses(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c1)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "......,jk->jk"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// Too few labels.
func.func @einsum_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c2)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "i,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Too many labels beside an ellipsis.
func.func @einsum_c2_ellipsis(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c2)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "...ijz,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Sizes of the contracted dimension.
func.func @einsum_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<5x4xf32>) {
  // expected-error@+1 {{(einsum_c3)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<5x4xf32>) -> tensor<2x4xf32>
  return
}

// A label that no operand has.
func.func @einsum_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c4)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ij,jk->iz"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// Another shape.
func.func @einsum_c5(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{(einsum_c5)}}
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// The sum of a diagonal.
func.func @unary_einsum_diagonal(%arg0: tensor<3x?xf32>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ii->"} : (tensor<3x?xf32>) -> tensor<f32>
  return
}

// Two lists of labels for one operand.
func.func @unary_einsum_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(unary_einsum_c1)}}
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ij,j->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// Too many labels.
func.func @unary_einsum_c2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(unary_einsum_c2)}}
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ijk->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// The diagonal of what is no square.
func.func @unary_einsum_c3(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(unary_einsum_c3)}}
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ii->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// A label that the operand does not have.
func.func @unary_einsum_c4(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(unary_einsum_c4)}}
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ij->k"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// Another shape.
func.func @unary_einsum_c5(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{(unary_einsum_c5)}}
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ij->j"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// One selection for each batch.
func.func @torch_index_select_batch(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x?xi64>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x?xi64>) -> tensor<2x5x4xf32>
  return
}

// No such dimension.
func.func @torch_index_select_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<5xi32>) {
  // expected-error@+1 {{(torch_index_select_c1)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<5xi32>) -> tensor<2x5xf32>
  return
}

// Dimensions are not counted from the end.
func.func @torch_index_select_c1_negative(%arg0: tensor<2x3xf32>, %arg1: tensor<5xi32>) {
  // expected-error@+1 {{(torch_index_select_c1)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = -1 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<5xi32>) -> tensor<2x5xf32>
  return
}

// A batch dimension behind the selected one.
func.func @torch_index_select_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(torch_index_select_c2)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 0 : i64, batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// More batch dimensions than indices have.
func.func @torch_index_select_c2_rank(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{(torch_index_select_c2)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// Fractions.
func.func @torch_index_select_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<5xf32>) {
  // expected-error@+1 {{(torch_index_select_c3)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<5xf32>) -> tensor<2x5xf32>
  return
}

// Another shape.
func.func @torch_index_select_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<5xi32>) {
  // expected-error@+1 {{(torch_index_select_c4)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<5xi32>) -> tensor<5x2xf32>
  return
}

// Another element type.
func.func @torch_index_select_c5(%arg0: tensor<2x3xf32>, %arg1: tensor<5xi32>) {
  // expected-error@+1 {{(torch_index_select_c5)}}
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<5xi32>) -> tensor<2x5xf64>
  return
}
