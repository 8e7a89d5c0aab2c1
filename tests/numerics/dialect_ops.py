"""The ops of StableHLO and CHLO, those that a CPU does not execute in programs of their own."""

from __future__ import annotations

_STABLEHLO = """
    abs add after_all all_gather all_reduce all_to_all and async_done async_start atan2 batch_norm_grad
    batch_norm_inference batch_norm_training bitcast_convert broadcast broadcast_in_dim case cbrt ceil cholesky clamp
    collective_broadcast collective_permute compare complex composite concatenate constant convert convolution cosine
    count_leading_zeros create_token cross-replica-sum custom_call divide dot dot_general dynamic_broadcast_in_dim
    dynamic_conv dynamic_gather dynamic_iota dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice einsum
    exponential exponential_minus_one fft floor gather get_dimension_size get_tuple_element if imag infeed iota
    is_finite log log_plus_one logistic map maximum minimum multiply negate not optimization_barrier or outfeed pad
    partition_id popcnt power real real_dynamic_slice recv reduce reduce_precision reduce_scatter reduce_window
    remainder replica_id reshape return reverse rng rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter
    select select_and_scatter send set_dimension_size shift_left shift_right_arithmetic shift_right_logical sign sine
    slice sort sqrt subtract tan tanh torch_index_select transpose triangular_solve tuple unary_einsum
    uniform_dequantize uniform_quantize while xor
    """.split()

_CHLO = """
    _asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e broadcast_add broadcast_and broadcast_atan2
    broadcast_compare broadcast_complex broadcast_divide broadcast_maximum broadcast_minimum broadcast_multiply
    broadcast_next_after broadcast_or broadcast_polygamma broadcast_power broadcast_remainder broadcast_select
    broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract broadcast_xor
    broadcast_zeta conj constant constant_like cosh digamma erf erf_inv erfc is_inf is_neg_inf is_pos_inf lgamma mulhi
    next_after polygamma ragged_dot scan sinh square tan top_k zeta
    """.split()

ALL_OPS = [*(f"stablehlo.{name}" for name in _STABLEHLO), *(f"chlo.{name}" for name in _CHLO)]

ELSEWHERE = {
    **dict.fromkeys(
        [
            f"stablehlo.{name}"
            for name in (
                "all_gather all_reduce all_to_all collective_permute reduce_scatter collective_broadcast partition_id"
            ).split()
        ],
        "tests/execution/test_collectives.py: they mean something else on every device",
    ),
    "stablehlo.replica_id": "0 in all programs of JAX",
    "stablehlo.rng": "tests/numerics/test_random_bits.py",
    "stablehlo.rng_bit_generator": "tests/numerics/test_random_bits.py",
    "stablehlo.custom_call": "tests/execution and tests/numerics/test_jax_functions.py",
    "stablehlo.composite": "tests/numerics/test_partitioned_ops.py",
    "stablehlo.constant": "in all programs",
    "stablehlo.return": "in all programs with regions",
    "chlo.constant": "not printed by any framework",
    **dict.fromkeys(
        ["stablehlo.async_start", "stablehlo.async_done"],
        "lit_tests/passes/partitioning/asynchronous.mlir and its errors",
    ),
}
"""What tests an op, or why nothing does."""

_ARGUMENT = '%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'

