// Sizes that are not known: every op that admits them, in one instance that both our verifiers and the registered dialect admit.
//
// RUN: sdy-opt %s --allow-unregistered-dialect -o %t
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify -o %t

func.func @batch_norm_grad_dynamic(%arg0: tensor<8x8x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<?x!quant.uniform<i16:f64, 0.5>>, %arg2: tensor<8x!quant.uniform<i16:f64, 0.5>>, %arg3: tensor<8x!quant.uniform<i16:f64, 0.5>>, %arg4: tensor<8x8x!quant.uniform<i16:f64, 0.5>>) {
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.1 : f32, feature_index = 0 : i64} : (tensor<8x8x!quant.uniform<i16:f64, 0.5>>, tensor<?x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<8x8x!quant.uniform<i16:f64, 0.5>>) -> (tensor<8x8x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>)
  return
}

func.func @batch_norm_inference_dynamic(%arg0: tensor<8x4x?xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.1 : f32, feature_index = 1 : i64} : (tensor<8x4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4x?xf32>
  return
}

func.func @batch_norm_training_dynamic(%arg0: tensor<?x?xf8E8M0FNU>, %arg1: tensor<6xf8E8M0FNU>, %arg2: tensor<6xf8E8M0FNU>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 0.1 : f32, feature_index = 0 : i64} : (tensor<?x?xf8E8M0FNU>, tensor<6xf8E8M0FNU>, tensor<6xf8E8M0FNU>) -> (tensor<?x?xf8E8M0FNU>, tensor<?xf8E8M0FNU>, tensor<?xf8E8M0FNU>)
  return
}

func.func @broadcast_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 1, 4>} : (tensor<?xf32>) -> tensor<1x4x?xf32>
  return
}

func.func @broadcast_in_dim_dynamic(%arg0: tensor<?x?xf32>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<?x?xf32>) -> tensor<2x1x3xf32>
  return
}

func.func @reshape_dynamic(%arg0: tensor<?x?xui64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<?x?xui64>) -> tensor<16xui64>
  return
}

func.func @reverse_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @transpose_dynamic(%arg0: tensor<?x2xui32>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 0, 1>} : (tensor<?x2xui32>) -> tensor<?x2xui32>
  return
}

func.func @custom_call_dynamic(%arg0: tensor<?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "target", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0]> : tensor<1xindex>]} : (tensor<?x!quant.uniform<i16:f64, 0.5>>) -> tensor<?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @einsum_dynamic(%arg0: tensor<3x3xf32>, %arg1: tensor<3x?xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ab,bc->ac"} : (tensor<3x3xf32>, tensor<3x?xf32>) -> tensor<3x2xf32>
  return
}

func.func @unary_einsum_dynamic(%arg0: tensor<6x2xf32>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->ba"} : (tensor<6x2xf32>) -> tensor<2x?xf32>
  return
}

func.func @torch_index_select_dynamic(%arg0: tensor<2x6xf32>, %arg1: tensor<?xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x6xf32>, tensor<?xi32>) -> tensor<2x3xf32>
  return
}

func.func @chlo_acos_dynamic(%arg0: tensor<6x?xf32>) {
  %0 = "chlo.acos"(%arg0) : (tensor<6x?xf32>) -> tensor<6x?xf32>
  return
}

func.func @chlo_acosh_dynamic(%arg0: tensor<3x?x?xf32>) {
  %0 = "chlo.acosh"(%arg0) : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  return
}

func.func @chlo_asin_dynamic(%arg0: tensor<?x?x2xf32>) {
  %0 = "chlo.asin"(%arg0) : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  return
}

func.func @chlo_asinh_dynamic(%arg0: tensor<2x?x1xf32>) {
  %0 = "chlo.asinh"(%arg0) : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  return
}

func.func @chlo_atan_dynamic(%arg0: tensor<?xf16>) {
  %0 = "chlo.atan"(%arg0) : (tensor<?xf16>) -> tensor<?xf16>
  return
}

