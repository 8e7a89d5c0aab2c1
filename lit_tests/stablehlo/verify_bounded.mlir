// Sizes that are bounded: every op that admits them, in one instance that both our verifiers and the registered dialect admit.
//
// RUN: sdy-opt %s --allow-unregistered-dialect -o %t
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify -o %t

func.func @batch_norm_grad_bounded(%arg0: tensor<?x8x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10, ?>>, %arg1: tensor<?x!quant.uniform<i16:f64, 0.5>>, %arg2: tensor<8x!quant.uniform<i16:f64, 0.5>>, %arg3: tensor<?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10>>, %arg4: tensor<8x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<?, 10>>) {
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.1 : f32, feature_index = 0 : i64} : (tensor<?x8x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10, ?>>, tensor<?x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10>>, tensor<8x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<?, 10>>) -> (tensor<?x8x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10, ?>>, tensor<?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10>>, tensor<?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<10>>)
  return
}

func.func @batch_norm_inference_bounded(%arg0: tensor<8x?x6xf32, #stablehlo.bounds<?, 6, ?>>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<?xf32, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.1 : f32, feature_index = 1 : i64} : (tensor<8x?x6xf32, #stablehlo.bounds<?, 6, ?>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<8x?x6xf32, #stablehlo.bounds<?, 6, ?>>
  return
}

func.func @batch_norm_training_bounded(%arg0: tensor<?x?xf8E8M0FNU, #stablehlo.bounds<8, 10>>, %arg1: tensor<6xf8E8M0FNU>, %arg2: tensor<6xf8E8M0FNU>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 0.1 : f32, feature_index = 0 : i64} : (tensor<?x?xf8E8M0FNU, #stablehlo.bounds<8, 10>>, tensor<6xf8E8M0FNU>, tensor<6xf8E8M0FNU>) -> (tensor<?x?xf8E8M0FNU, #stablehlo.bounds<8, 10>>, tensor<?xf8E8M0FNU, #stablehlo.bounds<8>>, tensor<?xf8E8M0FNU, #stablehlo.bounds<8>>)
  return
}

func.func @broadcast_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<10>>) {
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 1, 4>} : (tensor<?xf32, #stablehlo.bounds<10>>) -> tensor<1x4x?xf32>
  return
}

func.func @broadcast_in_dim_bounded(%arg0: tensor<ui64>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> tensor<3x?xui64, #stablehlo.bounds<?, 5>>
  return
}

func.func @reshape_bounded(%arg0: tensor<4xf32>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<4xf32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return
}

func.func @reverse_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

func.func @transpose_bounded(%arg0: tensor<?x2xui32, #stablehlo.bounds<5, ?>>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 0, 1>} : (tensor<?x2xui32, #stablehlo.bounds<5, ?>>) -> tensor<?x2xui32, #stablehlo.bounds<5, ?>>
  return
}

func.func @custom_call_bounded(%arg0: tensor<?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<8>>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "target", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0]> : tensor<1xindex>]} : (tensor<?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<8>>) -> tensor<6x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @einsum_bounded(%arg0: tensor<?x3xf32, #stablehlo.bounds<5, ?>>, %arg1: tensor<3x2xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ab,bc->ac"} : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<3x2xf32>) -> tensor<?x2xf32, #stablehlo.bounds<5, ?>>
  return
}

func.func @unary_einsum_bounded(%arg0: tensor<6x2xf32>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->ba"} : (tensor<6x2xf32>) -> tensor<?x?xf32, #stablehlo.bounds<4, 8>>
  return
}

func.func @torch_index_select_bounded(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 8>>, %arg1: tensor<3xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x?xf32, #stablehlo.bounds<?, 8>>, tensor<3xi32>) -> tensor<?x?xf32, #stablehlo.bounds<4, 5>>
  return
}

