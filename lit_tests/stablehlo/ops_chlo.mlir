// CHLO's ops one by one: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// The declared size need not be known from the operand.
func.func @acos(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.acos"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @acos_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(acos_c1)}}
  %0 = "chlo.acos"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @acos_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(acos_c1)}}
  %0 = "chlo.acos"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @acosh(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.acosh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @acosh_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(acosh_c1)}}
  %0 = "chlo.acosh"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @acosh_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(acosh_c1)}}
  %0 = "chlo.acosh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @asin(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.asin"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @asin_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(asin_c1)}}
  %0 = "chlo.asin"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @asin_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(asin_c1)}}
  %0 = "chlo.asin"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @asinh(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.asinh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @asinh_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(asinh_c1)}}
  %0 = "chlo.asinh"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @asinh_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(asinh_c1)}}
  %0 = "chlo.asinh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @atan(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.atan"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @atan_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(atan_c1)}}
  %0 = "chlo.atan"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @atan_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(atan_c1)}}
  %0 = "chlo.atan"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @atanh(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.atanh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @atanh_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(atanh_c1)}}
  %0 = "chlo.atanh"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @atanh_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(atanh_c1)}}
  %0 = "chlo.atanh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @conj(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.conj"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @conj_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(conj_c1)}}
  %0 = "chlo.conj"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @conj_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(conj_c1)}}
  %0 = "chlo.conj"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @cosh(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.cosh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @cosh_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cosh_c1)}}
  %0 = "chlo.cosh"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @cosh_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(cosh_c1)}}
  %0 = "chlo.cosh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @sinh(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.sinh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @sinh_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sinh_c1)}}
  %0 = "chlo.sinh"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @sinh_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(sinh_c1)}}
  %0 = "chlo.sinh"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @square(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.square"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @square_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(square_c1)}}
  %0 = "chlo.square"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @square_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(square_c1)}}
  %0 = "chlo.square"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @tan(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.tan"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @tan_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(tan_c1)}}
  %0 = "chlo.tan"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @tan_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(tan_c1)}}
  %0 = "chlo.tan"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @bessel_i1e(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.bessel_i1e"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @bessel_i1e_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(bessel_i1e_c1)}}
  %0 = "chlo.bessel_i1e"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @bessel_i1e_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(bessel_i1e_c1)}}
  %0 = "chlo.bessel_i1e"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @digamma(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.digamma"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @digamma_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(digamma_c1)}}
  %0 = "chlo.digamma"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @digamma_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(digamma_c1)}}
  %0 = "chlo.digamma"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @erf(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.erf"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @erf_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(erf_c1)}}
  %0 = "chlo.erf"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @erf_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(erf_c1)}}
  %0 = "chlo.erf"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @erf_inv(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.erf_inv"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @erf_inv_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(erf_inv_c1)}}
  %0 = "chlo.erf_inv"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @erf_inv_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(erf_inv_c1)}}
  %0 = "chlo.erf_inv"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @erfc(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.erfc"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @erfc_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(erfc_c1)}}
  %0 = "chlo.erfc"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @erfc_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(erfc_c1)}}
  %0 = "chlo.erfc"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @lgamma(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.lgamma"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// The result has another shape.
func.func @lgamma_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(lgamma_c1)}}
  %0 = "chlo.lgamma"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  return
}

// The result has another element type.
func.func @lgamma_c1_2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(lgamma_c1)}}
  %0 = "chlo.lgamma"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operand.
func.func @_asin_acos_kernel(%arg0: tensor<2x?xcomplex<f32>>) {
  %0 = "chlo._asin_acos_kernel"(%arg0) : (tensor<2x?xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  return
}

// The result has another shape.
func.func @_asin_acos_kernel_c1(%arg0: tensor<2x?xcomplex<f32>>) {
  // expected-error@+1 {{(_asin_acos_kernel_c1)}}
  %0 = "chlo._asin_acos_kernel"(%arg0) : (tensor<2x?xcomplex<f32>>) -> tensor<3x?xcomplex<f32>>
  return
}

// The result has another element type.
func.func @_asin_acos_kernel_c1_2(%arg0: tensor<2x?xcomplex<f32>>) {
  // expected-error@+1 {{(_asin_acos_kernel_c1)}}
  %0 = "chlo._asin_acos_kernel"(%arg0) : (tensor<2x?xcomplex<f32>>) -> tensor<2x3xcomplex<f64>>
  return
}

// The declared size need not be known from the operand.
func.func @is_inf(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.is_inf"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// The result has another shape.
func.func @is_inf_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(is_inf_c1)}}
  %0 = "chlo.is_inf"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xi1>
  return
}