func.func @chlo_atanh_dynamic(%arg0: tensor<?x?x?xf32>) {
  %0 = "chlo.atanh"(%arg0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

func.func @chlo_conj_dynamic(%arg0: tensor<?x?xcomplex<f64>>) {
  %0 = "chlo.conj"(%arg0) : (tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  return
}

func.func @chlo_cosh_dynamic(%arg0: tensor<?x?x1xf32>) {
  %0 = "chlo.cosh"(%arg0) : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  return
}

func.func @chlo_sinh_dynamic(%arg0: tensor<?x?xcomplex<f64>>) {
  %0 = "chlo.sinh"(%arg0) : (tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  return
}

func.func @chlo_square_dynamic(%arg0: tensor<?x2xcomplex<f32>>) {
  %0 = "chlo.square"(%arg0) : (tensor<?x2xcomplex<f32>>) -> tensor<?x2xcomplex<f32>>
  return
}

func.func @chlo_tan_dynamic(%arg0: tensor<?x?xf32>) {
  %0 = "chlo.tan"(%arg0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

func.func @chlo__asin_acos_kernel_dynamic(%arg0: tensor<?xcomplex<f64>>) {
  %0 = "chlo._asin_acos_kernel"(%arg0) : (tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
  return
}

func.func @chlo_bessel_i1e_dynamic(%arg0: tensor<?xf32>) {
  %0 = "chlo.bessel_i1e"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @chlo_digamma_dynamic(%arg0: tensor<?x?xf16>) {
  %0 = "chlo.digamma"(%arg0) : (tensor<?x?xf16>) -> tensor<?x?xf16>
  return
}

func.func @chlo_erf_dynamic(%arg0: tensor<?xf16>) {
  %0 = "chlo.erf"(%arg0) : (tensor<?xf16>) -> tensor<?xf16>
  return
}

func.func @chlo_erf_inv_dynamic(%arg0: tensor<2x3x?xf4E2M1FN>) {
  %0 = "chlo.erf_inv"(%arg0) : (tensor<2x3x?xf4E2M1FN>) -> tensor<2x3x?xf4E2M1FN>
  return
}

func.func @chlo_erfc_dynamic(%arg0: tensor<?xf32>) {
  %0 = "chlo.erfc"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @chlo_lgamma_dynamic(%arg0: tensor<?x?x1xf32>) {
  %0 = "chlo.lgamma"(%arg0) : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  return
}

func.func @chlo_is_inf_dynamic(%arg0: tensor<?x8xf32>) {
  %0 = "chlo.is_inf"(%arg0) : (tensor<?x8xf32>) -> tensor<?x8xi1>
  return
}

func.func @chlo_is_neg_inf_dynamic(%arg0: tensor<?xf32>) {
  %0 = "chlo.is_neg_inf"(%arg0) : (tensor<?xf32>) -> tensor<?xi1>
  return
}

func.func @chlo_is_pos_inf_dynamic(%arg0: tensor<2x?xbf16>) {
  %0 = "chlo.is_pos_inf"(%arg0) : (tensor<2x?xbf16>) -> tensor<2x?xi1>
  return
}

func.func @chlo_next_after_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<4xf32>) {
  %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

func.func @chlo_polygamma_dynamic(%arg0: tensor<?x?xf4E2M1FN>, %arg1: tensor<8x4xf4E2M1FN>) {
  %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<?x?xf4E2M1FN>, tensor<8x4xf4E2M1FN>) -> tensor<8x4xf4E2M1FN>
  return
}

func.func @chlo_zeta_dynamic(%arg0: tensor<?xf8E8M0FNU>, %arg1: tensor<8xf8E8M0FNU>) {
  %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<?xf8E8M0FNU>, tensor<8xf8E8M0FNU>) -> tensor<8xf8E8M0FNU>
  return
}

func.func @chlo_mulhi_dynamic(%arg0: tensor<3xi4>, %arg1: tensor<?xi4>) {
  %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<3xi4>, tensor<?xi4>) -> tensor<3xi4>
  return
}

func.func @chlo_broadcast_add_dynamic(%arg0: tensor<!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<?x?x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "chlo.broadcast_add"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i16:f64, 0.5>>, tensor<?x?x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<?x?x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @chlo_broadcast_atan2_dynamic(%arg0: tensor<8x6xf32>, %arg1: tensor<?x?xf32>) {
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<8x6xf32>, tensor<?x?xf32>) -> tensor<8x6xf32>
  return
}

func.func @chlo_broadcast_divide_dynamic(%arg0: tensor<3x6xf32>, %arg1: tensor<?xf32>) {
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x6xf32>, tensor<?xf32>) -> tensor<3x6xf32>
  return
}

func.func @chlo_broadcast_maximum_dynamic(%arg0: tensor<2x1x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<2x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1x!quant.uniform<i16:f64, 0.5>>, tensor<2x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<2x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @chlo_broadcast_minimum_dynamic(%arg0: tensor<?x?x3xf32>, %arg1: tensor<f32>) {
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<?x?x3xf32>, tensor<f32>) -> tensor<?x?x3xf32>
  return
}

func.func @chlo_broadcast_multiply_dynamic(%arg0: tensor<?x1x6xf32>, %arg1: tensor<?x?xf32>) {
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<?x1x6xf32>, tensor<?x?xf32>) -> tensor<?x?x6xf32>
  return
}

func.func @chlo_broadcast_next_after_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) {
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @chlo_broadcast_polygamma_dynamic(%arg0: tensor<?x!quant.uniform<i8:f32, 0.5:1>>, %arg1: tensor<3x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<?x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @chlo_broadcast_power_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<1x3x2xf32>) {
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<?xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  return
}

func.func @chlo_broadcast_remainder_dynamic(%arg0: tensor<2x?x?xf32>, %arg1: tensor<f32>) {
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<2x?x?xf32>, tensor<f32>) -> tensor<2x?x?xf32>
  return
}

func.func @chlo_broadcast_shift_left_dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<6x6xf32>) {
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<?x?xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  return
}

func.func @chlo_broadcast_shift_right_arithmetic_dynamic(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?xf32>) {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2>} : (tensor<?x?x?xf32>, tensor<?xf32>) -> tensor<?x?x?xf32>
  return
}

func.func @chlo_broadcast_shift_right_logical_dynamic(%arg0: tensor<4x2xf8E4M3FN>, %arg1: tensor<?x?xf8E4M3FN>) {
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<4x2xf8E4M3FN>, tensor<?x?xf8E4M3FN>) -> tensor<4x2xf8E4M3FN>
  return
}