func.func @chlo_acos_bounded(%arg0: tensor<6x?xf32, #stablehlo.bounds<?, 3>>) {
  %0 = "chlo.acos"(%arg0) : (tensor<6x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<6x?xf32, #stablehlo.bounds<?, 3>>
  return
}

func.func @chlo_acosh_bounded(%arg0: tensor<?x8x?xf32, #stablehlo.bounds<5, ?, 4>>) {
  %0 = "chlo.acosh"(%arg0) : (tensor<?x8x?xf32, #stablehlo.bounds<5, ?, 4>>) -> tensor<?x8x?xf32, #stablehlo.bounds<5, ?, 4>>
  return
}

func.func @chlo_asin_bounded(%arg0: tensor<?xf8E5M2, #stablehlo.bounds<5>>) {
  %0 = "chlo.asin"(%arg0) : (tensor<?xf8E5M2, #stablehlo.bounds<5>>) -> tensor<?xf8E5M2, #stablehlo.bounds<5>>
  return
}

func.func @chlo_asinh_bounded(%arg0: tensor<?x?x1xf32, #stablehlo.bounds<4, 6, ?>>) {
  %0 = "chlo.asinh"(%arg0) : (tensor<?x?x1xf32, #stablehlo.bounds<4, 6, ?>>) -> tensor<?x?x1xf32, #stablehlo.bounds<4, 6, ?>>
  return
}

func.func @chlo_atan_bounded(%arg0: tensor<?xcomplex<f64>, #stablehlo.bounds<5>>) {
  %0 = "chlo.atan"(%arg0) : (tensor<?xcomplex<f64>, #stablehlo.bounds<5>>) -> tensor<?xcomplex<f64>, #stablehlo.bounds<5>>
  return
}

func.func @chlo_atanh_bounded(%arg0: tensor<?x?x?xf32, #stablehlo.bounds<6, 4, 4>>) {
  %0 = "chlo.atanh"(%arg0) : (tensor<?x?x?xf32, #stablehlo.bounds<6, 4, 4>>) -> tensor<?x?x?xf32, #stablehlo.bounds<6, 4, 4>>
  return
}

func.func @chlo_conj_bounded(%arg0: tensor<?x?xcomplex<f64>, #stablehlo.bounds<5, 4>>) {
  %0 = "chlo.conj"(%arg0) : (tensor<?x?xcomplex<f64>, #stablehlo.bounds<5, 4>>) -> tensor<?x?xcomplex<f64>, #stablehlo.bounds<5, 4>>
  return
}

func.func @chlo_cosh_bounded(%arg0: tensor<?x1x?xf32, #stablehlo.bounds<3, ?, 3>>) {
  %0 = "chlo.cosh"(%arg0) : (tensor<?x1x?xf32, #stablehlo.bounds<3, ?, 3>>) -> tensor<?x1x?xf32, #stablehlo.bounds<3, ?, 3>>
  return
}

func.func @chlo_sinh_bounded(%arg0: tensor<?x4xcomplex<f64>, #stablehlo.bounds<6, ?>>) {
  %0 = "chlo.sinh"(%arg0) : (tensor<?x4xcomplex<f64>, #stablehlo.bounds<6, ?>>) -> tensor<?x4xcomplex<f64>, #stablehlo.bounds<6, ?>>
  return
}

func.func @chlo_square_bounded(%arg0: tensor<?x2xcomplex<f32>, #stablehlo.bounds<10, ?>>) {
  %0 = "chlo.square"(%arg0) : (tensor<?x2xcomplex<f32>, #stablehlo.bounds<10, ?>>) -> tensor<?x2xcomplex<f32>, #stablehlo.bounds<10, ?>>
  return
}

func.func @chlo_tan_bounded(%arg0: tensor<?xcomplex<f64>, #stablehlo.bounds<8>>) {
  %0 = "chlo.tan"(%arg0) : (tensor<?xcomplex<f64>, #stablehlo.bounds<8>>) -> tensor<?xcomplex<f64>, #stablehlo.bounds<8>>
  return
}

func.func @chlo__asin_acos_kernel_bounded(%arg0: tensor<?xcomplex<f64>, #stablehlo.bounds<10>>) {
  %0 = "chlo._asin_acos_kernel"(%arg0) : (tensor<?xcomplex<f64>, #stablehlo.bounds<10>>) -> tensor<?xcomplex<f64>, #stablehlo.bounds<10>>
  return
}

func.func @chlo_bessel_i1e_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "chlo.bessel_i1e"(%arg0) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

func.func @chlo_digamma_bounded(%arg0: tensor<?x?xf16, #stablehlo.bounds<4, 6>>) {
  %0 = "chlo.digamma"(%arg0) : (tensor<?x?xf16, #stablehlo.bounds<4, 6>>) -> tensor<?x?xf16, #stablehlo.bounds<4, 6>>
  return
}

func.func @chlo_erf_bounded(%arg0: tensor<?xf16, #stablehlo.bounds<10>>) {
  %0 = "chlo.erf"(%arg0) : (tensor<?xf16, #stablehlo.bounds<10>>) -> tensor<?xf16, #stablehlo.bounds<10>>
  return
}

func.func @chlo_erf_inv_bounded(%arg0: tensor<?x?x3xf4E2M1FN, #stablehlo.bounds<4, 5, ?>>) {
  %0 = "chlo.erf_inv"(%arg0) : (tensor<?x?x3xf4E2M1FN, #stablehlo.bounds<4, 5, ?>>) -> tensor<?x?x3xf4E2M1FN, #stablehlo.bounds<4, 5, ?>>
  return
}

func.func @chlo_erfc_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<8>>) {
  %0 = "chlo.erfc"(%arg0) : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32, #stablehlo.bounds<8>>
  return
}

func.func @chlo_lgamma_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<9, 5>>) {
  %0 = "chlo.lgamma"(%arg0) : (tensor<?x?xf32, #stablehlo.bounds<9, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<9, 5>>
  return
}

func.func @chlo_is_inf_bounded(%arg0: tensor<1x?xf32, #stablehlo.bounds<?, 10>>) {
  %0 = "chlo.is_inf"(%arg0) : (tensor<1x?xf32, #stablehlo.bounds<?, 10>>) -> tensor<1x?xi1, #stablehlo.bounds<?, 10>>
  return
}

func.func @chlo_is_neg_inf_bounded(%arg0: tensor<8x?x2xf8E5M2, #stablehlo.bounds<?, 3, ?>>) {
  %0 = "chlo.is_neg_inf"(%arg0) : (tensor<8x?x2xf8E5M2, #stablehlo.bounds<?, 3, ?>>) -> tensor<8x?x2xi1, #stablehlo.bounds<?, 3, ?>>
  return
}

func.func @chlo_is_pos_inf_bounded(%arg0: tensor<?x?xbf16, #stablehlo.bounds<4, 4>>) {
  %0 = "chlo.is_pos_inf"(%arg0) : (tensor<?x?xbf16, #stablehlo.bounds<4, 4>>) -> tensor<?x?xi1, #stablehlo.bounds<4, 4>>
  return
}

func.func @chlo_next_after_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<6>>, %arg1: tensor<4xf32>) {
  %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<4xf32>) -> tensor<4xf32>
  return
}

func.func @chlo_polygamma_bounded(%arg0: tensor<?x?xf4E2M1FN>, %arg1: tensor<?x?xf4E2M1FN, #stablehlo.bounds<10, 6>>) {
  %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN, #stablehlo.bounds<10, 6>>) -> tensor<?x?xf4E2M1FN>
  return
}

func.func @chlo_zeta_bounded(%arg0: tensor<?xf8E8M0FNU, #stablehlo.bounds<10>>, %arg1: tensor<?xf8E8M0FNU, #stablehlo.bounds<10>>) {
  %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<?xf8E8M0FNU, #stablehlo.bounds<10>>, tensor<?xf8E8M0FNU, #stablehlo.bounds<10>>) -> tensor<?xf8E8M0FNU, #stablehlo.bounds<10>>
  return
}

func.func @chlo_mulhi_bounded(%arg0: tensor<?xi4, #stablehlo.bounds<5>>, %arg1: tensor<?xi4, #stablehlo.bounds<5>>) {
  %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<?xi4, #stablehlo.bounds<5>>, tensor<?xi4, #stablehlo.bounds<5>>) -> tensor<?xi4, #stablehlo.bounds<5>>
  return
}

func.func @chlo_broadcast_add_bounded(%arg0: tensor<!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<?x?x1x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<6, 8, ?>>) {
  %0 = "chlo.broadcast_add"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i16:f64, 0.5>>, tensor<?x?x1x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<6, 8, ?>>) -> tensor<?x?x1x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<6, 8, ?>>
  return
}

func.func @chlo_broadcast_atan2_bounded(%arg0: tensor<8x?xf32, #stablehlo.bounds<?, 8>>, %arg1: tensor<1x6xf32>) {
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<8x?xf32, #stablehlo.bounds<?, 8>>, tensor<1x6xf32>) -> tensor<8x6xf32>
  return
}

func.func @chlo_broadcast_divide_bounded(%arg0: tensor<3x6xf32>, %arg1: tensor<?xf32, #stablehlo.bounds<3>>) {
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x6xf32>, tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<3x6xf32>
  return
}

func.func @chlo_broadcast_maximum_bounded(%arg0: tensor<?x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<4, 3>>, %arg1: tensor<2x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<?x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<4, 3>>, tensor<2x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<2x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @chlo_broadcast_minimum_bounded(%arg0: tensor<?x?x?xf32, #stablehlo.bounds<4, 10, 5>>, %arg1: tensor<f32>) {
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<?x?x?xf32, #stablehlo.bounds<4, 10, 5>>, tensor<f32>) -> tensor<?x?x?xf32, #stablehlo.bounds<4, 10, 5>>
  return
}

func.func @chlo_broadcast_multiply_bounded(%arg0: tensor<?x?x6xf32, #stablehlo.bounds<5, 3, ?>>, %arg1: tensor<1x6xf32>) {
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<?x?x6xf32, #stablehlo.bounds<5, 3, ?>>, tensor<1x6xf32>) -> tensor<?x?x6xf32, #stablehlo.bounds<5, 3, ?>>
  return
}

func.func @chlo_broadcast_next_after_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<3>>, %arg1: tensor<4xf32>) {
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<4xf32>) -> tensor<4xf32>
  return
}

func.func @chlo_broadcast_polygamma_bounded(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5:1>>, %arg1: tensor<?x!quant.uniform<i8:f32, 0.5:1>, #stablehlo.bounds<5>>) {
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<?x!quant.uniform<i8:f32, 0.5:1>, #stablehlo.bounds<5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @chlo_broadcast_power_bounded(%arg0: tensor<2xf32>, %arg1: tensor<1x?x?xf32, #stablehlo.bounds<?, 5, 4>>) {
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<2xf32>, tensor<1x?x?xf32, #stablehlo.bounds<?, 5, 4>>) -> tensor<1x?x2xf32, #stablehlo.bounds<?, 5, ?>>
  return
}

func.func @chlo_broadcast_remainder_bounded(%arg0: tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 3>>, %arg1: tensor<f32>) {
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 3>>, tensor<f32>) -> tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 3>>
  return
}

func.func @chlo_broadcast_shift_left_bounded(%arg0: tensor<6x6xf32>, %arg1: tensor<?x?xf32, #stablehlo.bounds<8, 8>>) {
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<6x6xf32>, tensor<?x?xf32, #stablehlo.bounds<8, 8>>) -> tensor<6x6xf32>
  return
}

func.func @chlo_broadcast_shift_right_arithmetic_bounded(%arg0: tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 4>>, %arg1: tensor<1xf32>) {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2>} : (tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 4>>, tensor<1xf32>) -> tensor<2x3x?xf32, #stablehlo.bounds<?, ?, 4>>
  return
}

func.func @chlo_broadcast_shift_right_logical_bounded(%arg0: tensor<4x2xf8E4M3FN>, %arg1: tensor<4x?xf8E4M3FN, #stablehlo.bounds<?, 3>>) {
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<4x2xf8E4M3FN>, tensor<4x?xf8E4M3FN, #stablehlo.bounds<?, 3>>) -> tensor<4x2xf8E4M3FN>
  return
}

func.func @chlo_broadcast_subtract_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<4>>, %arg1: tensor<f32>) {
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

func.func @chlo_broadcast_and_bounded(%arg0: tensor<?xi1, #stablehlo.bounds<4>>, %arg1: tensor<2xi1>) {
  %0 = "chlo.broadcast_and"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<?xi1, #stablehlo.bounds<4>>, tensor<2xi1>) -> tensor<2xi1>
  return
}

func.func @chlo_broadcast_or_bounded(%arg0: tensor<?xi1, #stablehlo.bounds<8>>, %arg1: tensor<1xi1>) {
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<?xi1, #stablehlo.bounds<8>>, tensor<1xi1>) -> tensor<?xi1, #stablehlo.bounds<8>>
  return
}

func.func @chlo_broadcast_xor_bounded(%arg0: tensor<4x?x?xi1, #stablehlo.bounds<?, 10, 3>>, %arg1: tensor<8x?xi1, #stablehlo.bounds<?, 3>>) {
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<4x?x?xi1, #stablehlo.bounds<?, 10, 3>>, tensor<8x?xi1, #stablehlo.bounds<?, 3>>) -> tensor<4x8x?xi1, #stablehlo.bounds<?, ?, 3>>
  return
}

func.func @chlo_broadcast_zeta_bounded(%arg0: tensor<3x?x3xf8E5M2, #stablehlo.bounds<?, 5, ?>>, %arg1: tensor<1xf8E5M2>) {
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<3x?x3xf8E5M2, #stablehlo.bounds<?, 5, ?>>, tensor<1xf8E5M2>) -> tensor<3x?x3xf8E5M2, #stablehlo.bounds<?, 5, ?>>
  return
}

func.func @chlo_broadcast_complex_bounded(%arg0: tensor<?xf64, #stablehlo.bounds<8>>, %arg1: tensor<?x3x?xf64, #stablehlo.bounds<3, ?, 8>>) {
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2>} : (tensor<?xf64, #stablehlo.bounds<8>>, tensor<?x3x?xf64, #stablehlo.bounds<3, ?, 8>>) -> tensor<?x3x?xcomplex<f64>, #stablehlo.bounds<3, ?, 8>>
  return
}

func.func @chlo_broadcast_compare_bounded(%arg0: tensor<?x1xi4, #stablehlo.bounds<3, ?>>, %arg1: tensor<?x4x1xi4, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction EQ>, broadcast_dimensions = array<i64: 1, 2>} : (tensor<?x1xi4, #stablehlo.bounds<3, ?>>, tensor<?x4x1xi4, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x4x1xi1, #stablehlo.bounds<4, ?, ?>>
  return
}

func.func @chlo_broadcast_select_bounded(%arg0: tensor<i1>, %arg1: tensor<f8E5M2>, %arg2: tensor<?xf8E5M2, #stablehlo.bounds<3>>) {
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<f8E5M2>, tensor<?xf8E5M2, #stablehlo.bounds<3>>) -> tensor<?xf8E5M2, #stablehlo.bounds<3>>
  return
}

func.func @chlo_top_k_bounded(%arg0: tensor<?x6xf64, #stablehlo.bounds<10, ?>>) {
  %0:2 = "chlo.top_k"(%arg0) {k = 4 : i64} : (tensor<?x6xf64, #stablehlo.bounds<10, ?>>) -> (tensor<?x4xf64, #stablehlo.bounds<10, ?>>, tensor<?x4xi32, #stablehlo.bounds<10, ?>>)
  return
}

func.func @chlo_constant_like_bounded(%arg0: tensor<?x3x3x!quant.uniform<i8<-4:4>:f32, 2.0:-1>, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "chlo.constant_like"(%arg0) {value = 1 : i32} : (tensor<?x3x3x!quant.uniform<i8<-4:4>:f32, 2.0:-1>, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x3x3xi32, #stablehlo.bounds<4, ?, ?>>
  return
}

func.func @all_gather_bounded(%arg0: tensor<6x6xbf16>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<6x6xbf16>) -> tensor<6x?xbf16, #stablehlo.bounds<?, 8>>
  return
}

func.func @all_to_all_bounded(%arg0: tensor<?xui32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?xui32, #stablehlo.bounds<4>>) -> tensor<?xui32, #stablehlo.bounds<4>>
  return
}

func.func @collective_broadcast_bounded(%arg0: tensor<?xi8, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[2, 3], [0, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?xi8, #stablehlo.bounds<4>>) -> tensor<?xi8, #stablehlo.bounds<4>>
  return
}

func.func @collective_permute_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return
}

func.func @if_bounded(%arg0: tensor<i1>) {
  %0 = "stablehlo.if"(%arg0) ({
    ^bb0:
      %r = "test.body"() : () -> tensor<?x?xf32, #stablehlo.bounds<3, 4>>
      stablehlo.return %r : tensor<?x?xf32, #stablehlo.bounds<3, 4>>
  }, {
    ^bb0:
      %r = "test.body"() : () -> tensor<?x?xf32, #stablehlo.bounds<3, 4>>
      stablehlo.return %r : tensor<?x?xf32, #stablehlo.bounds<3, 4>>
  }) : (tensor<i1>) -> tensor<?x?xf32, #stablehlo.bounds<3, 4>>
  return
}

func.func @case_bounded(%arg0: tensor<i32>) {
  %0:2 = "stablehlo.case"(%arg0) ({
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<1xf32>, tensor<?xui32, #stablehlo.bounds<5>>)
      stablehlo.return %r#0, %r#1 : tensor<1xf32>, tensor<?xui32, #stablehlo.bounds<5>>
  }, {
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<1xf32>, tensor<3xui32>)
      stablehlo.return %r#0, %r#1 : tensor<1xf32>, tensor<3xui32>
  }, {
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<1xf32>, tensor<3xui32>)
      stablehlo.return %r#0, %r#1 : tensor<1xf32>, tensor<3xui32>
  }) : (tensor<i32>) -> (tensor<1xf32>, tensor<?xui32, #stablehlo.bounds<5>>)
  return
}

func.func @while_bounded(%arg0: tensor<1x1xi16>, %arg1: tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>) {
  %0:2 = "stablehlo.while"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<1x1xi16>, %a1: tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>):
      %r = "test.body"(%a0, %a1) : (tensor<1x1xi16>, tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a0: tensor<1x1xi16>, %a1: tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>):
      %r:2 = "test.body"(%a0, %a1) : (tensor<1x1xi16>, tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>) -> (tensor<1x1xi16>, tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>)
      stablehlo.return %r#0, %r#1 : tensor<1x1xi16>, tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>
  }) : (tensor<1x1xi16>, tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>) -> (tensor<1x1xi16>, tensor<?x?x4xf32, #stablehlo.bounds<?, 3, ?>>)
  return
}

func.func @optimization_barrier_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<5, 4>>, %arg1: tensor<?x6xi16>) {
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<?x?xf32, #stablehlo.bounds<5, 4>>, tensor<?x6xi16>) -> (tensor<?x?xf32, #stablehlo.bounds<5, 4>>, tensor<?x6xi16>)
  return
}

func.func @bitcast_convert_bounded(%arg0: tensor<?x4xi8, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<?x4xi8, #stablehlo.bounds<4, ?>>) -> tensor<2xf32>
  return
}

func.func @dot_general_bounded(%arg0: tensor<?x?x3x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<4, 4, ?>>, %arg1: tensor<2x3x?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, ?, 6>>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<?x?x3x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<4, 4, ?>>, tensor<2x3x?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, ?, 6>>) -> tensor<2x4x!quant.uniform<i32:f32, 0.25>>
  return
}

func.func @dot_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<5>>, %arg1: tensor<3xf32>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<3xf32>) -> tensor<f32>
  return
}

func.func @convolution_bounded(%arg0: tensor<4x2xf32>, %arg1: tensor<2x4xf32>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64, window_strides = array<i64>, padding = dense<> : tensor<0x2xi64>} : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<?x4xf32, #stablehlo.bounds<4, ?>>
  return
}

func.func @dynamic_conv_bounded(%arg0: tensor<2x8x2xf32>, %arg1: tensor<1x?x?xf32, #stablehlo.bounds<?, 4, 6>>, %arg2: tensor<1x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<2x8x2xf32>, tensor<1x?x?xf32, #stablehlo.bounds<?, 4, 6>>, tensor<1x2xi64>) -> tensor<2x8x4xf32>
  return
}

func.func @slice_bounded(%arg0: tensor<3x?xf32, #stablehlo.bounds<?, 8>>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 6>, limit_indices = array<i64: 1, 6>, strides = array<i64: 3, 1>} : (tensor<3x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<0x0xf32>
  return
}

func.func @dynamic_slice_bounded(%arg0: tensor<?x?x3xi32, #stablehlo.bounds<4, 6, ?>>, %arg1: tensor<ui64>, %arg2: tensor<ui64>, %arg3: tensor<ui64>) {
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2, %arg3) {slice_sizes = array<i64: 0, 0, 0>} : (tensor<?x?x3xi32, #stablehlo.bounds<4, 6, ?>>, tensor<ui64>, tensor<ui64>, tensor<ui64>) -> tensor<0x0x0xi32>
  return
}

func.func @dynamic_update_slice_bounded(%arg0: tensor<1x3x?xf64, #stablehlo.bounds<?, ?, 6>>, %arg1: tensor<1x1x0xf64>, %arg2: tensor<i64>, %arg3: tensor<i64>, %arg4: tensor<i64>) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<1x3x?xf64, #stablehlo.bounds<?, ?, 6>>, tensor<1x1x0xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x3x?xf64, #stablehlo.bounds<?, ?, 6>>
  return
}

func.func @real_dynamic_slice_bounded(%arg0: tensor<?x?x1xi8, #stablehlo.bounds<5, 10, ?>>, %arg1: tensor<3xi64>, %arg2: tensor<3xi64>, %arg3: tensor<3xi64>) {
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?x?x1xi8, #stablehlo.bounds<5, 10, ?>>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xi8>
  return
}

func.func @pad_bounded(%arg0: tensor<?x?xi32, #stablehlo.bounds<5, 6>>, %arg1: tensor<i32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 2, -1>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<?x?xi32, #stablehlo.bounds<5, 6>>, tensor<i32>) -> tensor<?x?xi32, #stablehlo.bounds<7, 6>>
  return
}

func.func @dynamic_pad_bounded(%arg0: tensor<6x2xi1>, %arg1: tensor<i1>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<6x2xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<6x?xi1, #stablehlo.bounds<?, 7>>
  return
}

func.func @concatenate_bounded(%arg0: tensor<2x3x!quant.uniform<u8:f32, 0.5:3>>, %arg1: tensor<?x?x!quant.uniform<u8:f32, 0.5:3>, #stablehlo.bounds<3, 5>>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3x!quant.uniform<u8:f32, 0.5:3>>, tensor<?x?x!quant.uniform<u8:f32, 0.5:3>, #stablehlo.bounds<3, 5>>) -> tensor<?x3x!quant.uniform<u8:f32, 0.5:3>, #stablehlo.bounds<5, ?>>
  return
}

func.func @dynamic_broadcast_in_dim_bounded(%arg0: tensor<f32>, %arg1: tensor<3xindex>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<f32>, tensor<3xindex>) -> tensor<4x8x?xf32, #stablehlo.bounds<?, ?, 5>>
  return
}

func.func @dynamic_iota_bounded(%arg0: tensor<1xindex>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 0 : i64} : (tensor<1xindex>) -> tensor<?xcomplex<f64>, #stablehlo.bounds<4>>
  return
}

func.func @dynamic_reshape_bounded(%arg0: tensor<?x?xi8, #stablehlo.bounds<10, 6>>, %arg1: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<?x?xi8, #stablehlo.bounds<10, 6>>, tensor<1xi32>) -> tensor<32xi8>
  return
}

func.func @get_dimension_size_bounded(%arg0: tensor<3x?xi16, #stablehlo.bounds<?, 8>>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 1 : i64} : (tensor<3x?xi16, #stablehlo.bounds<?, 8>>) -> tensor<i32>
  return
}

func.func @set_dimension_size_bounded(%arg0: tensor<3x2xf32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<3, ?>>
  return
}

func.func @cbrt_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<10>>) {
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<?xf32, #stablehlo.bounds<10>>) -> tensor<?xf32, #stablehlo.bounds<10>>
  return
}

func.func @cosine_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<4, 3>>) {
  %0 = "stablehlo.cosine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<?x?xf32, #stablehlo.bounds<4, 3>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 3>>
  return
}