// The declared size need not be known from the operand.
func.func @is_neg_inf(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.is_neg_inf"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// The result has another shape.
func.func @is_neg_inf_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(is_neg_inf_c1)}}
  %0 = "chlo.is_neg_inf"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xi1>
  return
}

// The declared size need not be known from the operand.
func.func @is_pos_inf(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.is_pos_inf"(%arg0) : (tensor<2x?xf32>) -> tensor<2x3xi1>
  return
}

// The result has another shape.
func.func @is_pos_inf_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(is_pos_inf_c1)}}
  %0 = "chlo.is_pos_inf"(%arg0) : (tensor<2x?xf32>) -> tensor<3x?xi1>
  return
}

// The declared size need not be known from the operands.
func.func @next_after(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @next_after_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(next_after_c1)}}
  %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// The result's element type is another.
func.func @next_after_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  // expected-error@+1 {{(next_after_c1)}}
  %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operands.
func.func @polygamma(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @polygamma_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(polygamma_c1)}}
  %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// The result's element type is another.
func.func @polygamma_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  // expected-error@+1 {{(polygamma_c1)}}
  %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operands.
func.func @zeta(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// Shapes differ.
func.func @zeta_c1(%arg0: tensor<2x?xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(zeta_c1)}}
  %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// The result's element type is another.
func.func @zeta_c1_2(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) {
  // expected-error@+1 {{(zeta_c1)}}
  %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x3xf64>
  return
}

// The declared size need not be known from the operands.
func.func @mulhi(%arg0: tensor<2x?xi32>, %arg1: tensor<2x?xi32>) {
  %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
  return
}

// Shapes differ.
func.func @mulhi_c1(%arg0: tensor<2x?xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(mulhi_c1)}}
  %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// The result's element type is another.
func.func @mulhi_c1_2(%arg0: tensor<2x?xi32>, %arg1: tensor<2x?xi32>) {
  // expected-error@+1 {{(mulhi_c1)}}
  %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<2x?xi32>) -> tensor<2x3xui32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_atan2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_atan2_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_atan2_c1)}}
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_atan2_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_atan2_c2)}}
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_atan2_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_atan2_c2)}}
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_divide(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_divide_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_divide_c1)}}
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_divide_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_divide_c2)}}
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_divide_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_divide_c2)}}
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_maximum(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_maximum_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_maximum_c1)}}
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_maximum_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_maximum_c2)}}
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_maximum_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_maximum_c2)}}
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_minimum(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_minimum_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_minimum_c1)}}
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_minimum_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_minimum_c2)}}
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_minimum_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_minimum_c2)}}
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_multiply(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_multiply_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_multiply_c1)}}
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_multiply_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_multiply_c2)}}
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_multiply_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_multiply_c2)}}
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_next_after(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_next_after_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_next_after_c1)}}
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_next_after_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_next_after_c2)}}
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_next_after_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_next_after_c2)}}
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_polygamma(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_polygamma_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_polygamma_c1)}}
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_polygamma_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_polygamma_c2)}}
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_polygamma_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_polygamma_c2)}}
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_power(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_power_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_power_c1)}}
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_power_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_power_c2)}}
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_power_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_power_c2)}}
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_remainder(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_remainder_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_remainder_c1)}}
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_remainder_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_remainder_c2)}}
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_remainder_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_remainder_c2)}}
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_shift_left(%arg0: tensor<3x1xi32>, %arg1: tensor<2x1x?xi32>) {
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x1x?xi32>) -> tensor<2x3x?xi32>
  return
}