func.func @chlo_broadcast_subtract_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<f32>) {
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

func.func @chlo_broadcast_and_dynamic(%arg0: tensor<?xi1>, %arg1: tensor<2xi1>) {
  %0 = "chlo.broadcast_and"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<?xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

func.func @chlo_broadcast_or_dynamic(%arg0: tensor<?xi1>, %arg1: tensor<?xi1>) {
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return
}

func.func @chlo_broadcast_xor_dynamic(%arg0: tensor<?x?x1xi1>, %arg1: tensor<?x?xi1>) {
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<?x?x1xi1>, tensor<?x?xi1>) -> tensor<?x?x?xi1>
  return
}

func.func @chlo_broadcast_zeta_dynamic(%arg0: tensor<3x?xf4E2M1FN>, %arg1: tensor<?x?x?xf4E2M1FN>) {
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<3x?xf4E2M1FN>, tensor<?x?x?xf4E2M1FN>) -> tensor<?x3x?xf4E2M1FN>
  return
}

func.func @chlo_broadcast_complex_dynamic(%arg0: tensor<?xf64>, %arg1: tensor<1x3x6xf64>) {
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) {broadcast_dimensions = array<i64: 2>} : (tensor<?xf64>, tensor<1x3x6xf64>) -> tensor<1x3x6xcomplex<f64>>
  return
}

func.func @chlo_broadcast_compare_dynamic(%arg0: tensor<1x?xi4>, %arg1: tensor<2x4x1xi4>) {
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction EQ>, broadcast_dimensions = array<i64: 1, 2>} : (tensor<1x?xi4>, tensor<2x4x1xi4>) -> tensor<2x4x?xi1>
  return
}

func.func @chlo_broadcast_select_dynamic(%arg0: tensor<i1>, %arg1: tensor<f8E5M2>, %arg2: tensor<?xf8E5M2>) {
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<f8E5M2>, tensor<?xf8E5M2>) -> tensor<?xf8E5M2>
  return
}

func.func @chlo_top_k_dynamic(%arg0: tensor<?x?xf64>) {
  %0:2 = "chlo.top_k"(%arg0) {k = 4 : i64} : (tensor<?x?xf64>) -> (tensor<?x4xf64>, tensor<?x4xi32>)
  return
}

func.func @chlo_constant_like_dynamic(%arg0: tensor<?x?x3x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) {
  %0 = "chlo.constant_like"(%arg0) {value = 1 : i32} : (tensor<?x?x3x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) -> tensor<?x?x3xi32>
  return
}

func.func @all_gather_dynamic(%arg0: tensor<?x6xbf16>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<?x6xbf16>) -> tensor<6x6xbf16>
  return
}

func.func @all_to_all_dynamic(%arg0: tensor<?xui32>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?xui32>) -> tensor<?xui32>
  return
}

func.func @collective_broadcast_dynamic(%arg0: tensor<?xi8>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[2, 3], [0, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?xi8>) -> tensor<?xi8>
  return
}

func.func @collective_permute_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @if_dynamic(%arg0: tensor<i1>) {
  %0:2 = "stablehlo.if"(%arg0) ({
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<?x?xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<?x?xf32>
  }, {
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<3xf32>, tensor<?x?xf32>)
      stablehlo.return %r#0, %r#1 : tensor<3xf32>, tensor<?x?xf32>
  }) : (tensor<i1>) -> (tensor<3xf32>, tensor<?x?xf32>)
  return
}

