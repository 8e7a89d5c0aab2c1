"""The rules that several ops share, one by one (spec: type-inference, 2.3)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import sdy
from sdy.mlir import ir
from sdy.stablehlo.body_rules import WindowDimension
from sdy.stablehlo.families.dot import is_known_algorithm
from sdy.stablehlo.ops.attribute_writers import int64s
from sdy.stablehlo.ops.constants import as_tensor_type
from sdy.stablehlo.traits import equal_parameters
from sdy.stablehlo.types.elements import (
    BOOL,
    I32,
    Element,
    Kind,
    Quantized,
    complex_element,
    float_element,
    integer_element,
    is_promotable,
    same_baseline,
)
from sdy.stablehlo.types.sizes import (
    DYNAMIC,
    SizeConflict,
    compatible_shapes,
    concatenated,
    least_specific,
    most_specific,
)
from sdy.stablehlo.types.value_types import (
    LARGEST,
    TOKEN,
    Plain,
    Tensor,
    Unwritable,
    check_sizes,
    compatible_lists,
    compatible_types,
    joined,
    merged,
)

F32, F64 = float_element("f32"), float_element("f64")
Q = DYNAMIC


def quantized(axis: int | None = None, scales: tuple[float, ...] = (0.5,)) -> Quantized:
    return Quantized("q", "QT", Kind.QUANTIZED, 8, scales=scales, zero_points=(0,) * len(scales), axis=axis)


@pytest.mark.parametrize(
    ("first", "second", "fit"),
    [((2, 3), (2, 3), True), ((2, Q), (2, 3), True), ((2, Q), (2,), False), ((2,), (3,), False)],
)
def test_compatible_shapes(first: tuple[int, ...], second: tuple[int, ...], fit: bool) -> None:
    assert compatible_shapes(first, second) is compatible_shapes(second, first) is fit


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ((3, Q), (3, Q), (3, Q)),
        ((3, Q), (Q, Q), (3, Q)),
        ((3, Q), (Q, 5), (3, Q)),
        ((Q, Q), (Q, Q), (Q, Q)),
        ((Q, Q), (Q, 5), (Q, 5)),
        ((Q, 7), (Q, 5), (Q, 5)),
        ((3, Q), (4, Q), None),
        ((6, Q), (Q, 5), None),
    ],
)
def test_most_specific(first: tuple[int, int], second: tuple[int, int], result: tuple[int, int] | None) -> None:
    for pair in ((first, second), (second, first)):
        if result is None:
            with pytest.raises(SizeConflict):
                most_specific(*pair)
        else:
            assert most_specific(*pair) == result


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ((3, Q), (3, Q), (3, Q)),
        ((3, Q), (Q, Q), (Q, Q)),
        ((3, Q), (Q, 2), (Q, 3)),
        ((Q, Q), (Q, 5), (Q, Q)),
        ((Q, 7), (Q, 5), (Q, 7)),
        ((3, Q), (4, Q), None),
    ],
)
def test_least_specific(first: tuple[int, int], second: tuple[int, int], result: tuple[int, int] | None) -> None:
    for pair in ((first, second), (second, first)):
        if result is None:
            with pytest.raises(SizeConflict):
                least_specific(*pair)
        else:
            assert least_specific(*pair) == result


def test_concatenated() -> None:
    assert concatenated((2, Q), (3, Q)) == (5, Q)
    assert concatenated((2, Q), (Q, 3)) == (Q, 5)
    assert concatenated((2, Q), (Q, Q)) == (Q, Q)


def test_bounds_are_those_of_the_first_type() -> None:
    open_, bounded = Tensor((Q,), F32), Tensor((Q,), F32, (5,))
    assert merged([open_, bounded]) == open_
    assert merged([bounded, open_]) == bounded
    with pytest.raises(SizeConflict):
        merged([open_, Tensor((Q, 2), F32)])


def test_joined_types() -> None:
    assert joined([TOKEN, TOKEN]) == TOKEN
    pair = Plain("tuple", (Tensor((Q,), F32, (2,)),)), Plain("tuple", (Tensor((3,), F32),))
    assert joined(pair) == Plain("tuple", (Tensor((Q,), F32, (3,)),))


def test_compatible_types() -> None:
    bounded = Tensor((Q,), F32, (5,))
    assert compatible_types(bounded, Tensor((5,), F32))
    assert not compatible_types(bounded, Tensor((6,), F32))
    assert compatible_types(bounded, Tensor((Q,), F32, (9,)))
    assert not compatible_types(Tensor((2,), F32), Tensor((2,), F64))
    with sdy.make_context():
        sparse = ir.StringAttr.get("sparse")
    assert not compatible_types(Tensor((2,), F32, (), sparse), Tensor((2,), F32))
    assert compatible_types(TOKEN, TOKEN)
    assert not compatible_types(Plain("tuple", (Tensor((Q,), F32),)), Plain("tuple", (Tensor((2,), F32),)))
    assert not compatible_lists([TOKEN], [TOKEN, TOKEN])


def test_quantized_types() -> None:
    assert same_baseline(quantized(), quantized(scales=(0.25,)))
    assert not same_baseline(quantized(), quantized(axis=0))
    assert not same_baseline(quantized(), F32)
    assert not equal_parameters(quantized(), quantized(scales=(0.25,)))
    assert equal_parameters(quantized(axis=0), quantized(axis=1))
    assert not equal_parameters(quantized(axis=0), quantized(axis=0, scales=(0.25,)))
    assert equal_parameters(quantized(), quantized(axis=0))


@pytest.mark.parametrize(
    ("source", "target", "fits"),
    [
        (I32, integer_element(64), True),
        (integer_element(64), I32, False),
        (BOOL, integer_element(8, "u"), False),
        (F32, F64, True),
        (F64, F32, False),
        (I32, F64, False),
        (complex_element(F32), complex_element(F64), True),
        (quantized(), quantized(axis=0), True),
    ],
)
def test_promotable(source: Element, target: Element, fits: bool) -> None:
    assert is_promotable(source, target) is fits


@pytest.mark.parametrize(
    ("window", "extent", "positions"),
    [
        (WindowDimension(2), 4, 3),
        (WindowDimension(2, stride=2), 5, 2),
        (WindowDimension(2, base_dilation=2, low=1), 4, 7),
        (WindowDimension(3, window_dilation=2, low=2, high=2), 4, 4),
        (WindowDimension(5), 4, 0),
        (WindowDimension(1, low=-5), 4, 0),
        (WindowDimension(0), 4, 5),
        (WindowDimension(2), 0, 0),
        (WindowDimension(Q), 4, Q),
        (WindowDimension(2), Q, Q),
    ],
)
def test_window_positions(window: WindowDimension, extent: int, positions: int) -> None:
    assert window.positions(extent) == positions


@pytest.mark.parametrize("sizes", [(-2,), (3, -5), (LARGEST + 1,), (2, LARGEST + 1)])
def test_sizes_that_no_type_can_hold(sizes: tuple[int, ...]) -> None:
    with pytest.raises(Unwritable, match="would have size"):
        check_sizes(Tensor(sizes, F32))


def test_sizes_that_types_can_hold() -> None:
    check_sizes(Tensor((0, 1, LARGEST, DYNAMIC), F32))


@pytest.mark.parametrize("shape", [(-3,), (2.0,), (2, None, -1), ("2",)])
def test_shapes_are_of_whole_numbers(shape: tuple[Any, ...]) -> None:
    with sdy.make_context(), pytest.raises(TypeError, match="whole numbers or None"):
        as_tensor_type(shape, "f32")


def test_shapes_of_unknown_sizes() -> None:
    with sdy.make_context(), ir.Location.unknown():
        assert as_tensor_type((2, None), "f32") == ir.Type.parse("tensor<2x?xf32>")


@pytest.mark.parametrize("number", [-(1 << 63) - 1, 1 << 63])
def test_integers_of_more_than_64_bits(number: int) -> None:
    with pytest.raises(OverflowError, match="more than 64 bits"):
        int64s([number])
    assert int64s([-(1 << 63), (1 << 63) - 1]) == [-(1 << 63), (1 << 63) - 1]


@pytest.mark.parametrize(
    ("lhs", "rhs", "known"),
    [("f16", "f16", True), ("f16", "f32", False), ("f32", "f16", False), ("tf32", "bf16", False)],
)
def test_algorithms_of_dots(lhs: str, rhs: str, known: bool) -> None:
    algorithm = SimpleNamespace(
        lhs_precision_type=lhs,
        rhs_precision_type=rhs,
        accumulation_type="f32",
        lhs_component_count=1,
        rhs_component_count=1,
        num_primitive_operations=1,
        allow_imprecise_accumulation=False,
    )
    assert is_known_algorithm(algorithm) is known