func.func @exponential_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<2, ?>>) {
  %0 = "stablehlo.exponential"(%arg0) : (tensor<?x?xf32, #stablehlo.bounds<2, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<2, ?>>
  return
}

func.func @exponential_minus_one_bounded(%arg0: tensor<?x?x8xcomplex<f32>, #stablehlo.bounds<3, 3, ?>>) {
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<?x?x8xcomplex<f32>, #stablehlo.bounds<3, 3, ?>>) -> tensor<?x?x8xcomplex<f32>, #stablehlo.bounds<3, 3, ?>>
  return
}

func.func @log_bounded(%arg0: tensor<?x?x?xcomplex<f32>, #stablehlo.bounds<4, 4, 3>>) {
  %0 = "stablehlo.log"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<?x?x?xcomplex<f32>, #stablehlo.bounds<4, 4, 3>>) -> tensor<?x?x?xcomplex<f32>, #stablehlo.bounds<4, 4, 3>>
  return
}

func.func @log_plus_one_bounded(%arg0: tensor<?x1x4xf32, #stablehlo.bounds<8, ?, ?>>) {
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<?x1x4xf32, #stablehlo.bounds<8, ?, ?>>) -> tensor<?x1x4xf32, #stablehlo.bounds<8, ?, ?>>
  return
}

func.func @logistic_bounded(%arg0: tensor<1x?xf32, #stablehlo.bounds<?, 4>>) {
  %0 = "stablehlo.logistic"(%arg0) : (tensor<1x?xf32, #stablehlo.bounds<?, 4>>) -> tensor<1x?xf32, #stablehlo.bounds<?, 4>>
  return
}

func.func @rsqrt_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<4, 4>>) {
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<?x?xf32, #stablehlo.bounds<4, 4>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>>
  return
}

func.func @sine_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.sine"(%arg0) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

func.func @sqrt_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = "stablehlo.sqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32, #stablehlo.bounds<5>>
  return
}