func.func @case_dynamic(%arg0: tensor<i32>) {
  %0:2 = "stablehlo.case"(%arg0) ({
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<?xf32>, tensor<?xui32, #stablehlo.bounds<5>>)
      stablehlo.return %r#0, %r#1 : tensor<?xf32>, tensor<?xui32, #stablehlo.bounds<5>>
  }, {
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<?xf32>, tensor<?xui32>)
      stablehlo.return %r#0, %r#1 : tensor<?xf32>, tensor<?xui32>
  }, {
    ^bb0:
      %r:2 = "test.body"() : () -> (tensor<?xf32>, tensor<?xui32>)
      stablehlo.return %r#0, %r#1 : tensor<?xf32>, tensor<?xui32>
  }) : (tensor<i32>) -> (tensor<?xf32>, tensor<?xui32>)
  return
}

func.func @while_dynamic(%arg0: tensor<?x8xui8>, %arg1: tensor<complex<f32>>) {
  %0:2 = "stablehlo.while"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<4x8xui8>, %a1: tensor<complex<f32>>):
      %r = "test.body"(%a0, %a1) : (tensor<4x8xui8>, tensor<complex<f32>>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a0: tensor<4x8xui8>, %a1: tensor<complex<f32>>):
      %r:2 = "test.body"(%a0, %a1) : (tensor<4x8xui8>, tensor<complex<f32>>) -> (tensor<4x8xui8>, tensor<complex<f32>>)
      stablehlo.return %r#0, %r#1 : tensor<4x8xui8>, tensor<complex<f32>>
  }) : (tensor<?x8xui8>, tensor<complex<f32>>) -> (tensor<?x8xui8>, tensor<complex<f32>>)
  return
}

func.func @optimization_barrier_dynamic(%arg0: tensor<3x2xf32>, %arg1: tensor<?x6xi16>) {
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<3x2xf32>, tensor<?x6xi16>) -> (tensor<3x2xf32>, tensor<?x6xi16>)
  return
}

func.func @bitcast_convert_dynamic(%arg0: tensor<?x?xi8>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<?x?xi8>) -> tensor<?xf32>
  return
}

func.func @dot_general_dynamic(%arg0: tensor<2x2x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<?x?x!quant.uniform<i32:f32, 0.25>>
  return
}

func.func @dot_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<3xf32>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<?xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

func.func @convolution_dynamic(%arg0: tensor<4x2xf32>, %arg1: tensor<?x?xf32>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64, window_strides = array<i64>, padding = dense<> : tensor<0x2xi64>} : (tensor<4x2xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
  return
}

func.func @dynamic_conv_dynamic(%arg0: tensor<2x8x2xf32>, %arg1: tensor<1x2x4xf32>, %arg2: tensor<1x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<2x8x2xf32>, tensor<1x2x4xf32>, tensor<1x2xi64>) -> tensor<?x?x?xf32>
  return
}

func.func @slice_dynamic(%arg0: tensor<3x?xf32>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 6>, limit_indices = array<i64: 1, 6>, strides = array<i64: 3, 1>} : (tensor<3x?xf32>) -> tensor<0x0xf32>
  return
}

func.func @dynamic_slice_dynamic(%arg0: tensor<2x?x3xi32>, %arg1: tensor<ui64>, %arg2: tensor<ui64>, %arg3: tensor<ui64>) {
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2, %arg3) {slice_sizes = array<i64: 0, 0, 0>} : (tensor<2x?x3xi32>, tensor<ui64>, tensor<ui64>, tensor<ui64>) -> tensor<0x0x0xi32>
  return
}

func.func @dynamic_update_slice_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<1xf32>, %arg2: tensor<i16>) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<?xf32>, tensor<1xf32>, tensor<i16>) -> tensor<?xf32>
  return
}

func.func @real_dynamic_slice_dynamic(%arg0: tensor<3x8x1xi8>, %arg1: tensor<3xi64>, %arg2: tensor<3xi64>, %arg3: tensor<3xi64>) {
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<3x8x1xi8>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xi8>
  return
}

func.func @pad_dynamic(%arg0: tensor<?x?xi32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 2, -1>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<?x?xi32>, tensor<i32>) -> tensor<?x?xi32>
  return
}

func.func @dynamic_pad_dynamic(%arg0: tensor<?x2xf8E5M2>, %arg1: tensor<f8E5M2>, %arg2: tensor<2xi64>, %arg3: tensor<2xi64>, %arg4: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<?x2xf8E5M2>, tensor<f8E5M2>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<11x5xf8E5M2>
  return
}