// Element types differ.
func.func @broadcast_shift_left_c1(%arg0: tensor<3xi32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(broadcast_shift_left_c1)}}
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<3xi32>, tensor<3xi64>) -> tensor<3xi32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_shift_left_c2(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(broadcast_shift_left_c2)}}
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32>
  return
}

// Another size in the result.
func.func @broadcast_shift_left_c2_2(%arg0: tensor<3x1xi32>, %arg1: tensor<2x1x?xi32>) {
  // expected-error@+1 {{(broadcast_shift_left_c2)}}
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x1x?xi32>) -> tensor<2x2x?xi32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_shift_right_arithmetic(%arg0: tensor<3x1xi32>, %arg1: tensor<2x1x?xi32>) {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x1x?xi32>) -> tensor<2x3x?xi32>
  return
}

// Element types differ.
func.func @broadcast_shift_right_arithmetic_c1(%arg0: tensor<3xi32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(broadcast_shift_right_arithmetic_c1)}}
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<3xi32>, tensor<3xi64>) -> tensor<3xi32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_shift_right_arithmetic_c2(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(broadcast_shift_right_arithmetic_c2)}}
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32>
  return
}

// Another size in the result.
func.func @broadcast_shift_right_arithmetic_c2_2(%arg0: tensor<3x1xi32>, %arg1: tensor<2x1x?xi32>) {
  // expected-error@+1 {{(broadcast_shift_right_arithmetic_c2)}}
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x1x?xi32>) -> tensor<2x2x?xi32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_shift_right_logical(%arg0: tensor<3x1xi32>, %arg1: tensor<2x1x?xi32>) {
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x1x?xi32>) -> tensor<2x3x?xi32>
  return
}

// Element types differ.
func.func @broadcast_shift_right_logical_c1(%arg0: tensor<3xi32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{(broadcast_shift_right_logical_c1)}}
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<3xi32>, tensor<3xi64>) -> tensor<3xi32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_shift_right_logical_c2(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{(broadcast_shift_right_logical_c2)}}
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32>
  return
}

// Another size in the result.
func.func @broadcast_shift_right_logical_c2_2(%arg0: tensor<3x1xi32>, %arg1: tensor<2x1x?xi32>) {
  // expected-error@+1 {{(broadcast_shift_right_logical_c2)}}
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x1x?xi32>) -> tensor<2x2x?xi32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_subtract(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_subtract_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_subtract_c1)}}
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_subtract_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_subtract_c2)}}
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_subtract_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_subtract_c2)}}
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_and(%arg0: tensor<3x1xi1>, %arg1: tensor<2x1x?xi1>) {
  %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x1x?xi1>) -> tensor<2x3x?xi1>
  return
}

// Element types differ.
func.func @broadcast_and_c1(%arg0: tensor<3xi1>, %arg1: tensor<3xi8>) {
  // expected-error@+1 {{(broadcast_and_c1)}}
  %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<3xi1>, tensor<3xi8>) -> tensor<3xi1>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_and_c2(%arg0: tensor<3xi1>, %arg1: tensor<2xi1>) {
  // expected-error@+1 {{(broadcast_and_c2)}}
  %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<3xi1>, tensor<2xi1>) -> tensor<3xi1>
  return
}

// Another size in the result.
func.func @broadcast_and_c2_2(%arg0: tensor<3x1xi1>, %arg1: tensor<2x1x?xi1>) {
  // expected-error@+1 {{(broadcast_and_c2)}}
  %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x1x?xi1>) -> tensor<2x2x?xi1>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_or(%arg0: tensor<3x1xi1>, %arg1: tensor<2x1x?xi1>) {
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x1x?xi1>) -> tensor<2x3x?xi1>
  return
}

// Element types differ.
func.func @broadcast_or_c1(%arg0: tensor<3xi1>, %arg1: tensor<3xi8>) {
  // expected-error@+1 {{(broadcast_or_c1)}}
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<3xi1>, tensor<3xi8>) -> tensor<3xi1>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_or_c2(%arg0: tensor<3xi1>, %arg1: tensor<2xi1>) {
  // expected-error@+1 {{(broadcast_or_c2)}}
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<3xi1>, tensor<2xi1>) -> tensor<3xi1>
  return
}