_TRANSFERS = f"""
func.func @main({_ARGUMENT}) -> tensor<8x6xf32> {{
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.send"(%a, %0) {{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>,
    is_host_transfer = true}} : (tensor<8x6xf32>, !stablehlo.token) -> !stablehlo.token
  %2:2 = "stablehlo.recv"(%1) {{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>,
    is_host_transfer = true}} : (!stablehlo.token) -> (tensor<8x6xf32>, !stablehlo.token)
  %3 = sdy.sharding_constraint %2#0 <@mesh, [{{"x"}}, {{}}]> : tensor<8x6xf32>
  return %3 : tensor<8x6xf32>
}}
"""
_FEEDS = f"""
func.func @main({_ARGUMENT}) -> tensor<8x6xf32> {{
  %0 = stablehlo.create_token : !stablehlo.token
  %1:2 = "stablehlo.infeed"(%0) {{infeed_config = ""}} : (!stablehlo.token) -> (tensor<8x6xf32>, !stablehlo.token)
  %2 = stablehlo.add %1#0, %a : tensor<8x6xf32>
  %3 = "stablehlo.outfeed"(%2, %1#1) {{outfeed_config = ""}} : (tensor<8x6xf32>, !stablehlo.token) -> !stablehlo.token
  %4 = stablehlo.after_all %3, %0 : !stablehlo.token
  %5 = "stablehlo.outfeed"(%1#0, %4) {{outfeed_config = ""}} : (tensor<8x6xf32>, !stablehlo.token) -> !stablehlo.token
  return %2 : tensor<8x6xf32>
}}
"""
_QUANTIZED = f"""
func.func @main({_ARGUMENT}) -> tensor<8x6xf32> {{
  %0 = stablehlo.uniform_quantize %a : (tensor<8x6xf32>) -> tensor<8x6x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.add %0, %0 : tensor<8x6x!quant.uniform<i8:f32, 0.5:3>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<8x6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}}
"""
_CONVOLUTION = """
func.func @main(%a: tensor<8x9x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
                %b: tensor<3x4x6xf32>) -> tensor<8x9x6xf32> {
  %0 = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi32>
  %1 = "stablehlo.dynamic_conv"(%a, %b, %0) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}
    : (tensor<8x9x4xf32>, tensor<3x4x6xf32>, tensor<1x2xi32>) -> tensor<8x9x6xf32>
  return %1 : tensor<8x9x6xf32>
}
"""
_SUM = f"""
func.func @main({_ARGUMENT}) -> tensor<6xf32> {{
  %0 = "stablehlo.unary_einsum"(%a) {{einsum_config = "ij->j"}} : (tensor<8x6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}}
"""
_RAGGED = f"""
func.func @main({_ARGUMENT}, %b: tensor<2x6x4xf32>, %c: tensor<2xi32>) -> tensor<8x4xf32> {{
  %0 = "chlo.ragged_dot"(%a, %b, %c) {{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
    rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}}
    : (tensor<8x6xf32>, tensor<2x6x4xf32>, tensor<2xi32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}}
"""
_SUM_OF_REPLICAS = f"""
func.func @main({_ARGUMENT}) -> tensor<8x6xf32> {{
  %0 = "stablehlo.cross-replica-sum"(%a) <{{replica_groups = dense<[[0]]> : tensor<1x1xi64>}}>
    : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}}
"""
NOT_EXECUTED = {
    "stablehlo.cross-replica-sum": _SUM_OF_REPLICAS,
    **dict.fromkeys(["stablehlo.send", "stablehlo.recv"], _TRANSFERS),
    **dict.fromkeys([f"stablehlo.{op}" for op in ("infeed", "outfeed", "after_all", "create_token")], _FEEDS),
    **dict.fromkeys(["stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"], _QUANTIZED),
    "stablehlo.dynamic_conv": _CONVOLUTION,
    "stablehlo.unary_einsum": _SUM,
    "chlo.ragged_dot": _RAGGED,
}
"""Programs by the op for which XLA has no code on a CPU, or no code at all, or which nobody on the host answers."""

TAKEN_APART = f"""
func.func @main({_ARGUMENT}) -> tensor<8x6xf32> {{
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  %1 = stablehlo.tuple %0, %a : tuple<tensor<8x6xf32>, tensor<8x6xf32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<8x6xf32>, tensor<8x6xf32>>) -> tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}}
"""
"""A tuple of which only the elements are used."""
_PAIR = f"""
func.func @main({_ARGUMENT}) -> tensor<8x6xf32> {{
  %0 = stablehlo.tuple %a, %a : tuple<tensor<8x6xf32>, tensor<8x6xf32>>
  %1 = stablehlo.custom_call @taken(%0) : (tuple<tensor<8x6xf32>, tensor<8x6xf32>>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}}
"""
_RESIZED = f"""
func.func @main({_ARGUMENT}, %n: tensor<i32>) -> tensor<i32> {{
  %0 = "stablehlo.set_dimension_size"(%a, %n) {{dimension = 0 : i64}}
    : (tensor<8x6xf32>, tensor<i32>) -> tensor<?x6xf32, #stablehlo.bounds<8, ?>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x6xf32, #stablehlo.bounds<8, ?>>) -> tensor<i32>
  return %1 : tensor<i32>
}}
"""
REFUSED = {"stablehlo.tuple": _PAIR, "stablehlo.set_dimension_size": _RESIZED}
"""Programs by the op whose result has no static shape; propagation takes nothing else."""
ELSEWHERE["stablehlo.get_tuple_element"] = "with stablehlo.tuple"