func.func @concatenate_dynamic(%arg0: tensor<2x3x!quant.uniform<u8:f32, 0.5:3>>, %arg1: tensor<?x3x!quant.uniform<u8:f32, 0.5:3>>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3x!quant.uniform<u8:f32, 0.5:3>>, tensor<?x3x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<?x3x!quant.uniform<u8:f32, 0.5:3>>
  return
}

func.func @dynamic_broadcast_in_dim_dynamic(%arg0: tensor<f32>, %arg1: tensor<3xindex>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<f32>, tensor<3xindex>) -> tensor<?x8x?xf32>
  return
}

func.func @dynamic_iota_dynamic(%arg0: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 0 : i64} : (tensor<1xi32>) -> tensor<?xcomplex<f64>>
  return
}

func.func @dynamic_reshape_dynamic(%arg0: tensor<?x4xi8>, %arg1: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<?x4xi8>, tensor<1xi32>) -> tensor<32xi8>
  return
}

func.func @get_dimension_size_dynamic(%arg0: tensor<?x?xi16>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 1 : i64} : (tensor<?x?xi16>) -> tensor<i32>
  return
}

func.func @set_dimension_size_dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
  return
}

func.func @cbrt_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @cosine_dynamic(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.cosine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

func.func @exponential_dynamic(%arg0: tensor<?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.exponential"(%arg0) : (tensor<?x!quant.uniform<i16:f64, 0.5>>) -> tensor<?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @exponential_minus_one_dynamic(%arg0: tensor<1x1x?xcomplex<f32>>) {
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<1x1x?xcomplex<f32>>) -> tensor<1x1x?xcomplex<f32>>
  return
}

func.func @log_dynamic(%arg0: tensor<?x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.log"(%arg0) : (tensor<?x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<?x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @log_plus_one_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.log_plus_one"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @logistic_dynamic(%arg0: tensor<?x?xf32>) {
  %0 = "stablehlo.logistic"(%arg0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

func.func @rsqrt_dynamic(%arg0: tensor<2x?xf32>) {
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

func.func @sine_dynamic(%arg0: tensor<4x?xf64>) {
  %0 = "stablehlo.sine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<4x?xf64>) -> tensor<4x?xf64>
  return
}

func.func @sqrt_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.sqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @tan_dynamic(%arg0: tensor<?x?x?xf32>) {
  %0 = "stablehlo.tan"(%arg0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

func.func @tanh_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @ceil_dynamic(%arg0: tensor<2x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<2x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @floor_dynamic(%arg0: tensor<?x6x?x!quant.uniform<i8:f32, 0.25>>) {
  %0 = "stablehlo.floor"(%arg0) : (tensor<?x6x?x!quant.uniform<i8:f32, 0.25>>) -> tensor<?x6x?x!quant.uniform<i8:f32, 0.25>>
  return
}

func.func @round_nearest_afz_dynamic(%arg0: tensor<4x?xf32>) {
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

func.func @round_nearest_even_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @sign_dynamic(%arg0: tensor<?x?xf32>) {
  %0 = "stablehlo.sign"(%arg0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

func.func @negate_dynamic(%arg0: tensor<?x?x?xf32>) {
  %0 = "stablehlo.negate"(%arg0) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

func.func @not_dynamic(%arg0: tensor<1x?xi1>) {
  %0 = "stablehlo.not"(%arg0) : (tensor<1x?xi1>) -> tensor<1x?xi1>
  return
}

func.func @count_leading_zeros_dynamic(%arg0: tensor<?xui8>) {
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<?xui8>) -> tensor<?xui8>
  return
}

func.func @popcnt_dynamic(%arg0: tensor<?xi4>) {
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<?xi4>) -> tensor<?xi4>
  return
}

func.func @reduce_precision_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 5 : i32, mantissa_bits = 2 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @cross_replica_sum_dynamic(%arg0: tensor<3x?x2xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[3, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<3x?x2xf32>) -> tensor<3x?x2xf32>
  return
}

func.func @add_dynamic(%arg0: tensor<?x3x2xf32>, %arg1: tensor<3x?x2xf32>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?x3x2xf32>, tensor<3x?x2xf32>) -> tensor<3x3x2xf32>
  return
}

func.func @and_dynamic(%arg0: tensor<?x3xi1>, %arg1: tensor<3x3xi1>) {
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<?x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
  return
}

func.func @or_dynamic(%arg0: tensor<?xui64>, %arg1: tensor<3xui64>) {
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<?xui64>, tensor<3xui64>) -> tensor<3xui64>
  return
}

func.func @xor_dynamic(%arg0: tensor<?xi2>, %arg1: tensor<4xi2>) {
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<?xi2>, tensor<4xi2>) -> tensor<4xi2>
  return
}

func.func @atan2_dynamic(%arg0: tensor<1x?xf32>, %arg1: tensor<1x3xf32>) {
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<1x?xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  return
}

func.func @divide_dynamic(%arg0: tensor<2x1x3xf8E5M2>, %arg1: tensor<2x1x?xf8E5M2>) {
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x1x3xf8E5M2>, tensor<2x1x?xf8E5M2>) -> tensor<2x1x3xf8E5M2>
  return
}

func.func @power_dynamic(%arg0: tensor<3x1xcomplex<f64>>, %arg1: tensor<?x?xcomplex<f64>>) {
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<3x1xcomplex<f64>>, tensor<?x?xcomplex<f64>>) -> tensor<3x1xcomplex<f64>>
  return
}

func.func @remainder_dynamic(%arg0: tensor<4x2x3xi32>, %arg1: tensor<?x?x3xi32>) {
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<4x2x3xi32>, tensor<?x?x3xi32>) -> tensor<4x2x3xi32>
  return
}

func.func @subtract_dynamic(%arg0: tensor<?x6xcomplex<f64>>, %arg1: tensor<8x?xcomplex<f64>>) {
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<?x6xcomplex<f64>>, tensor<8x?xcomplex<f64>>) -> tensor<8x6xcomplex<f64>>
  return
}

func.func @maximum_dynamic(%arg0: tensor<2x?xf32>, %arg1: tensor<?x?xf32>) {
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
  return
}

func.func @minimum_dynamic(%arg0: tensor<?x2x?xf32>, %arg1: tensor<?x2x4xf32>) {
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<?x2x?xf32>, tensor<?x2x4xf32>) -> tensor<?x2x4xf32>
  return
}

func.func @multiply_dynamic(%arg0: tensor<2x2xf32>, %arg1: tensor<?x2xf32>) {
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x2xf32>, tensor<?x2xf32>) -> tensor<2x2xf32>
  return
}