func.func @tan_bounded(%arg0: tensor<3x?x?xf32, #stablehlo.bounds<?, 3, 4>>) {
  %0 = "stablehlo.tan"(%arg0) : (tensor<3x?x?xf32, #stablehlo.bounds<?, 3, 4>>) -> tensor<3x?x?xf32, #stablehlo.bounds<?, 3, 4>>
  return
}

func.func @tanh_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return
}

func.func @ceil_bounded(%arg0: tensor<?x6x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.ceil"(%arg0) : (tensor<?x6x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<4, ?>>) -> tensor<?x6x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<4, ?>>
  return
}

func.func @floor_bounded(%arg0: tensor<3x6x?x!quant.uniform<i8:f32, 0.25>, #stablehlo.bounds<?, ?, 6>>) {
  %0 = "stablehlo.floor"(%arg0) : (tensor<3x6x?x!quant.uniform<i8:f32, 0.25>, #stablehlo.bounds<?, ?, 6>>) -> tensor<3x6x?x!quant.uniform<i8:f32, 0.25>, #stablehlo.bounds<?, ?, 6>>
  return
}

func.func @round_nearest_afz_bounded(%arg0: tensor<?x2xf32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<?x2xf32, #stablehlo.bounds<6, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<6, ?>>
  return
}

func.func @round_nearest_even_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

func.func @sign_bounded(%arg0: tensor<1x?xf32, #stablehlo.bounds<?, 6>>) {
  %0 = "stablehlo.sign"(%arg0) : (tensor<1x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<1x?xf32, #stablehlo.bounds<?, 6>>
  return
}

func.func @negate_bounded(%arg0: tensor<6x?x2xf32, #stablehlo.bounds<?, 8, ?>>) {
  %0 = "stablehlo.negate"(%arg0) : (tensor<6x?x2xf32, #stablehlo.bounds<?, 8, ?>>) -> tensor<6x?x2xf32, #stablehlo.bounds<?, 8, ?>>
  return
}

func.func @not_bounded(%arg0: tensor<?x?xi64, #stablehlo.bounds<2, 4>>) {
  %0 = "stablehlo.not"(%arg0) : (tensor<?x?xi64, #stablehlo.bounds<2, 4>>) -> tensor<?x?xi64, #stablehlo.bounds<2, 4>>
  return
}

func.func @count_leading_zeros_bounded(%arg0: tensor<?x?xi2, #stablehlo.bounds<5, 5>>) {
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<?x?xi2, #stablehlo.bounds<5, 5>>) -> tensor<?x?xi2, #stablehlo.bounds<5, 5>>
  return
}

func.func @popcnt_bounded(%arg0: tensor<?xi4, #stablehlo.bounds<3>>) {
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<?xi4, #stablehlo.bounds<3>>) -> tensor<?xi4, #stablehlo.bounds<3>>
  return
}

func.func @reduce_precision_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 5 : i32, mantissa_bits = 2 : i32} : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return
}

func.func @cross_replica_sum_bounded(%arg0: tensor<3x?x?xf32, #stablehlo.bounds<?, 10, 4>>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[3, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<3x?x?xf32, #stablehlo.bounds<?, 10, 4>>) -> tensor<3x?x?xf32, #stablehlo.bounds<?, 10, 4>>
  return
}

func.func @add_bounded(%arg0: tensor<3x3x2xf32>, %arg1: tensor<?x?x?xf32, #stablehlo.bounds<5, 5, 4>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<3x3x2xf32>, tensor<?x?x?xf32, #stablehlo.bounds<5, 5, 4>>) -> tensor<3x3x2xf32>
  return
}

func.func @and_bounded(%arg0: tensor<3x3xi1>, %arg1: tensor<3x?xi1, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<3x3xi1>, tensor<3x?xi1, #stablehlo.bounds<?, 5>>) -> tensor<3x3xi1>
  return
}

func.func @or_bounded(%arg0: tensor<?xui64, #stablehlo.bounds<5>>, %arg1: tensor<3xui64>) {
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<?xui64, #stablehlo.bounds<5>>, tensor<3xui64>) -> tensor<3xui64>
  return
}

func.func @xor_bounded(%arg0: tensor<?xi2, #stablehlo.bounds<6>>, %arg1: tensor<?xi2, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<?xi2, #stablehlo.bounds<6>>, tensor<?xi2, #stablehlo.bounds<6>>) -> tensor<?xi2, #stablehlo.bounds<6>>
  return
}

func.func @atan2_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<3, 5>>, %arg1: tensor<?x?xf32, #stablehlo.bounds<3, 5>>) {
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<?x?xf32, #stablehlo.bounds<3, 5>>, tensor<?x?xf32, #stablehlo.bounds<3, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<3, 5>>
  return
}

func.func @divide_bounded(%arg0: tensor<?x?x3xf8E5M2, #stablehlo.bounds<4, 3, ?>>, %arg1: tensor<2x1x?xf8E5M2>) {
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<?x?x3xf8E5M2, #stablehlo.bounds<4, 3, ?>>, tensor<2x1x?xf8E5M2>) -> tensor<2x1x3xf8E5M2>
  return
}

func.func @power_bounded(%arg0: tensor<?x?xcomplex<f64>, #stablehlo.bounds<5, 3>>, %arg1: tensor<3x?xcomplex<f64>, #stablehlo.bounds<?, 3>>) {
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<?x?xcomplex<f64>, #stablehlo.bounds<5, 3>>, tensor<3x?xcomplex<f64>, #stablehlo.bounds<?, 3>>) -> tensor<3x?xcomplex<f64>, #stablehlo.bounds<?, 3>>
  return
}

func.func @remainder_bounded(%arg0: tensor<?x2x?xi32, #stablehlo.bounds<6, ?, 5>>, %arg1: tensor<4x2x3xi32>) {
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<?x2x?xi32, #stablehlo.bounds<6, ?, 5>>, tensor<4x2x3xi32>) -> tensor<4x2x3xi32>
  return
}

func.func @subtract_bounded(%arg0: tensor<?x?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>, #stablehlo.bounds<2, ?, ?>>, %arg1: tensor<1x8x2x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) {
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<?x?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>, #stablehlo.bounds<2, ?, ?>>, tensor<1x8x2x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) -> tensor<1x8x2x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>
  return
}

func.func @maximum_bounded(%arg0: tensor<2x2xf32>, %arg1: tensor<?x?xf32, #stablehlo.bounds<4, 4>>) {
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x2xf32>, tensor<?x?xf32, #stablehlo.bounds<4, 4>>) -> tensor<2x2xf32>
  return
}

func.func @minimum_bounded(%arg0: tensor<3x2x4xf32>, %arg1: tensor<?x2x?xf32, #stablehlo.bounds<5, ?, 6>>) {
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<3x2x4xf32>, tensor<?x2x?xf32, #stablehlo.bounds<5, ?, 6>>) -> tensor<3x2x4xf32>
  return
}

func.func @multiply_bounded(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?x2x?xf32, #stablehlo.bounds<4, ?, 6>>) {
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<?x?x?xf32>, tensor<?x2x?xf32, #stablehlo.bounds<4, ?, 6>>) -> tensor<?x2x?xf32>
  return
}

func.func @shift_left_bounded(%arg0: tensor<8x3x2xi16>, %arg1: tensor<8x3x?xi16, #stablehlo.bounds<?, ?, 4>>) {
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<8x3x2xi16>, tensor<8x3x?xi16, #stablehlo.bounds<?, ?, 4>>) -> tensor<8x3x2xi16>
  return
}

func.func @shift_right_arithmetic_bounded(%arg0: tensor<4xi4>, %arg1: tensor<?xi4, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<4xi4>, tensor<?xi4, #stablehlo.bounds<6>>) -> tensor<4xi4>
  return
}

func.func @shift_right_logical_bounded(%arg0: tensor<?x?xi4, #stablehlo.bounds<4, 5>>, %arg1: tensor<?x?xi4, #stablehlo.bounds<4, 5>>) {
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<?x?xi4, #stablehlo.bounds<4, 5>>, tensor<?x?xi4, #stablehlo.bounds<4, 5>>) -> tensor<?x?xi4, #stablehlo.bounds<4, 5>>
  return
}

func.func @abs_bounded(%arg0: tensor<?x1x?xcomplex<f32>, #stablehlo.bounds<5, ?, 5>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<?x1x?xcomplex<f32>, #stablehlo.bounds<5, ?, 5>>) -> tensor<?x1x?xf32, #stablehlo.bounds<5, ?, 5>>
  return
}

func.func @real_bounded(%arg0: tensor<?x?xf8E8M0FNU, #stablehlo.bounds<?, 4>>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<?x?xf8E8M0FNU, #stablehlo.bounds<?, 4>>) -> tensor<?x?xf8E8M0FNU, #stablehlo.bounds<?, 4>>
  return
}

func.func @imag_bounded(%arg0: tensor<?x2x2xf32, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "stablehlo.imag"(%arg0) : (tensor<?x2x2xf32, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x2x2xf32, #stablehlo.bounds<4, ?, ?>>
  return
}

func.func @is_finite_bounded(%arg0: tensor<?x?x!quant.uniform<u8:f32, 0.5:3>, #stablehlo.bounds<4, 3>>) {
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<?x?x!quant.uniform<u8:f32, 0.5:3>, #stablehlo.bounds<4, 3>>) -> tensor<?x?xi1, #stablehlo.bounds<4, 3>>
  return
}

func.func @complex_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<6>>, %arg1: tensor<?xf32, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<?xcomplex<f32>, #stablehlo.bounds<6>>
  return
}

func.func @compare_bounded(%arg0: tensor<3x1x3xi1>, %arg1: tensor<3x1x?xi1, #stablehlo.bounds<?, ?, 4>>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<3x1x3xi1>, tensor<3x1x?xi1, #stablehlo.bounds<?, ?, 4>>) -> tensor<3x1x3xi1>
  return
}

func.func @select_bounded(%arg0: tensor<3x2x?xi1>, %arg1: tensor<3x?x?xf32>, %arg2: tensor<3x?x?xf32, #stablehlo.bounds<?, 4, ?>>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<3x2x?xi1>, tensor<3x?x?xf32>, tensor<3x?x?xf32, #stablehlo.bounds<?, 4, ?>>) -> tensor<3x?x?xf32>
  return
}

func.func @clamp_bounded(%arg0: tensor<?x3x?xui4, #stablehlo.bounds<8, ?, 10>>, %arg1: tensor<?x3x?xui4>, %arg2: tensor<ui4>) {
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<?x3x?xui4, #stablehlo.bounds<8, ?, 10>>, tensor<?x3x?xui4>, tensor<ui4>) -> tensor<?x3x?xui4>
  return
}

func.func @convert_bounded(%arg0: tensor<4x8xbf16>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<4x8xbf16>) -> tensor<?x8xf32, #stablehlo.bounds<6, ?>>
  return
}

