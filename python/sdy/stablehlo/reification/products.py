"""Sizes of products and of what windows move over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.stablehlo import attribute_readers as read
from sdy.stablehlo.reification.registry import rule
from sdy.stablehlo.reification.size_values import Size, Sizes, add, divide, if_equal, largest, multiply, subtract

# Products ------------------------------------------------------------------------------------------------------------


@rule("dot_general")
def _dot_general(sizes: Sizes, number: int, dim: int) -> Size:
    numbers = sizes.facts.attribute("dot_dimension_numbers", read.read_dot_dimensions, "dot dimension numbers")
    lhs_batching, rhs_batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    return _product(
        sizes,
        [(0, each) for each in lhs_batching],
        {*lhs_batching, *numbers.lhs_contracting_dimensions},
        {*rhs_batching, *numbers.rhs_contracting_dimensions},
    )(dim)


@rule("chlo.ragged_dot")
def _ragged_dot(sizes: Sizes, number: int, dim: int) -> Size:
    lists = sizes.facts.attribute("ragged_dot_dimension_numbers", read.read_ragged_dimensions, "dimension numbers")
    lhs_batching, lhs_contracting, rhs_batching, rhs_contracting, groups, ragged = (
        tuple(lists.get(f"{name}_dimensions", ()))
        for name in ("lhs_batching", "lhs_contracting", "rhs_batching", "rhs_contracting", "rhs_group", "lhs_ragged")
    )
    first = [(0, each) for each in lhs_batching]
    if ragged[0] in lhs_contracting:
        first.insert(0, (2, sizes.facts.tensor(2).rank - 1))
    return _product(sizes, first, {*lhs_batching, *lhs_contracting}, {*rhs_batching, *rhs_contracting, *groups})(dim)


def _product(sizes: Sizes, first: list[tuple[int, int]], in_lhs: set[int], in_rhs: set[int]) -> Callable[[int], Size]:
    """Sizes of a product: those that come first, then the others of lhs and of rhs."""
    free = [
        (index, dim)
        for index, used in enumerate((in_lhs, in_rhs))
        for dim in range(sizes.facts.tensor(index).rank)
        if dim not in used
    ]
    sources = [*first, *free]
    return lambda dim: sizes.of(*sources[dim])


@rule("dot")
def _dot(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(0, dim) if dim < sizes.facts.tensor(0).rank - 1 else sizes.of(1, sizes.facts.tensor(1).rank - 1)


@rule("einsum unary_einsum")
def _einsum(sizes: Sizes, number: int, dim: int) -> Size:
    inputs, _, output = sizes.facts.text("einsum_config").replace(" ", "").partition("->")
    places = [(index, text.index(output[dim])) for index, text in enumerate(inputs.split(",")) if output[dim] in text]
    return sizes.of(*places[0])


# Windows -------------------------------------------------------------------------------------------------------------


def _positions(extent: Size, window: Size, stride: int, base: int, dilation: int, padding: tuple[Size, Size]) -> Size:
    """H7: the number of positions of a window."""
    padded = add(add(padding[0], _dilated(extent, base)), padding[1])
    room = subtract(padded, _dilated(window, dilation))
    count = add(divide(largest(room, 0), stride), 1)
    return if_equal(largest(room, -1), -1, 0, count)


def _dilated(size: Size, dilation: int) -> Size:
    if dilation == 1:
        return size
    return if_equal(size, 0, 0, add(multiply(subtract(size, 1), dilation), 1))


def _entry(values: Sequence[int] | None, dim: int) -> int:
    return values[dim] if values else 1


@rule("reduce_window")
def _reduce_window(sizes: Sizes, number: int, dim: int) -> Size:
    op = sizes.facts
    padding = op.optional_dense("padding")
    return _positions(
        sizes.of(number, dim),
        op.ints("window_dimensions")[dim],
        _entry(op.optional_ints("window_strides"), dim),
        _entry(op.optional_ints("base_dilations"), dim),
        _entry(op.optional_ints("window_dilations"), dim),
        (0, 0) if padding is None else (padding.rows()[dim][0], padding.rows()[dim][1]),
    )


@rule("convolution dynamic_conv")
def _convolution(sizes: Sizes, number: int, dim: int) -> Size:
    op = sizes.facts
    numbers = op.attribute("dimension_numbers", read.read_conv_dimensions, "convolution dimension numbers")
    if dim == numbers.output_batch_dimension:
        return divide(sizes.of(0, numbers.input_batch_dimension), op.integer("batch_group_count"))
    if dim == numbers.output_feature_dimension:
        return sizes.of(1, numbers.kernel_output_feature_dimension)
    place = list(numbers.output_spatial_dimensions).index(dim)
    return _positions(
        sizes.of(0, numbers.input_spatial_dimensions[place]),
        sizes.of(1, numbers.kernel_spatial_dimensions[place]),
        _entry(op.optional_ints("window_strides"), place),
        _entry(op.optional_ints("lhs_dilation"), place),
        _entry(op.optional_ints("rhs_dilation"), place),
        _convolution_padding(sizes, place),
    )


def _convolution_padding(sizes: Sizes, place: int) -> tuple[Size, Size]:
    if sizes.facts.name == "stablehlo.dynamic_conv":
        return sizes.element(2, place, 0), sizes.element(2, place, 1)
    padding = sizes.facts.optional_dense("padding")
    return (0, 0) if padding is None else (padding.rows()[place][0], padding.rows()[place][1])