func.func @shift_left_dynamic(%arg0: tensor<?x3x2xi16>, %arg1: tensor<8x3x2xi16>) {
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<?x3x2xi16>, tensor<8x3x2xi16>) -> tensor<8x3x2xi16>
  return
}

func.func @shift_right_arithmetic_dynamic(%arg0: tensor<?xi4>, %arg1: tensor<?xi4>) {
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<?xi4>, tensor<?xi4>) -> tensor<?xi4>
  return
}

func.func @shift_right_logical_dynamic(%arg0: tensor<?x?xi4>, %arg1: tensor<2x3xi4>) {
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<?x?xi4>, tensor<2x3xi4>) -> tensor<2x3xi4>
  return
}

func.func @abs_dynamic(%arg0: tensor<8x?xf16>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<8x?xf16>) -> tensor<8x?xf16>
  return
}

func.func @real_dynamic(%arg0: tensor<?x6xf32>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<?x6xf32>) -> tensor<?x6xf32>
  return
}

func.func @imag_dynamic(%arg0: tensor<?xf32>) {
  %0 = "stablehlo.imag"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @is_finite_dynamic(%arg0: tensor<2x?x!quant.uniform<u8:f32, 0.5:3>>) {
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<2x?x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<2x?xi1>
  return
}

func.func @complex_dynamic(%arg0: tensor<4xf32>, %arg1: tensor<?xf32>) {
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xcomplex<f32>>
  return
}

func.func @compare_dynamic(%arg0: tensor<3xf8E8M0FNU>, %arg1: tensor<?xf8E8M0FNU>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xf8E8M0FNU>, tensor<?xf8E8M0FNU>) -> tensor<3xi1>
  return
}

func.func @select_dynamic(%arg0: tensor<i1>, %arg1: tensor<2xf32>, %arg2: tensor<?xf32>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  return
}

func.func @clamp_dynamic(%arg0: tensor<6x3x8xui4>, %arg1: tensor<?x3x?xui4>, %arg2: tensor<ui4>) {
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<6x3x8xui4>, tensor<?x3x?xui4>, tensor<ui4>) -> tensor<?x3x?xui4>
  return
}

func.func @convert_dynamic(%arg0: tensor<?x8xbf16>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<?x8xbf16>) -> tensor<?x?xf32>
  return
}