func.func @uniform_quantize_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<8>>) {
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @uniform_dequantize_bounded(%arg0: tensor<8x?x1x!quant.uniform<i8:f32:0, {2.0:-2, 2.0:-2, 2.0:-2, 0.5, 0.5, 0.25:1, 0.25:1, 0.25:1}>, #stablehlo.bounds<?, 4, ?>>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<8x?x1x!quant.uniform<i8:f32:0, {2.0:-2, 2.0:-2, 2.0:-2, 0.5, 0.5, 0.25:1, 0.25:1, 0.25:1}>, #stablehlo.bounds<?, 4, ?>>) -> tensor<8x?x1xf32>
  return
}

func.func @gather_bounded(%arg0: tensor<4x3xf32>, %arg1: tensor<2x?xi32, #stablehlo.bounds<?, 3>>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>} : (tensor<4x3xf32>, tensor<2x?xi32, #stablehlo.bounds<?, 3>>) -> tensor<4x2xf32>
  return
}

func.func @dynamic_gather_bounded(%arg0: tensor<6xf32>, %arg1: tensor<?x?xi8, #stablehlo.bounds<2, ?>>, %arg2: tensor<1xi64>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 2>} : (tensor<6xf32>, tensor<?x?xi8, #stablehlo.bounds<2, ?>>, tensor<1xi64>) -> tensor<?x?x?xf32, #stablehlo.bounds<2, ?, ?>>
  return
}

func.func @cholesky_bounded(%arg0: tensor<3x4x?x?xf8E4M3FN, #stablehlo.bounds<?, ?, 5, 5>>) {
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x4x?x?xf8E4M3FN, #stablehlo.bounds<?, ?, 5, 5>>) -> tensor<3x4x?x?xf8E4M3FN, #stablehlo.bounds<?, ?, 5, 5>>
  return
}

func.func @triangular_solve_bounded(%arg0: tensor<2x2x2xf32>, %arg1: tensor<2x?x4xf32, #stablehlo.bounds<?, 4, ?>>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2x2xf32>, tensor<2x?x4xf32, #stablehlo.bounds<?, 4, ?>>) -> tensor<2x?x4xf32, #stablehlo.bounds<?, 4, ?>>
  return
}

func.func @fft_bounded(%arg0: tensor<?x8x3xcomplex<f64>, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 8, 3>} : (tensor<?x8x3xcomplex<f64>, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x8x3xcomplex<f64>, #stablehlo.bounds<4, ?, ?>>
  return
}

func.func @chlo_ragged_dot_bounded(%arg0: tensor<1x4x2xf32>, %arg1: tensor<1x2x?xf32, #stablehlo.bounds<?, ?, 4>>, %arg2: tensor<2xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<1x4x2xf32>, tensor<1x2x?xf32, #stablehlo.bounds<?, ?, 4>>, tensor<2xi64>) -> tensor<1x4x?xf32, #stablehlo.bounds<?, ?, 4>>
  return
}

func.func @all_reduce_bounded(%arg0: tensor<?xi2, #stablehlo.bounds<10>>) {
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<i2>, %a1: tensor<i2>):
      %r = "test.body"(%a0, %a1) : (tensor<i2>, tensor<i2>) -> tensor<i2>
      stablehlo.return %r : tensor<i2>
  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<?xi2, #stablehlo.bounds<10>>) -> tensor<?xi2>
  return
}

