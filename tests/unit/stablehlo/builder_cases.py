"""A case for the builder of every op of StableHLO and CHLO: how it is called, and the types of what it makes."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from typing import Any

import numpy as np

from sdy.stablehlo import ops
from sdy.stablehlo.ops import chlo

MODULE = """
func.func private @twice(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %0 : tensor<2x3xf32>
}
func.func @main(
    %x: tensor<2x3xf32>, %m: tensor<3x3xf32>, %i: tensor<2x3xi32>, %p: tensor<2x3xi1>, %c: tensor<2x3xcomplex<f32>>,
    %d: tensor<?x3xf32>, %q: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %scalar: tensor<f32>, %flag: tensor<i1>,
    %index: tensor<i32>, %row: tensor<3xf32>, %pair: tensor<2xi64>, %state: tensor<2xui64>, %b: tensor<2x3xbf16>,
    %image: tensor<1x4x4x2xf32>, %kernel: tensor<2x2x2x8xf32>, %where: tensor<1xi64>) {
  return
}
"""

Values = dict[str, Any]
Build = Callable[[Values], Any]
GROUPS = [[0, 1], [2, 3]]
NUMBERS = ops.ConvDimensionNumbers.from_text("b01f", "01io", "b01f")


def unary(names: str, operand: str, result: str, family: Any = ops) -> dict[str, tuple[Build, str]]:
    """Ops of one operand, all with the same result."""
    return {
        full_name(name, family): (lambda v, name=name: getattr(family, builder_name(name))(v[operand]), result)
        for name in names.split()
    }


def binary(names: str, operand: str, result: str, family: Any = ops) -> dict[str, tuple[Build, str]]:
    return {
        full_name(name, family): (
            lambda v, name=name: getattr(family, builder_name(name))(v[operand], v[operand]),
            result,
        )
        for name in names.split()
    }


def full_name(name: str, family: Any) -> str:
    return f"{'chlo' if family is chlo else 'stablehlo'}.{name}"


def builder_name(name: str) -> str:
    """The name of the builder of an op."""
    short = name.rpartition(".")[2].replace("-", "_")
    return f"{short}_" if keyword.iskeyword(short) else short


X, N, P, C = "tensor<2x3xf32>", "tensor<2x3xi32>", "tensor<2x3xi1>", "tensor<2x3xcomplex<f32>>"
TOKEN = "!stablehlo.token"


def added(a: ops.Value, b: ops.Value) -> ops.Value:
    return a + b


CASES: dict[str, tuple[Build, str]] = {
    **unary(
        "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh ceil floor "
        "round_nearest_afz round_nearest_even sign negate",
        "x",
        X,
    ),
    **unary("not count_leading_zeros popcnt", "i", N),
    **unary("abs real imag", "c", X),
    **unary("is_finite", "x", P),
    **unary("uniform_dequantize", "q", X),
    **binary("add subtract multiply divide remainder power atan2 maximum minimum", "x", X),
    **binary("and or xor shift_left shift_right_arithmetic shift_right_logical", "i", N),
    **binary("complex", "x", C),
    **unary("acos acosh asin asinh atan atanh conj cosh sinh square tan", "x", X, chlo),
    **unary("bessel_i1e digamma erf erf_inv erfc lgamma", "x", X, chlo),
    **unary("is_inf is_neg_inf is_pos_inf", "x", P, chlo),
    **unary("_asin_acos_kernel", "c", C, chlo),
    **binary("next_after polygamma zeta", "x", X, chlo),
    **binary("mulhi", "i", N, chlo),
    **{
        f"chlo.broadcast_{name}": (lambda v, name=name: getattr(chlo, f"broadcast_{name}")(v["x"], v["row"], [1]), X)
        for name in (
            "add atan2 divide maximum minimum multiply next_after polygamma power remainder subtract zeta".split()
        )
    },
    **binary(
        "broadcast_and broadcast_or broadcast_xor broadcast_shift_left broadcast_shift_right_arithmetic "
        "broadcast_shift_right_logical",
        "i",
        N,
        chlo,
    ),
    "chlo.broadcast_complex": (lambda v: chlo.broadcast_complex(v["x"], v["row"]), C),
    "chlo.broadcast_compare": (lambda v: chlo.broadcast_compare(v["x"], v["row"], "LT", "FLOAT"), P),
    "chlo.broadcast_select": (lambda v: chlo.broadcast_select(v["flag"], v["x"], v["row"]), X),
    "chlo.top_k": (lambda v: chlo.top_k(v["x"], 2), "tensor<2x2xf32> tensor<2x2xi32>"),
    "chlo.scan": (
        lambda v: chlo.scan([v["x"]], [v["row"]], 0, lambda row, total: [row + total, row + total], is_reverse=True),
        "tensor<2x3xf32> tensor<3xf32>",
    ),
    "chlo.constant": (lambda v: chlo.constant([1, 2], "i8"), "tensor<2xi8>"),
    "chlo.constant_like": (lambda v: chlo.constant_like(v["d"], 1.5), "tensor<?x3xf32>"),
    "chlo.ragged_dot": (
        lambda v: chlo.ragged_dot(
            v["x"],
            ops.constant(np.zeros((2, 3, 5), np.float32)),
            v["pair"],
            ops.RaggedDotDimensionNumbers([], [], [1], [1], [0], [0]),
        ),
        "tensor<2x5xf32>",
    ),
    "stablehlo.reduce_precision": (lambda v: ops.reduce_precision(v["x"], 5, 10), X),
    "stablehlo.compare": (lambda v: ops.compare(v["x"], v["x"], "LT", "TOTALORDER"), P),
    "stablehlo.select": (lambda v: ops.select(v["flag"], v["x"], v["x"]), X),
    "stablehlo.clamp": (lambda v: ops.clamp(v["scalar"], v["x"], v["scalar"]), X),
    "stablehlo.constant": (lambda v: ops.constant(1, "tensor<4xui8>"), "tensor<4xui8>"),
    "stablehlo.iota": (lambda v: ops.iota(N, 1), N),
    "stablehlo.dynamic_iota": (lambda v: ops.dynamic_iota(v["pair"], 1, "tensor<?x?xf32>"), "tensor<?x?xf32>"),
    "stablehlo.rng": (lambda v: ops.rng(v["scalar"], v["scalar"], v["pair"], "NORMAL"), "tensor<?x?xf32>"),
    "stablehlo.rng_bit_generator": (
        lambda v: ops.rng_bit_generator(v["state"], "tensor<5xui32>", "THREE_FRY"),
        "tensor<2xui64> tensor<5xui32>",
    ),
    "stablehlo.partition_id": (lambda v: ops.partition_id(), "tensor<ui32>"),
    "stablehlo.replica_id": (lambda v: ops.replica_id(), "tensor<ui32>"),
    "stablehlo.reshape": (lambda v: ops.reshape(v["x"], [3, 2]), "tensor<3x2xf32>"),
    "stablehlo.dynamic_reshape": (
        lambda v: ops.dynamic_reshape(v["x"], v["pair"], [None, 2]),
        "tensor<?x2xf32>",
    ),
    "stablehlo.broadcast": (lambda v: ops.broadcast(v["row"], [2]), X),
    "stablehlo.broadcast_in_dim": (lambda v: ops.broadcast_in_dim(v["row"], [2, 3], [1]), X),
    "stablehlo.dynamic_broadcast_in_dim": (
        lambda v: ops.dynamic_broadcast_in_dim(v["row"], v["pair"], [None, 3], [1], [], [0]),
        "tensor<?x3xf32>",
    ),
    "stablehlo.transpose": (lambda v: ops.transpose(v["x"], [1, 0]), "tensor<3x2xf32>"),
    "stablehlo.reverse": (lambda v: ops.reverse(v["x"], [1]), X),
    "stablehlo.get_dimension_size": (lambda v: ops.get_dimension_size(v["d"], 0), "tensor<i32>"),
    "stablehlo.set_dimension_size": (
        lambda v: ops.set_dimension_size(v["x"], v["index"], 0),
        "tensor<?x3xf32, #stablehlo.bounds<2, ?>>",
    ),
    "stablehlo.optimization_barrier": (lambda v: ops.optimization_barrier([v["x"], v["i"]]), f"{X} {N}"),
    "stablehlo.convert": (lambda v: ops.convert(v["x"], "bf16"), "tensor<2x3xbf16>"),
    "stablehlo.bitcast_convert": (lambda v: ops.bitcast_convert(v["x"], N), N),
    "stablehlo.uniform_quantize": (
        lambda v: ops.uniform_quantize(v["x"], "!quant.uniform<i8:f32, 0.5>"),
        "tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>",
    ),
    "stablehlo.slice": (lambda v: ops.slice(v["x"], [0, 1], [2, 3]), "tensor<2x2xf32>"),
    "stablehlo.dynamic_slice": (
        lambda v: ops.dynamic_slice(v["x"], [v["index"], v["index"]], [1, 2]),
        "tensor<1x2xf32>",
    ),
    "stablehlo.dynamic_update_slice": (
        lambda v: ops.dynamic_update_slice(v["m"], v["x"], [v["index"], v["index"]]),
        "tensor<3x3xf32>",
    ),
    "stablehlo.real_dynamic_slice": (
        lambda v: ops.real_dynamic_slice(v["x"], v["pair"], v["pair"], v["pair"], "tensor<?x?xf32>"),
        "tensor<?x?xf32>",
    ),
    "stablehlo.pad": (lambda v: ops.pad(v["x"], v["scalar"], [0, 1], [1, -1]), "tensor<3x3xf32>"),
    "stablehlo.dynamic_pad": (
        lambda v: ops.dynamic_pad(v["x"], v["scalar"], v["pair"], v["pair"], v["pair"], "tensor<?x?xf32>"),
        "tensor<?x?xf32>",
    ),
    "stablehlo.concatenate": (lambda v: ops.concatenate([v["x"], v["x"], v["m"]], 0), "tensor<7x3xf32>"),
    "stablehlo.gather": (
        lambda v: ops.gather(
            v["x"],
            v["pair"],
            [1, 3],
            offset_dims=[1],
            collapsed_slice_dims=[0],
            start_index_map=[0],
            index_vector_dim=1,
        ),
        X,
    ),
    "stablehlo.dynamic_gather": (
        lambda v: ops.dynamic_gather(
            v["x"], v["pair"], ops.constant([1, 3]), ops.GatherDimensionNumbers([1], [0], [], [], [0], 1)
        ),
        X,
    ),
    "stablehlo.torch_index_select": (lambda v: ops.torch_index_select(v["x"], v["pair"], 1), "tensor<2x2xf32>"),
    "stablehlo.dot_general": (
        lambda v: ops.dot_general(v["x"], v["m"], contracting=([1], [0]), precision="HIGHEST"),
        X,
    ),
    "stablehlo.dot": (lambda v: ops.dot(v["x"], v["m"], element_type="f64"), "tensor<2x3xf64>"),
    "stablehlo.convolution": (
        lambda v: ops.convolution(v["image"], v["kernel"], NUMBERS, window_strides=[2, 1], padding=[(0, 0), (1, 0)]),
        "tensor<1x2x4x8xf32>",
    ),
    "stablehlo.dynamic_conv": (
        lambda v: ops.dynamic_conv(v["image"], v["kernel"], ops.constant([[0, 0], [1, 0]]), NUMBERS),
        "tensor<1x3x4x8xf32>",
    ),
    "stablehlo.einsum": (lambda v: ops.einsum(v["x"], v["m"], "ij,jk->ik"), X),
    "stablehlo.unary_einsum": (lambda v: ops.unary_einsum(v["x"], "ij->j"), "tensor<3xf32>"),
    "stablehlo.cholesky": (lambda v: ops.cholesky(v["m"], True), "tensor<3x3xf32>"),
    "stablehlo.triangular_solve": (
        lambda v: ops.triangular_solve(v["m"], v["m"], left_side=True, lower=False),
        "tensor<3x3xf32>",
    ),
    "stablehlo.fft": (lambda v: ops.fft(v["x"], "RFFT", [3]), "tensor<2x2xcomplex<f32>>"),
    "stablehlo.batch_norm_inference": (
        lambda v: ops.batch_norm_inference(
            v["x"], v["row"], v["row"], v["row"], v["row"], epsilon=0.5, feature_index=1
        ),
        X,
    ),
    "stablehlo.batch_norm_training": (
        lambda v: ops.batch_norm_training(v["x"], v["row"], v["row"], epsilon=0.5, feature_index=1),
        f"{X} tensor<3xf32> tensor<3xf32>",
    ),
    "stablehlo.batch_norm_grad": (
        lambda v: ops.batch_norm_grad(v["x"], v["row"], v["row"], v["row"], v["x"], epsilon=0.5, feature_index=1),
        f"{X} tensor<3xf32> tensor<3xf32>",
    ),
    "stablehlo.reduce": (
        lambda v: ops.reduce(
            [v["x"], v["i"]], [v["scalar"], v["index"]], [0], lambda a, i, b, j: (ops.maximum(a, b), i | j)
        ),
        "tensor<3xf32> tensor<3xi32>",
    ),
    "stablehlo.reduce_window": (
        lambda v: ops.reduce_window(v["x"], v["scalar"], [1, 2], added, padding=[(0, 0), (1, 0)]),
        X,
    ),
    "stablehlo.map": (lambda v: ops.map([v["x"], v["x"]], [0, 1], lambda a, b: a < b), P),
    "stablehlo.sort": (
        lambda v: ops.sort([v["x"], v["i"]], lambda a, b, i, j: ops.select(a < b, a < b, i < j), 0, True),
        f"{X} {N}",
    ),
    "stablehlo.scatter": (
        lambda v: ops.scatter(
            v["x"],
            v["where"],
            v["row"],
            ops.add,
            update_window_dims=[0],
            inserted_window_dims=[0],
            scatter_dims_to_operand_dims=[0],
            index_vector_dim=0,
            unique_indices=True,
        ),
        X,
    ),
    "stablehlo.select_and_scatter": (
        lambda v: ops.select_and_scatter(
            v["m"],
            ops.slice(v["m"], [0, 0], [2, 2]),
            v["scalar"],
            lambda a, b: a >= b,
            ops.add,
            window_dimensions=[2, 2],
        ),
        "tensor<3x3xf32>",
    ),
    "stablehlo.if": (lambda v: ops.if_(v["flag"], lambda: [v["x"], v["i"]], lambda: [-v["x"], ~v["i"]]), f"{X} {N}"),
    "stablehlo.case": (lambda v: ops.case(v["index"], [lambda: v["x"], lambda: v["x"] * 2.0]), X),
    "stablehlo.while": (
        lambda v: ops.while_([v["index"], v["x"]], lambda i, x: i < 10, lambda i, x: [1 + i, 2.0 / x]),
        f"tensor<i32> {X}",
    ),
    "stablehlo.all_gather": (
        lambda v: ops.all_gather(v["x"], 1, GROUPS, channel=1, use_global_device_ids=True),
        "tensor<2x6xf32>",
    ),
    "stablehlo.all_to_all": (lambda v: ops.all_to_all(v["x"], 0, 1, 2, GROUPS), "tensor<1x6xf32>"),
    "stablehlo.collective_permute": (lambda v: ops.collective_permute(v["x"], [(0, 1), (1, 0)], channel=(3, 1)), X),
    "stablehlo.collective_broadcast": (lambda v: ops.collective_broadcast(v["x"], [[0, 1]]), X),
    "stablehlo.all_reduce": (lambda v: ops.all_reduce([v["x"], v["m"]], [[0, 1], [2]], added), f"{X} tensor<3x3xf32>"),
    "stablehlo.reduce_scatter": (lambda v: ops.reduce_scatter(v["x"], 0, GROUPS, ops.add), "tensor<1x3xf32>"),
    "stablehlo.cross-replica-sum": (lambda v: ops.cross_replica_sum(v["x"], GROUPS), X),
    "stablehlo.async_start": (
        lambda v: ops.async_start([v["x"]], lambda x: ops.slice(x, [0, 0], [1, 3])),
        "!stablehlo.future<tensor<1x3xf32>>",
    ),
    "stablehlo.async_done": (
        lambda v: ops.async_done(ops.async_start([v["x"]], lambda x: ops.slice(x, [0, 0], [1, 3]))),
        "tensor<1x3xf32>",
    ),
    "stablehlo.create_token": (lambda v: ops.create_token(), TOKEN),
    "stablehlo.after_all": (lambda v: ops.after_all([ops.create_token()]), TOKEN),
    "stablehlo.tuple": (lambda v: ops.tuple([v["x"], v["index"]]), f"tuple<{X}, tensor<i32>>"),
    "stablehlo.get_tuple_element": (lambda v: ops.get_tuple_element(ops.tuple([v["x"], v["index"]]), 1), "tensor<i32>"),
    "stablehlo.infeed": (lambda v: ops.infeed(ops.create_token(), [X], "config", [[0, 1]]), f"{X} {TOKEN}"),
    "stablehlo.outfeed": (lambda v: ops.outfeed([v["x"]], ops.create_token()), TOKEN),
    "stablehlo.send": (lambda v: ops.send([v["x"]], ops.create_token(), (1, 2), is_host_transfer=True), TOKEN),
    "stablehlo.recv": (
        lambda v: ops.recv(ops.create_token(), 5, [X], source_target_pairs=[(0, 1)]),
        f"{X} {TOKEN}",
    ),
    "stablehlo.custom_call": (
        lambda v: ops.custom_call(
            [v["x"]],
            "target",
            [X],
            backend_config={"size": 3, "name": "n", "scale": 0.5, "rows": [1, True]},
            api_version=4,
            operand_layouts=[[1, 0]],
            result_layouts=[[0, 1]],
            output_operand_aliases=[((), 0, ())],
            has_side_effect=False,
        ),
        X,
    ),
    "stablehlo.composite": (
        lambda v: ops.composite([v["x"]], "mine.twice", "twice", composite_attributes={"axis": 1}, version=1),
        X,
    ),
}