// Another size in the result.
func.func @broadcast_or_c2_2(%arg0: tensor<3x1xi1>, %arg1: tensor<2x1x?xi1>) {
  // expected-error@+1 {{(broadcast_or_c2)}}
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x1x?xi1>) -> tensor<2x2x?xi1>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_xor(%arg0: tensor<3x1xi1>, %arg1: tensor<2x1x?xi1>) {
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x1x?xi1>) -> tensor<2x3x?xi1>
  return
}

// Element types differ.
func.func @broadcast_xor_c1(%arg0: tensor<3xi1>, %arg1: tensor<3xi8>) {
  // expected-error@+1 {{(broadcast_xor_c1)}}
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<3xi1>, tensor<3xi8>) -> tensor<3xi1>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_xor_c2(%arg0: tensor<3xi1>, %arg1: tensor<2xi1>) {
  // expected-error@+1 {{(broadcast_xor_c2)}}
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<3xi1>, tensor<2xi1>) -> tensor<3xi1>
  return
}

// Another size in the result.
func.func @broadcast_xor_c2_2(%arg0: tensor<3x1xi1>, %arg1: tensor<2x1x?xi1>) {
  // expected-error@+1 {{(broadcast_xor_c2)}}
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x1x?xi1>) -> tensor<2x2x?xi1>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_zeta(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  return
}

// Element types differ.
func.func @broadcast_zeta_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_zeta_c1)}}
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_zeta_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_zeta_c2)}}
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// Another size in the result.
func.func @broadcast_zeta_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_zeta_c2)}}
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xf32>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_complex(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xcomplex<f32>>
  return
}

// Element types differ.
func.func @broadcast_complex_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_complex_c1)}}
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_complex_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_complex_c2)}}
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  return
}

// Another size in the result.
func.func @broadcast_complex_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_complex_c2)}}
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xcomplex<f32>>
  return
}

// Aligned at the last dimension, 1 becomes any size.
func.func @broadcast_compare(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xi1>
  return
}

// Element types differ.
func.func @broadcast_compare_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_compare_c1)}}
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xi1>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_compare_c2(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{(broadcast_compare_c2)}}
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xi1>
  return
}

// Another size in the result.
func.func @broadcast_compare_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x1x?xf32>) {
  // expected-error@+1 {{(broadcast_compare_c2)}}
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x1xf32>, tensor<2x1x?xf32>) -> tensor<2x2x?xi1>
  return
}

// A direction that is not CHLO's.
func.func @broadcast_compare_i4(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(broadcast_compare_i4)}}
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// All three operands are broadcast.
func.func @broadcast_select(%arg0: tensor<3x1xi1>, %arg1: tensor<2xf32>, %arg2: tensor<1x1xf32>) {
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<3x1xi1>, tensor<2xf32>, tensor<1x1xf32>) -> tensor<3x2xf32>
  return
}