func.func @collective_reduce_bounded(%arg0: tensor<?x2xf32, #stablehlo.bounds<3, ?>>) {
  %0 = "stablehlo.collective_reduce"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r = "test.body"(%a0, %a1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %r : tensor<f32>
  }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<?x2xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x2xf32>
  return
}

func.func @reduce_scatter_bounded(%arg0: tensor<?x4x?xi4, #stablehlo.bounds<4, ?, 5>>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<i4>, %a1: tensor<i4>):
      %r = "test.body"(%a0, %a1) : (tensor<i4>, tensor<i4>) -> tensor<i4>
      stablehlo.return %r : tensor<i4>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?x4x?xi4, #stablehlo.bounds<4, ?, 5>>) -> tensor<?x2x3xi4, #stablehlo.bounds<4, ?, ?>>
  return
}

func.func @reduce_bounded(%arg0: tensor<?x3x6xi8, #stablehlo.bounds<5, ?, ?>>, %arg1: tensor<i8>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<i8>, %a1: tensor<i8>):
      %r = "test.body"(%a0, %a1) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      stablehlo.return %r : tensor<i8>
  }) {dimensions = array<i64: 0, 1>} : (tensor<?x3x6xi8, #stablehlo.bounds<5, ?, ?>>, tensor<i8>) -> tensor<6xi8>
  return
}

