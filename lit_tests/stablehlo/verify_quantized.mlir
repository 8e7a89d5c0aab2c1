// Quantized numbers: every op that admits them, in one instance that both our verifiers and the registered dialect admit.
//
// RUN: sdy-opt %s --allow-unregistered-dialect -o %t
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify -o %t

func.func @batch_norm_grad_quantized(%arg0: tensor<8x8x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<?x!quant.uniform<i16:f64, 0.5>>, %arg2: tensor<8x!quant.uniform<i16:f64, 0.5>>, %arg3: tensor<8x!quant.uniform<i16:f64, 0.5>>, %arg4: tensor<8x8x!quant.uniform<i16:f64, 0.5>>) {
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.1 : f32, feature_index = 0 : i64} : (tensor<8x8x!quant.uniform<i16:f64, 0.5>>, tensor<?x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<8x8x!quant.uniform<i16:f64, 0.5>>) -> (tensor<8x8x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>, tensor<8x!quant.uniform<i16:f64, 0.5>>)
  return
}

func.func @batch_norm_inference_quantized(%arg0: tensor<8x4x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg3: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg4: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.1 : f32, feature_index = 1 : i64} : (tensor<8x4x6x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<8x4x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @batch_norm_training_quantized(%arg0: tensor<1x!quant.uniform<i8:f32, 0.25>>, %arg1: tensor<1x!quant.uniform<i8:f32, 0.25>>, %arg2: tensor<1x!quant.uniform<i8:f32, 0.25>>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 0.1 : f32, feature_index = 0 : i64} : (tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<1x!quant.uniform<i8:f32, 0.25>>) -> (tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<1x!quant.uniform<i8:f32, 0.25>>)
  return
}

func.func @broadcast_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2, 4>} : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @broadcast_in_dim_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @reshape_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @reverse_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @transpose_quantized(%arg0: tensor<?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) -> tensor<?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>
  return
}