func.func @uniform_quantize_dynamic(%arg0: tensor<6xf32>) {
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<6xf32>) -> tensor<?x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @uniform_dequantize_dynamic(%arg0: tensor<8x?x1x!quant.uniform<i8:f32:0, {2.0:-2, 2.0:-2, 2.0:-2, 0.5, 0.5, 0.25:1, 0.25:1, 0.25:1}>>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<8x?x1x!quant.uniform<i8:f32:0, {2.0:-2, 2.0:-2, 2.0:-2, 0.5, 0.5, 0.25:1, 0.25:1, 0.25:1}>>) -> tensor<8x?x1xf32>
  return
}

func.func @gather_dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>} : (tensor<?x?xf32>, tensor<2x1xi32>) -> tensor<4x2xf32>
  return
}

func.func @dynamic_gather_dynamic(%arg0: tensor<1x1xf32>, %arg1: tensor<?x6x?xi8>, %arg2: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1, 0], index_vector_dim = 2>} : (tensor<1x1xf32>, tensor<?x6x?xi8>, tensor<2xi64>) -> tensor<?x6xf32>
  return
}

func.func @cholesky_dynamic(%arg0: tensor<?x?xcomplex<f32>>) {
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return
}

func.func @triangular_solve_dynamic(%arg0: tensor<?x?x2xf32>, %arg1: tensor<?x?x4xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<?x?x2xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return
}

func.func @fft_dynamic(%arg0: tensor<2x?x3xcomplex<f64>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 8, 3>} : (tensor<2x?x3xcomplex<f64>>) -> tensor<2x?x3xcomplex<f64>>
  return
}

func.func @chlo_ragged_dot_dynamic(%arg0: tensor<1x4x2xf32>, %arg1: tensor<1x2x2xf32>, %arg2: tensor<2xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<1x4x2xf32>, tensor<1x2x2xf32>, tensor<2xi64>) -> tensor<1x?x?xf32>
  return
}

func.func @all_reduce_dynamic(%arg0: tensor<?xi2>) {
  %0 = "stablehlo.all_reduce"(%arg0) ({
    ^bb0(%a0: tensor<i2>, %a1: tensor<i2>):
      %r = "test.body"(%a0, %a1) : (tensor<i2>, tensor<i2>) -> tensor<i2>
      stablehlo.return %r : tensor<i2>
  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<?xi2>) -> tensor<?xi2>
  return
}

func.func @collective_reduce_dynamic(%arg0: tensor<?xui8>, %arg1: tensor<?x2x?xui8>, %arg2: tensor<2xi32>) {
  %0:2 = "stablehlo.collective_reduce"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<ui8>, %a1: tensor<ui8>):
      %r = "test.body"(%a0, %a1) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      stablehlo.return %r : tensor<ui8>
  }) {replica_groups = dense<[[1, 3], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, has_dynamic_root} : (tensor<?xui8>, tensor<?x2x?xui8>, tensor<2xi32>) -> (tensor<?xui8>, tensor<?x2x?xui8>)
  return
}

func.func @reduce_scatter_dynamic(%arg0: tensor<?x4x3xi4>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<i4>, %a1: tensor<i4>):
      %r = "test.body"(%a0, %a1) : (tensor<i4>, tensor<i4>) -> tensor<i4>
      stablehlo.return %r : tensor<i4>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?x4x3xi4>) -> tensor<2x2x3xi4>
  return
}

func.func @reduce_dynamic(%arg0: tensor<?x3x6xi8>, %arg1: tensor<i8>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<i8>, %a1: tensor<i8>):
      %r = "test.body"(%a0, %a1) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      stablehlo.return %r : tensor<i8>
  }) {dimensions = array<i64: 0, 1>} : (tensor<?x3x6xi8>, tensor<i8>) -> tensor<6xi8>
  return
}

func.func @reduce_window_dynamic(%arg0: tensor<3x?xui4>, %arg1: tensor<?x3xui4>, %arg2: tensor<ui4>, %arg3: tensor<ui4>) {
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) ({
    ^bb0(%a0: tensor<ui4>, %a1: tensor<ui4>, %a2: tensor<ui4>, %a3: tensor<ui4>):
      %r:2 = "test.body"(%a0, %a1, %a2, %a3) : (tensor<ui4>, tensor<ui4>, tensor<ui4>, tensor<ui4>) -> (tensor<ui4>, tensor<ui4>)
      stablehlo.return %r#0, %r#1 : tensor<ui4>, tensor<ui4>
  }) {window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>} : (tensor<3x?xui4>, tensor<?x3xui4>, tensor<ui4>, tensor<ui4>) -> (tensor<3x?xui4>, tensor<?x3xui4>)
  return
}