func.func @reduce_window_bounded(%arg0: tensor<?x3xui4, #stablehlo.bounds<5, ?>>, %arg1: tensor<3x3xui4>, %arg2: tensor<ui4>, %arg3: tensor<ui4>) {
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) ({
    ^bb0(%a0: tensor<ui4>, %a1: tensor<ui4>, %a2: tensor<ui4>, %a3: tensor<ui4>):
      %r:2 = "test.body"(%a0, %a1, %a2, %a3) : (tensor<ui4>, tensor<ui4>, tensor<ui4>, tensor<ui4>) -> (tensor<ui4>, tensor<ui4>)
      stablehlo.return %r#0, %r#1 : tensor<ui4>, tensor<ui4>
  }) {window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>} : (tensor<?x3xui4, #stablehlo.bounds<5, ?>>, tensor<3x3xui4>, tensor<ui4>, tensor<ui4>) -> (tensor<?x3xui4, #stablehlo.bounds<5, ?>>, tensor<3x3xui4>)
  return
}

func.func @map_bounded(%arg0: tensor<3x1x3xf32>, %arg1: tensor<3x?x?xf32, #stablehlo.bounds<?, 3, 5>>) {
  %0 = "stablehlo.map"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r = "test.body"(%a0, %a1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %r : tensor<f32>
  }) {dimensions = array<i64: 0, 1, 2>} : (tensor<3x1x3xf32>, tensor<3x?x?xf32, #stablehlo.bounds<?, 3, 5>>) -> tensor<3x?x?xf32>
  return
}