func.func @custom_call_quantized(%arg0: tensor<6x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "target", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0]> : tensor<1xindex>]} : (tensor<6x!quant.uniform<i16:f64, 0.5>>) -> tensor<6x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @einsum_quantized(%arg0: tensor<3x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ab,bc->ac"} : (tensor<3x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @unary_einsum_quantized(%arg0: tensor<6x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->ba"} : (tensor<6x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @torch_index_select_quantized(%arg0: tensor<2x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x6x!quant.uniform<i8:f32, 0.5>>, tensor<3xi32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_add_quantized(%arg0: tensor<!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<4x6x1x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "chlo.broadcast_add"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i16:f64, 0.5>>, tensor<4x6x1x!quant.uniform<i16:f64, 0.5>>) -> tensor<4x6x1x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @chlo_broadcast_atan2_quantized(%arg0: tensor<8x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x6x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<8x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<8x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_divide_quantized(%arg0: tensor<3x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_maximum_quantized(%arg0: tensor<2x1x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<2x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1x!quant.uniform<i16:f64, 0.5>>, tensor<2x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<2x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @chlo_broadcast_minimum_quantized(%arg0: tensor<2x8x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<2x8x3x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x8x3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_multiply_quantized(%arg0: tensor<3x1x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x6x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<3x1x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x1x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_next_after_quantized(%arg0: tensor<1x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_polygamma_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5:1>>, %arg1: tensor<3x!quant.uniform<i8:f32, 0.5:1>>) {
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @chlo_broadcast_power_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x3x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_remainder_quantized(%arg0: tensor<2x3x1x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<2x3x1x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x1x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_shift_left_quantized(%arg0: tensor<6x6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<6x6x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<6x6x!quant.uniform<i8:f32, 0.5>>, tensor<6x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<6x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_shift_right_arithmetic_quantized(%arg0: tensor<!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<!quant.uniform<i16:f64, 0.5>>) {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i16:f64, 0.5>>, tensor<!quant.uniform<i16:f64, 0.5>>) -> tensor<!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @chlo_broadcast_shift_right_logical_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_subtract_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_broadcast_compare_quantized(%arg0: tensor<1x1x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<1x1x!quant.uniform<i8:f32, 0.5>>, tensor<3x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x1xi1>
  return
}

func.func @chlo_broadcast_select_quantized(%arg0: tensor<i1>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_top_k_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0:2 = "chlo.top_k"(%arg0) {k = 0 : i64} : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> (tensor<0x!quant.uniform<i8:f32, 0.5>>, tensor<0xi32>)
  return
}

func.func @chlo_constant_like_quantized(%arg0: tensor<2x3x3x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) {
  %0 = "chlo.constant_like"(%arg0) {value = 1 : i32} : (tensor<2x3x3x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) -> tensor<2x3x3xi32>
  return
}

func.func @all_gather_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @all_to_all_quantized(%arg0: tensor<3x1x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<?x?x?x!quant.uniform<i8:f32, 0.5>>) {
  %0:2 = "stablehlo.all_to_all"(%arg0, %arg1) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<3x1x2x!quant.uniform<i8:f32, 0.5>>, tensor<?x?x?x!quant.uniform<i8:f32, 0.5>>) -> (tensor<3x1x2x!quant.uniform<i8:f32, 0.5>>, tensor<?x?x?x!quant.uniform<i8:f32, 0.5>>)
  return
}

func.func @collective_broadcast_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[1, 3], [2, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @collective_permute_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @if_quantized(%arg0: tensor<i1>) {
  %0 = "stablehlo.if"(%arg0) ({
    ^bb0:
      %r = "test.body"() : () -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  }, {
    ^bb0:
      %r = "test.body"() : () -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<i1>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @case_quantized(%arg0: tensor<i32>) {
  %0 = "stablehlo.case"(%arg0) ({
    ^bb0:
      %r = "test.body"() : () -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }, {
    ^bb0:
      %r = "test.body"() : () -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<i32>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @while_quantized(%arg0: tensor<1x1xi16>, %arg1: tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>) {
  %0:2 = "stablehlo.while"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<1x1xi16>, %a1: tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>):
      %r = "test.body"(%a0, %a1) : (tensor<1x1xi16>, tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a0: tensor<1x1xi16>, %a1: tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>):
      %r:2 = "test.body"(%a0, %a1) : (tensor<1x1xi16>, tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>) -> (tensor<1x1xi16>, tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>)
      stablehlo.return %r#0, %r#1 : tensor<1x1xi16>, tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>
  }) : (tensor<1x1xi16>, tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>) -> (tensor<1x1xi16>, tensor<?x?x4x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, 3, ?>>)
  return
}

func.func @optimization_barrier_quantized(%arg0: tensor<3x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<?x6xi16>) {
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<?x6xi16>) -> (tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<?x6xi16>)
  return
}

func.func @bitcast_convert_quantized(%arg0: tensor<2x8xui32>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x8xui32>) -> tensor<2x8x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dot_general_quantized(%arg0: tensor<2x2x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i32:f32, 0.25>>
  return
}

func.func @dot_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @convolution_quantized(%arg0: tensor<4x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64, window_strides = array<i64>, padding = dense<> : tensor<0x2xi64>} : (tensor<4x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dynamic_conv_quantized(%arg0: tensor<2x8x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x2x4x!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<1x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<2x8x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x4x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<2x8x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @slice_quantized(%arg0: tensor<3x6x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 6>, limit_indices = array<i64: 1, 6>, strides = array<i64: 3, 1>} : (tensor<3x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<0x0x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dynamic_slice_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<ui32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1) {slice_sizes = array<i64: 1>} : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<ui32>) -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dynamic_update_slice_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<i16>) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<i16>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @real_dynamic_slice_quantized(%arg0: tensor<8x8x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2xindex>, %arg2: tensor<2xindex>, %arg3: tensor<2xindex>) {
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<8x8x!quant.uniform<i8:f32, 0.5>>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @pad_quantized(%arg0: tensor<2x4x4x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, 1, 2>, edge_padding_high = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>} : (tensor<2x4x4x!quant.uniform<i16:f64, 0.5>>, tensor<!quant.uniform<i16:f64, 0.5>>) -> tensor<2x5x6x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @dynamic_pad_quantized(%arg0: tensor<4x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %arg2 = stablehlo.constant dense<[1, -1]> : tensor<2xi64>
  %arg3 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %arg4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<4x2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @concatenate_quantized(%arg0: tensor<2x3x!quant.uniform<u8:f32, 0.5:3>>, %arg1: tensor<1x3x!quant.uniform<u8:f32, 0.5:3>>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3x!quant.uniform<u8:f32, 0.5:3>>, tensor<1x3x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<3x3x!quant.uniform<u8:f32, 0.5:3>>
  return
}

func.func @dynamic_broadcast_in_dim_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3xindex>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64>} : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<3xindex>) -> tensor<4x8x3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dynamic_iota_quantized(%arg0: tensor<1xindex>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 0 : i64} : (tensor<1xindex>) -> tensor<6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dynamic_reshape_quantized(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>) {
  %arg1 = stablehlo.constant dense<[8, 3]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2xi32>) -> tensor<8x3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @get_dimension_size_quantized(%arg0: tensor<?x?x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 1 : i64} : (tensor<?x?x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<i32>
  return
}

func.func @set_dimension_size_quantized(%arg0: tensor<3x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<i32>) -> tensor<?x2x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<3, ?>>
  return
}

func.func @cbrt_quantized(%arg0: tensor<8x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<8x!quant.uniform<i8:f32, 0.5>>) -> tensor<8x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @cosine_quantized(%arg0: tensor<2x1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.cosine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @exponential_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.25>>) {
  %0 = "stablehlo.exponential"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<!quant.uniform<i8:f32, 0.25>>) -> tensor<!quant.uniform<i8:f32, 0.25>>
  return
}

func.func @exponential_minus_one_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.25>>) {
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<3x!quant.uniform<i8:f32, 0.25>>) -> tensor<3x!quant.uniform<i8:f32, 0.25>>
  return
}

func.func @log_quantized(%arg0: tensor<?x?x!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.log"(%arg0) : (tensor<?x?x!quant.uniform<i16:f64, 0.5>>) -> tensor<?x?x!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @log_plus_one_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.log_plus_one"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @logistic_quantized(%arg0: tensor<1x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.logistic"(%arg0) : (tensor<1x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @rsqrt_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @sine_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.sine"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @sqrt_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.sqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @tan_quantized(%arg0: tensor<3x1x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.tan"(%arg0) : (tensor<3x1x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x1x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @tanh_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @ceil_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.ceil"(%arg0) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @floor_quantized(%arg0: tensor<!quant.uniform<i16:f64, 0.5>>) {
  %0 = "stablehlo.floor"(%arg0) : (tensor<!quant.uniform<i16:f64, 0.5>>) -> tensor<!quant.uniform<i16:f64, 0.5>>
  return
}

func.func @round_nearest_afz_quantized(%arg0: tensor<4x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<4x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @round_nearest_even_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @sign_quantized(%arg0: tensor<1x4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.sign"(%arg0) : (tensor<1x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @negate_quantized(%arg0: tensor<6x6x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.negate"(%arg0) : (tensor<6x6x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<6x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @reduce_precision_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 5 : i32, mantissa_bits = 2 : i32} : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @cross_replica_sum_quantized(%arg0: tensor<3x8x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[3, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<3x8x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x8x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @add_quantized(%arg0: tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x3x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @atan2_quantized(%arg0: tensor<1x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x3x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<1x3x!quant.uniform<i8:f32, 0.5>>, tensor<1x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @divide_quantized(%arg0: tensor<8x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<8x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<8x!quant.uniform<i8:f32, 0.5>>, tensor<8x!quant.uniform<i8:f32, 0.5>>) -> tensor<8x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @power_quantized(%arg0: tensor<1x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @remainder_quantized(%arg0: tensor<6x2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<6x2x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<6x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<6x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<6x2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @subtract_quantized(%arg0: tensor<?x?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>, #stablehlo.bounds<2, ?, ?>>, %arg1: tensor<1x8x2x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) {
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<?x?x?x!quant.uniform<i8<-4:4>:f32, 2.0:-1>, #stablehlo.bounds<2, ?, ?>>, tensor<1x8x2x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>) -> tensor<1x8x2x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>
  return
}

func.func @maximum_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @minimum_quantized(%arg0: tensor<3x2x4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x2x4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<3x2x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @multiply_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<?x2x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<?x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @abs_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @is_finite_quantized(%arg0: tensor<2x1x!quant.uniform<u8:f32, 0.5:3>>) {
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<2x1x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<2x1xi1>
  return
}

func.func @compare_quantized(%arg0: tensor<6x6x?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, ?, 10>>, %arg1: tensor<6x6x8x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<6x6x?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<?, ?, 10>>, tensor<6x6x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<6x6x?xi1, #stablehlo.bounds<?, ?, 10>>
  return
}

func.func @select_quantized(%arg0: tensor<i1>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @clamp_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @uniform_quantize_quantized(%arg0: tensor<6xf32>) {
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @uniform_dequantize_quantized(%arg0: tensor<8x2x1x!quant.uniform<i8:f32:0, {2.0:-2, 2.0:-2, 2.0:-2, 0.5, 0.5, 0.25:1, 0.25:1, 0.25:1}>>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<8x2x1x!quant.uniform<i8:f32:0, {2.0:-2, 2.0:-2, 2.0:-2, 0.5, 0.5, 0.25:1, 0.25:1, 0.25:1}>>) -> tensor<8x2x1xf32>
  return
}

func.func @gather_quantized(%arg0: tensor<4x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>} : (tensor<4x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x1xi32>) -> tensor<4x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @dynamic_gather_quantized(%arg0: tensor<6x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<?x?xi8, #stablehlo.bounds<2, ?>>) {
  %arg2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 2>} : (tensor<6x!quant.uniform<i8:f32, 0.5>>, tensor<?x?xi8, #stablehlo.bounds<2, ?>>, tensor<1xi64>) -> tensor<?x2x?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<2, ?, ?>>
  return
}

func.func @cholesky_quantized(%arg0: tensor<2x3x1x1x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<2x3x1x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x1x1x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @chlo_ragged_dot_quantized(%arg0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<2xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2xi64>) -> tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @all_reduce_quantized(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<4x3x!quant.uniform<i8:f32, 0.5>>) {
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {replica_groups = dense<[[2, 3, 1, 0]]> : tensor<1x4xi64>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5>>, tensor<4x3x!quant.uniform<i8:f32, 0.5>>) -> (tensor<2x4x!quant.uniform<i8:f32, 0.5>>, tensor<4x3x!quant.uniform<i8:f32, 0.5>>)
  return
}

func.func @collective_reduce_quantized(%arg0: tensor<!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1xi32>) {
  %0 = "stablehlo.collective_reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {replica_groups = dense<[[3, 6, 4, 2], [7, 0, 1, 5]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, has_dynamic_root} : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<1xi32>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @reduce_scatter_quantized(%arg0: tensor<2x8x4x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[2, 1, 3, 0]]> : tensor<1x4xi64>} : (tensor<2x8x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x4x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @reduce_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {dimensions = array<i64>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @reduce_window_quantized(%arg0: tensor<1x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {window_dimensions = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @map_quantized(%arg0: tensor<3x1x3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<3x1x3x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.map"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {dimensions = array<i64: 0, 1, 2>} : (tensor<3x1x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x1x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x1x3x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @scatter_quantized(%arg0: tensor<1x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1x8x0xi64>, %arg2: tensor<2x1x8x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [], index_vector_dim = 2>} : (tensor<1x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x8x0xi64>, tensor<2x1x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @select_and_scatter_quantized(%arg0: tensor<2x16x12x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<?x?x?x!quant.uniform<i8:f32, 0.5>>, %arg2: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %r : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {window_dimensions = array<i64: 2, 2, 2>, window_strides = array<i64: 2, 2, 2>} : (tensor<2x16x12x!quant.uniform<i8:f32, 0.5>>, tensor<?x?x?x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x16x12x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @sort_quantized(%arg0: tensor<4x3x8x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.sort"(%arg0) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 0.5>>, %a1: tensor<!quant.uniform<i8:f32, 0.5>>):
      %r = "test.body"(%a0, %a1) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) {dimension = -2 : i64, is_stable = true} : (tensor<4x3x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x3x8x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @iota_quantized() {
  %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @tuple_quantized(%arg0: tensor<3x8x6x!quant.uniform<i16:f64, 0.5>>, %arg1: tensor<6x4xui64>) {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<3x8x6x!quant.uniform<i16:f64, 0.5>>, tensor<6x4xui64>) -> tuple<tensor<3x8x6x!quant.uniform<i16:f64, 0.5>>, tensor<6x4xui64>>
  return
}

func.func @get_tuple_element_quantized(%arg0: tuple<tensor<8x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<8x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>>) -> tensor<8x!quant.uniform<i8<-4:4>:f32, 2.0:-1>>
  return
}

func.func @infeed_quantized(%arg0: !stablehlo.token) {
  %0:3 = "stablehlo.infeed"(%arg0) {infeed_config = "a"} : (!stablehlo.token) -> (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<6xbf16>, !stablehlo.token)
  return
}

func.func @outfeed_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x3xui4>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1, %arg2) {outfeed_config = "a"} : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3xui4>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @recv_quantized(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<!quant.uniform<u8:f32, 0.5:3>>, !stablehlo.token)
  return
}

func.func @send_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<f8E4M3FN>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1, %arg2) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<f8E4M3FN>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @async_done_quantized(%arg0: !stablehlo.future<tensor<2x!quant.uniform<i8:f32, 0.25>>>) {
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<2x!quant.uniform<i8:f32, 0.25>>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

func.func private @decomposition(tensor<4x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5>>

func.func @composite_quantized(%arg0: tensor<4x6x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.composite"(%arg0) {name = "my.op", decomposition = @decomposition} : (tensor<4x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5>>
  return
}

func.func @async_start_quantized(%arg0: tensor<4x6x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%a0: tensor<4x6x!quant.uniform<i8:f32, 0.5>>):
      %1 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5>>
      stablehlo.return %1 : tensor<4x6x!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<4x6x!quant.uniform<i8:f32, 0.5>>) -> !stablehlo.future<tensor<4x6x!quant.uniform<i8:f32, 0.5>>>
  return
}

func.func @chlo_scan_quantized(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, %arg2: tensor<8x2xf64>) {
  %0:2 = "chlo.scan"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<2xf32>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %a2: tensor<8x2xf64>):
      %r:2 = "test.body"(%a0, %a1, %a2) : (tensor<2xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<8x2xf64>) -> (tensor<2xi1>, tensor<8x2xf64>)
      stablehlo.return %r#0, %r#1 : tensor<2xi1>, tensor<8x2xf64>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<8x2xf64>) -> (tensor<2x2xi1>, tensor<8x2xf64>)
  return
}