func.func @map_dynamic(%arg0: tensor<3x1x3xf32>, %arg1: tensor<3x?x?xf32>) {
  %0 = "stablehlo.map"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r = "test.body"(%a0, %a1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %r : tensor<f32>
  }) {dimensions = array<i64: 0, 1, 2>} : (tensor<3x1x3xf32>, tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  return
}

func.func @scatter_dynamic(%arg0: tensor<?x?x?xf8E4M3FN>, %arg1: tensor<?x?xi32>, %arg2: tensor<0x3x?xf8E4M3FN>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f8E4M3FN>, %a1: tensor<f8E4M3FN>):
      %r = "test.body"(%a0, %a1) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      stablehlo.return %r : tensor<f8E4M3FN>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [], index_vector_dim = 1>} : (tensor<?x?x?xf8E4M3FN>, tensor<?x?xi32>, tensor<0x3x?xf8E4M3FN>) -> tensor<?x?x?xf8E4M3FN>
  return
}

func.func @select_and_scatter_dynamic(%arg0: tensor<?x?x?xi2>, %arg1: tensor<3x2x2xi2>, %arg2: tensor<i2>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i2>, %a1: tensor<i2>):
      %r = "test.body"(%a0, %a1) : (tensor<i2>, tensor<i2>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a0: tensor<i2>, %a1: tensor<i2>):
      %r = "test.body"(%a0, %a1) : (tensor<i2>, tensor<i2>) -> tensor<i2>
      stablehlo.return %r : tensor<i2>
  }) {window_dimensions = array<i64: 2, 1, 1>, window_strides = array<i64: 2, 1, 1>} : (tensor<?x?x?xi2>, tensor<3x2x2xi2>, tensor<i2>) -> tensor<?x?x?xi2>
  return
}

func.func @sort_dynamic(%arg0: tensor<4x?x8xf32>) {
  %0 = "stablehlo.sort"(%arg0) ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
      %r = "test.body"(%a0, %a1) : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) {dimension = -2 : i64, is_stable = true} : (tensor<4x?x8xf32>) -> tensor<4x?x8xf32>
  return
}

func.func @rng_dynamic(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<1xi64>) {
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

func.func @rng_bit_generator_dynamic(%arg0: tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<?xui64>, tensor<2x8x6xui32>)
  return
}

func.func @tuple_dynamic(%arg0: tensor<3x?x?x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<6x?xui64>) {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<3x?x?x!quant.uniform<i16:f64, 0.5>>, tensor<6x?xui64>) -> tuple<tensor<3x?x?x!quant.uniform<i16:f64, 0.5>>, tensor<6x?xui64>>
  return
}

func.func @get_tuple_element_dynamic(%arg0: tuple<tensor<8x?xf32>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<8x?xf32>>) -> tensor<8x?xf32>
  return
}

func.func @outfeed_dynamic(%arg0: tensor<?xf32>, %arg1: tensor<?x3xui4>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1, %arg2) {outfeed_config = "a"} : (tensor<?xf32>, tensor<?x3xui4>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @send_dynamic(%arg0: tensor<2x?xf32>, %arg1: tensor<f8E4M3FN>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1, %arg2) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2x?xf32>, tensor<f8E4M3FN>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @async_done_dynamic(%arg0: !stablehlo.future<tensor<?x?x?xf32>>) {
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<?x?x?xf32>>) -> tensor<?x?x?xf32>
  return
}

func.func private @decomposition(tensor<4x?xf32>) -> tensor<4x?xf32>

func.func @composite_dynamic(%arg0: tensor<4x?xf32>) {
  %0 = "stablehlo.composite"(%arg0) {name = "my.op", decomposition = @decomposition} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

func.func @async_start_dynamic(%arg0: tensor<4x?xf32>) {
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4x?xf32>):
      %1 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x?xf32>) -> tensor<4x?xf32>
      stablehlo.return %1 : tensor<4x?xf32>
  }) : (tensor<4x?xf32>) -> !stablehlo.future<tensor<4x?xf32>>
  return
}

func.func @chlo_scan_dynamic(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, %arg2: tensor<?x?xf64>) {
  %0:2 = "chlo.scan"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<2xf32>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %a2: tensor<8x2xf64>):
      %r:2 = "test.body"(%a0, %a1, %a2) : (tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<8x2xf64>) -> (tensor<2xi1>, tensor<8x2xf64>)
      stablehlo.return %r#0, %r#1 : tensor<2xi1>, tensor<8x2xf64>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<?x?xf64>) -> (tensor<2x2xi1>, tensor<8x2xf64>)
  return
}