// Branches of different element types.
func.func @broadcast_select_c1(%arg0: tensor<3xi1>, %arg1: tensor<3xf32>, %arg2: tensor<3xf64>) {
  // expected-error@+1 {{(broadcast_select_c1)}}
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// Sizes that cannot be broadcast to one another.
func.func @broadcast_select_c2(%arg0: tensor<3xi1>, %arg1: tensor<2xf32>, %arg2: tensor<3xf32>) {
  // expected-error@+1 {{(broadcast_select_c2)}}
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<3xi1>, tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// The type of the value.
func.func @constant() {
  %0 = "chlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  return
}

// Another type than that of the value.
func.func @constant_c1() {
  // expected-error@+1 {{(constant_c1)}}
  %0 = "chlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// The operand's shape, the number's type.
func.func @constant_like(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.constant_like"(%arg0) {value = 1 : i8} : (tensor<2x?xf32>) -> tensor<2x?xi8>
  return
}

// Another type than that of the number.
func.func @constant_like_c1(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(constant_like_c1)}}
  %0 = "chlo.constant_like"(%arg0) {value = 1 : i8} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

// What is not a number.
func.func @constant_like_i2(%arg0: tensor<2x?xf32>) {
  // expected-error@+1 {{(constant_like_i2)}}
  %0 = "chlo.constant_like"(%arg0) {value = "one"} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

// Values and places.
func.func @top_k(%arg0: tensor<2x8xf32>) {
  %0:2 = "chlo.top_k"(%arg0) {k = 3 : i64} : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// A scalar.
func.func @top_k_c1(%arg0: tensor<f32>) {
  // expected-error@+1 {{(top_k_c1)}}
  %0:2 = "chlo.top_k"(%arg0) {k = 3 : i64} : (tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// More than there are.
func.func @top_k_c2(%arg0: tensor<2x8xf32>) {
  // expected-error@+1 {{(top_k_c2)}}
  %0:2 = "chlo.top_k"(%arg0) {k = 9 : i64} : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// Places of another type.
func.func @top_k_c3(%arg0: tensor<2x8xf32>) {
  // expected-error@+1 {{(top_k_c3)}}
  %0:2 = "chlo.top_k"(%arg0) {k = 3 : i64} : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

// Aligned at the last dimension.
func.func @broadcast_add(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Element types differ.
func.func @broadcast_add_c1(%arg0: tensor<3x1xf32>, %arg1: tensor<5xf64>) {
  // expected-error@+1 {{(broadcast_add_c1)}}
  %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<5xf64>) -> tensor<2x3x5xf32>
  return
}

// Neither equal nor 1.
func.func @broadcast_add_c2(%arg0: tensor<3x1xf32>, %arg1: tensor<4x5xf32>) {
  // expected-error@+1 {{(broadcast_add_c2)}}
  %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// Places that the result has not.
func.func @broadcast_add_c2_2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  // expected-error@+1 {{(broadcast_add_c2)}}
  %0 = "chlo.broadcast_add"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1, 3>} : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  return
}

// The value is no tensor.
func.func @constant_i1() {
  // expected-error@+1 {{(constant_i1)}}
  %0 = "chlo.constant"() {value = dense<1> : vector<2xi32>} : () -> tensor<2xi32>
  return
}

// Slices of a tensor, and one value that is carried on.
func.func @scan(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// Steps that only the attribute counts.
func.func @scan_no_inputs(%arg0: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0) ({
    ^bb0(%a0: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 4 : i64} : (tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// Nothing is scanned.
func.func @scan_c1(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c1)}}
  %0:1 = "chlo.scan"(%arg0) ({
    ^bb0(%a0: tensor<3xf32>):
      %r:1 = "test.body"() : () -> (tensor<3xf32>)
      stablehlo.return %r#0 : tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>} : (tensor<3xf32>) -> (tensor<3xf32>)
  return
}

// No such dimension.
func.func @scan_c2(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c2)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// Inputs of different sizes.
func.func @scan_c3(%arg0: tensor<4x3xf32>, %arg1: tensor<5x3xf32>, %arg2: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c3)}}
  %0:2 = "chlo.scan"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<5x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// Another number of steps.
func.func @scan_c3_2(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c3)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 5 : i64} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// The body takes other slices.
func.func @scan_c4(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c4)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<4xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// The body returns less than it carries.
func.func @scan_c5(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c5)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      stablehlo.return
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// The body carries something else on.
func.func @scan_c5_2(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c5)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf64>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf64>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf64>)
  return
}

// Another number of steps in the result.
func.func @scan_c6(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c6)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}

// The dimension is none of the output's.
func.func @scan_c6_2(%arg0: tensor<3x4xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c6)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<f32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<f32>, tensor<3xf32>
  }) {dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<3x4xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>)
  return
}

// Two outputs instead of one.
func.func @scan_c6_3(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_c6)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 2, 0>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// Groups of more than all operands.
func.func @scan_segments(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_segments)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<3xf32>):
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<3xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// An empty region.
func.func @scan_body(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{(scan_body)}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({}) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
