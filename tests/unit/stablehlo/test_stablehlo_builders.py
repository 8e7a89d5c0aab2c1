"""`sdy.stablehlo.ops`: every op is built, printed and parsed again, and what is wrong is an error with a location."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import sdy
from sdy.mlir import ir, load_chlo
from sdy.stablehlo import InferenceError, ops, verify_module
from sdy.stablehlo.declarations import declared_ops
from sdy.stablehlo.ops import chlo
from tests.depth import ALL

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


@pytest.fixture(scope="module")
def context() -> ir.Context:
    context = sdy.make_context()
    load_chlo(context)
    return context


@pytest.fixture
def module(context: ir.Context) -> ir.Module:
    return ir.Module.parse(MODULE, context)


@pytest.fixture
def values(module: ir.Module) -> Iterator[Values]:
    """The arguments of the function by name, while its end is the insertion point."""
    function = module.body.operations[1]
    block = function.regions[0].blocks[0]
    names = "x m i p c d q scalar flag index row pair state b image kernel where".split()
    with ir.InsertionPoint(block.operations[0]), ir.Location.name("here", context=module.context):
        yield dict(zip(names, map(ops.Value, block.arguments), strict=True))


def unary(names: str, operand: str, result: str, family: Any = ops) -> dict[str, tuple[Build, str]]:
    """Ops of one operand, all with the same result."""
    return {
        _full(name, family): (lambda v, name=name: getattr(family, _function(name))(v[operand]), result)
        for name in names.split()
    }


def binary(names: str, operand: str, result: str, family: Any = ops) -> dict[str, tuple[Build, str]]:
    return {
        _full(name, family): (lambda v, name=name: getattr(family, _function(name))(v[operand], v[operand]), result)
        for name in names.split()
    }


def _full(name: str, family: Any) -> str:
    return f"{'chlo' if family is chlo else 'stablehlo'}.{name}"


def _function(name: str) -> str:
    """The name of the builder of an op."""
    short = name.rpartition(".")[2].replace("-", "_")
    return f"{short}_" if keyword.iskeyword(short) else short


X, N, P, C = "tensor<2x3xf32>", "tensor<2x3xi32>", "tensor<2x3xi1>", "tensor<2x3xcomplex<f32>>"
TOKEN = "!stablehlo.token"


def _add(a: ops.Value, b: ops.Value) -> ops.Value:
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
        lambda v: ops.reduce_window(v["x"], v["scalar"], [1, 2], _add, padding=[(0, 0), (1, 0)]),
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
    "stablehlo.all_reduce": (lambda v: ops.all_reduce([v["x"], v["m"]], [[0, 1], [2]], _add), f"{X} tensor<3x3xf32>"),
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


def _texts(result: Any) -> str:
    return " ".join(str(value.type) for value in (result if isinstance(result, tuple) else [result]))


def test_every_op_is_built_printed_and_parsed(module: ir.Module, values: Values) -> None:
    for name, (build, types) in CASES.items():
        result = build(values)
        first = result[0] if isinstance(result, tuple) else result
        assert first.owner.name == name
        assert _texts(result) == types, name
    verify_module(module.operation)
    printed = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    again = ir.Module.parse(printed, module.context)
    assert again.operation.get_asm(print_generic_op_form=True, enable_debug_info=True) == printed
    pretty = str(module)
    assert str(ir.Module.parse(pretty, module.context)) == pretty


LATER = {"stablehlo.collective_reduce"}
"""What the registered dialect does not have yet."""


def test_every_op_has_a_builder_and_a_case() -> None:
    for name in declared_ops():
        family = chlo if name.startswith("chlo.") else ops
        assert inspect.isfunction(getattr(family, _function(name), None)), name
    assert set(declared_ops()) - set(CASES) == {"stablehlo.return"} | LATER
    for family in (ops, chlo):
        for function in filter(inspect.isfunction, vars(family).values()):
            if function.__module__.startswith("sdy.stablehlo.ops.") and function.__name__ in vars(family).get(
                "__all__", vars(family)
            ):
                assert function.__doc__ or function.__name__.startswith("_"), function


def test_results_are_values_with_operators(values: Values) -> None:
    x = values["x"]
    names = [
        (value.owner.name, str(value.type))
        for value in (x + 1, 1 - x, x * x, x / 2.0, x % x, x**2, -x, x <= x, x > 0, ~(x < x), (x < x) & (x >= 1))
    ]
    expected = "add subtract multiply divide remainder power negate compare compare not and".split()
    assert [name for name, _ in names] == [f"stablehlo.{name}" for name in expected]
    assert {types for _, types in names} == {X, P}
    assert x == values["x"]
    assert len({x, ops.Value(x)}) == 1
    with pytest.raises(TypeError, match=r"ops\.if_"):
        bool(x < x)


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (True, None, "dense<true> : tensor<i1>"),
        (3, None, "dense<3> : tensor<i32>"),
        (0.5, None, "dense<5.000000e-01> : tensor<f32>"),
        (1 + 2j, None, "dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>"),
        (-1, "tensor<2x2xi64>", "dense<-1> : tensor<2x2xi64>"),
        (2**64 - 1, "ui64", "dense<18446744073709551615> : tensor<ui64>"),
        ([1, 200], "ui8", "dense<[1, 200]> : tensor<2xui8>"),
        ([[1, -8]], "i4", "dense<[[1, -8]]> : tensor<1x2xi4>"),
        ([1.0, 0.5], "bf16", "dense<[1.000000e+00, 5.000000e-01]> : tensor<2xbf16>"),
        ([1.0, 0.5], "f8E4M3FN", "dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf8E4M3FN>"),
        ([True, False], None, "dense<[true, false]> : tensor<2xi1>"),
        ([], "f32", "dense<> : tensor<0xf32>"),
        (np.arange(3, dtype=np.int16), None, "dense<[0, 1, 2]> : tensor<3xi16>"),
        (np.array([1, 2], np.float16), None, "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>"),
        (
            np.array([1, 2j]),
            None,
            "dense<[(1.000000e+00,0.000000e+00), (0.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f64>>",
        ),
    ],
)
def test_constants(values: Values, value: Any, type_: str | None, text: str) -> None:
    assert str(ops.constant(value, type_).owner.attributes["value"]) == text


WRONG: dict[str, tuple[Build, str]] = {
    "no value": (lambda v: ops.add(v["x"], 1), "add_i2"),  # pyright: ignore[reportArgumentType]
    "types that differ": (lambda v: ops.add(v["x"], v["i"]), "add_c1"),
    "element types": (lambda v: ops.sine(v["i"]), "sine_i1"),
    "a name that is none": (lambda v: ops.compare(v["x"], v["x"], "XX"), "compare_i3"),
    "a name of chlo's": (lambda v: chlo.broadcast_compare(v["x"], v["x"], "XX"), "broadcast_compare_i4"),
    "no whole number": (lambda v: ops.transpose(v["x"], [0.5, 1]), "transpose_i2"),  # pyright: ignore[reportArgumentType]
    "text": (lambda v: ops.transpose(v["x"], "10"), "transpose_i2"),  # pyright: ignore[reportArgumentType]
    "64 bits": (lambda v: ops.transpose(v["x"], [1 << 70, 0]), "transpose_i2"),
    "32 bits": (lambda v: ops.reduce_precision(v["x"], 1 << 40, 3), "reduce_precision_i2"),
    "out of range": (lambda v: ops.transpose(v["x"], [0, 2]), "transpose_c2"),
    "not inferable": (lambda v: ops.reshape(v["x"], [4]), "reshape_c2"),
    "negative size": (lambda v: ops.reshape(v["x"], [-6]), "reshape_results"),
    "no type": (lambda v: ops.iota("tensor<", 0), "iota_results"),
    "no element type": (lambda v: ops.convert(v["x"], "f31"), "convert_results"),
    "overflow": (lambda v: ops.pad(v["x"], v["scalar"], [0, 2**62], [0, 2**62]), "pad_c4"),
    "dimension numbers": (lambda v: ops.dot_general(v["x"], v["m"], contracting=1), "dot_general_i3"),  # pyright: ignore[reportArgumentType]
    "sizes": (lambda v: ops.dot_general(v["x"], v["m"], contracting=([0], [0])), "dot_general_c10"),
    "a constant of text": (lambda v: ops.constant("one"), "constant_i1"),
    "a value that does not fit": (lambda v: ops.constant([1, 300], "ui8"), "constant_i1"),
    "fractions": (lambda v: ops.constant([0.5], "i32"), "constant_i1"),
    "a shape that does not fit": (lambda v: ops.constant([1, 2], "tensor<3xi32>"), "constant_i1"),
    "no function": (lambda v: ops.reduce(v["x"], v["scalar"], [0], "add"), "reduce_body"),  # pyright: ignore[reportArgumentType]
    "too few arguments": (lambda v: ops.reduce(v["x"], v["scalar"], [0], lambda a: a), "reduce_body"),
    "no values returned": (lambda v: ops.reduce(v["x"], v["scalar"], [0], lambda a, b: 1), "reduce_body"),  # pyright: ignore[reportArgumentType]
    "another type returned": (lambda v: ops.reduce(v["x"], v["scalar"], [0], lambda a, b: a < b), "reduce_c6"),
    "condition": (lambda v: ops.while_(v["index"], lambda i: i, lambda i: i), "while_c1"),
    "branches": (lambda v: ops.if_(v["flag"], lambda: v["x"], lambda: v["i"]), "if_c2"),
    "inside of a body": (lambda v: ops.map([v["x"]], [0, 1], lambda a: ops.reshape(a, [2])), "reshape_c2"),
    "groups": (lambda v: ops.all_gather(v["x"], 0, 3), "all_gather_i3"),
    "no decomposition": (lambda v: ops.composite([v["x"]], "a.b", "nothing"), "composite_c2"),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_are_at_the_caller_and_leave_nothing(module: ir.Module, values: Values, case: str) -> None:
    build, constraint = WRONG[case]
    before = str(module)
    with pytest.raises(InferenceError) as caught:
        build(values)
    assert caught.value.constraint == constraint, str(caught.value)
    assert str(caught.value.location) == 'loc("here")'
    assert str(module) == before


def test_locations_and_insertion_points(context: ir.Context) -> None:
    module = ir.Module.parse(MODULE, context)
    block = module.body.operations[1].regions[0].blocks[0]
    x = ops.Value(block.arguments[0])
    end = ir.InsertionPoint(block.operations[0])
    first = ops.tanh(x, ip=end)
    assert "test_stablehlo_builders.py" in str(first.owner.location)
    second = ops.map([first], [0, 1], lambda a: a + a, loc=ir.Location.name("m", context=context), ip=end)
    (inner, _) = second.owner.regions[0].blocks[0].operations
    assert str(second.owner.location) == str(inner.location) == 'loc("m")'
    assert [op.operation.name for op in block.operations] == ["stablehlo.tanh", "stablehlo.map", "func.return"]
    with pytest.raises(InferenceError) as caught:
        ops.transpose(x, [0], ip=end)
    assert "test_stablehlo_builders.py" in str(caught.value.location)
    with pytest.raises(InferenceError, match="needs an insertion point"):
        _add(x, x)


def test_wider_body(values: Values) -> None:
    """The region of a reduction may compute in a wider type than its operands have."""
    zero = ops.constant(0.0, "bf16")
    result = ops.reduce(values["b"], zero, [1], ops.add, element_type="f32")
    assert str(result.type) == "tensor<2xf32>"


NO_PART: Any = "x"
JUNK: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    2**31,
    2**63,
    2**70,
    0.5,
    "EQ",
    "f32",
    "tensor<2x3xf32>",
    "tensor<?x",
    "",
    " // f32",
    [],
    [0],
    [1, 0],
    [0.5],
    ["a"],
    [[0, 1]],
    [[0], [1, 2]],
    [(0, 1), (1, 0)],
    [-(2**62), 2**62],
    {},
    {"a": 1},
    {1: 2},
    object(),
    np.zeros((2, 2)),
    ops.add,
    lambda *values: values[:1],
    lambda *values: None,
    lambda *values: 3,
    ([1], [0]),
    [lambda: ()],
    ["f32"],
    ops.GatherDimensionNumbers([1], [0], [], [], [0], 1),
    ops.RaggedDotDimensionNumbers([], [], [1], [1], [0], [0]),
    ops.ScatterDimensionNumbers([], [], [], [], NO_PART, NO_PART),
    NUMBERS,
    ops.DotAlgorithm("f32", "f3", "f32"),
    ops.ResultAccuracy("X"),
    ops.ResultAccuracy(ulps=2**70),
]


def test_anything_else_is_an_inference_error(values: Values) -> None:
    """Whatever the builders are given, they make an op or raise an `InferenceError`."""
    random = Random(0)
    builders = [getattr(chlo if name[0] == "c" else ops, _function(name)) for name in declared_ops()]
    made = 0
    for build in builders * (200 if ALL else 6):
        drawn: dict[str, Any] = {}
        for name in list(inspect.signature(build).parameters)[:-2]:
            value = random.choice(random.choice([JUNK, list(values.values())]))
            drawn[name] = [value] if random.random() < 0.1 else value
        try:
            build(**drawn)
            made += 1
        except InferenceError as error:
            assert error.location is not None
    assert made


# At one place --------------------------------------------------------------------------------------------------------


def test_a_builder_has_every_function(values: Values) -> None:
    functions = {name for name in ops.__all__ if inspect.isfunction(getattr(ops, name))}
    assert functions == {name for name in vars(ops.Builder) if name in ops.__all__}
    x = values["x"]
    b = ops.Builder.before(ops.negate(x).owner)
    b.location = ir.Location.name("there", context=x.type.context)
    made = b.add(b.multiply(x, x), x)
    assert "there" in str(made.owner.location)
    assert made.owner.operation.is_before_in_block(ops.negate(x).owner.operation)


def test_values_are_results_and_arguments(values: Values) -> None:
    """Whoever asks what a value is gets the answer of the bindings."""
    x = values["x"]
    assert isinstance(x, ir.BlockArgument) and isinstance(x, ops.Value) and x.arg_number == 0
    made = x + 1.0
    assert isinstance(made, ir.OpResult) and isinstance(made, ops.Value) and made.result_number == 0
    assert not isinstance(made, ir.BlockArgument)


def test_regions_are_copied(values: Values) -> None:
    x, init = values["x"], ops.constant(0.0)
    wide = ops.reduce(x, init, [1], lambda a, b: ops.maximum(a, ops.if_(a < b, lambda: b, lambda: a)))
    copy = ops.reduce(x, init, [1], wide.owner.regions[0])
    text = str(copy.owner.operation)
    assert text.count("stablehlo.maximum") == 1 and text.count("stablehlo.return") == 3
    assert str(wide.owner.regions[0].blocks[0]) == str(copy.owner.regions[0].blocks[0])
    with pytest.raises(InferenceError, match="all_reduce_c5"):
        ops.all_reduce(values["i"], GROUPS, wide.owner.regions[0], channel=1)


LIKE_VALID_ONES: dict[str, tuple[Build, Build]] = {
    "another attribute": (lambda v: ops.transpose(v["x"], [1, 0]), lambda v: ops.transpose(v["x"], [1, 1])),
    "another type": (lambda v: ops.add(v["x"], v["x"]), lambda v: ops.add(v["x"], v["i"])),
    "another result": (lambda v: ops.reshape(v["x"], [6]), lambda v: ops.reshape(v["x"], [5])),
    "another element": (
        lambda v: ops.dot_general(v["x"], v["m"], contracting=([1], [0])),
        lambda v: ops.dot_general(v["x"], v["m"], contracting=([1], [0]), element_type="i32x"),
    ),
    "another channel": (
        lambda v: ops.all_reduce(v["x"], GROUPS, ops.add, channel=1, use_global_device_ids=True),
        lambda v: ops.all_reduce(v["x"], GROUPS, ops.add, channel=0, use_global_device_ids=True),
    ),
    "other groups": (
        lambda v: ops.all_gather(v["x"], 0, GROUPS),
        lambda v: ops.all_gather(v["x"], 0, [[0, 1], [1, 2]]),
    ),
    "another body": (
        lambda v: ops.reduce(v["x"], ops.constant(0.0), [0], ops.add),
        lambda v: ops.reduce(v["x"], ops.constant(0.0), [0], lambda a, b: a < b),
    ),
    "another value": (
        lambda v: ops.constant([1, 2], "i32"),
        lambda v: ops.constant([1, 2], "tensor<3xi32>"),
    ),
}
"""Valid ops, and ones that are like them but for one thing."""


@pytest.mark.parametrize("case", LIKE_VALID_ONES)
def test_what_is_remembered_of_valid_ops_holds_for_no_others(values: Values, case: str) -> None:
    valid, wrong = LIKE_VALID_ONES[case]
    first, second = valid(values), valid(values)
    assert first.type == second.type and first != second
    with pytest.raises(InferenceError):
        wrong(values)


@pytest.mark.parametrize("body", [ops.add, ops.and_, ops.maximum, ops.minimum, ops.multiply, ops.or_, ops.xor])
def test_bodies_of_one_op_are_the_same_when_made_again(values: Values, body: Any) -> None:
    operand = values["i"]
    first, second = (ops.all_reduce(operand, GROUPS, body, channel=1) for _ in range(2))
    name = f"stablehlo.{body.__name__.rstrip('_')}"
    for made in (first, second):
        inner, end = made.owner.regions[0].blocks[0].operations
        assert (inner.operation.name, end.operation.name) == (name, "stablehlo.return")
        assert inner.operation.location == end.operation.location == made.owner.location
    assert str(first.owner.regions[0].blocks[0]) == str(second.owner.regions[0].blocks[0])