func.func @scatter_bounded(%arg0: tensor<?x4x4xf8E4M3FN, #stablehlo.bounds<5, ?, ?>>, %arg1: tensor<?x?xi32, #stablehlo.bounds<5, 2>>, %arg2: tensor<0x?x3xf8E4M3FN, #stablehlo.bounds<?, 5, ?>>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f8E4M3FN>, %a1: tensor<f8E4M3FN>):
      %r = "test.body"(%a0, %a1) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      stablehlo.return %r : tensor<f8E4M3FN>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [], index_vector_dim = 1>} : (tensor<?x4x4xf8E4M3FN, #stablehlo.bounds<5, ?, ?>>, tensor<?x?xi32, #stablehlo.bounds<5, 2>>, tensor<0x?x3xf8E4M3FN, #stablehlo.bounds<?, 5, ?>>) -> tensor<?x4x4xf8E4M3FN, #stablehlo.bounds<5, ?, ?>>
  return
}

func.func @select_and_scatter_bounded(%arg0: tensor<?x?x?xi2>, %arg1: tensor<3x2x?xi2, #stablehlo.bounds<?, ?, 4>>, %arg2: tensor<i2>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i2>, %a1: tensor<i2>):
      %r = "test.body"(%a0, %a1) : (tensor<i2>, tensor<i2>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a0: tensor<i2>, %a1: tensor<i2>):
      %r = "test.body"(%a0, %a1) : (tensor<i2>, tensor<i2>) -> tensor<i2>
      stablehlo.return %r : tensor<i2>
  }) {window_dimensions = array<i64: 2, 1, 1>, window_strides = array<i64: 2, 1, 1>} : (tensor<?x?x?xi2>, tensor<3x2x?xi2, #stablehlo.bounds<?, ?, 4>>, tensor<i2>) -> tensor<?x?x?xi2>
  return
}

func.func @sort_bounded(%arg0: tensor<?xui4, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.sort"(%arg0) ({
    ^bb0(%a0: tensor<ui4>, %a1: tensor<ui4>):
      %r = "test.body"(%a0, %a1) : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<?xui4, #stablehlo.bounds<4>>) -> tensor<?xui4, #stablehlo.bounds<4>>
  return
}

func.func @rng_bit_generator_bounded(%arg0: tensor<?xui64, #stablehlo.bounds<4>>) {
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<?xui64, #stablehlo.bounds<4>>) -> (tensor<2xui64>, tensor<2x8x6xui32>)
  return
}

func.func @tuple_bounded(%arg0: tensor<?x?x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<5, 10, 8>>, %arg1: tensor<6x?xui64, #stablehlo.bounds<?, 6>>) {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<?x?x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<5, 10, 8>>, tensor<6x?xui64, #stablehlo.bounds<?, 6>>) -> tuple<tensor<?x?x?x!quant.uniform<i16:f64, 0.5>, #stablehlo.bounds<5, 10, 8>>, tensor<6x?xui64, #stablehlo.bounds<?, 6>>>
  return
}

func.func @get_tuple_element_bounded(%arg0: tuple<tensor<8x3xf8E4M3FN>, tensor<?x?xf32, #stablehlo.bounds<4, 5>>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<8x3xf8E4M3FN>, tensor<?x?xf32, #stablehlo.bounds<4, 5>>>) -> tensor<8x3xf8E4M3FN>
  return
}

func.func @outfeed_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<5>>, %arg1: tensor<?x?xui4, #stablehlo.bounds<4, 5>>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1, %arg2) {outfeed_config = "a"} : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<?x?xui4, #stablehlo.bounds<4, 5>>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @send_bounded(%arg0: tensor<?x?xf32, #stablehlo.bounds<4, 4>>, %arg1: tensor<f8E4M3FN>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1, %arg2) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<?x?xf32, #stablehlo.bounds<4, 4>>, tensor<f8E4M3FN>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @async_done_bounded(%arg0: !stablehlo.future<tensor<?x1xi2, #stablehlo.bounds<4, ?>>>) {
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<?x1xi2, #stablehlo.bounds<4, ?>>>) -> tensor<?x1xi2, #stablehlo.bounds<4, ?>>
  return
}

func.func private @decomposition(tensor<4x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>

func.func @composite_bounded(%arg0: tensor<4x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.composite"(%arg0) {name = "my.op", decomposition = @decomposition} : (tensor<4x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>
  return
}

func.func @async_start_bounded(%arg0: tensor<4x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4x?xf32, #stablehlo.bounds<?, 5>>):
      %1 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 5>>
      stablehlo.return %1 : tensor<4x?xf32, #stablehlo.bounds<?, 5>>
  }) : (tensor<4x?xf32, #stablehlo.bounds<?, 5>>) -> !stablehlo.future<tensor<4x?xf32, #stablehlo.bounds<?, 5>>>
  return
}

func.func @chlo_scan_bounded(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, %arg2: tensor<8x?xf64, #stablehlo.bounds<?, 4>>) {
  %0:2 = "chlo.scan"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<2xf32>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %a2: tensor<8x2xf64>):
      %r:2 = "test.body"(%a0, %a1, %a2) : (tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<8x2xf64>) -> (tensor<2xi1>, tensor<8x2xf64>)
      stablehlo.return %r#0, %r#1 : tensor<2xi1>, tensor<8x2xf64>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<8x?xf64, #stablehlo.bounds<?, 4>>) -> (tensor<2x2xi1>, tensor<8x2xf64>)
  return
}
