"""Sizes of parts of operands and of what is put together from them, by one device or several."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from sdy.stablehlo import attribute_readers as read
from sdy.stablehlo.reification.registry import rule
from sdy.stablehlo.reification.size_values import Size, Sizes, add, divide, largest, multiply, subtract
from sdy.stablehlo.shared_rules.replica_group_rules import group_size

# Slices --------------------------------------------------------------------------------------------------------------


@rule("pad")
def _pad(sizes: Sizes, number: int, dim: int) -> Size:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = (sizes.facts.ints(name)[dim] for name in names)
    return _padded(sizes.of(0, dim), low, high, interior)


@rule("dynamic_pad")
def _dynamic_pad(sizes: Sizes, number: int, dim: int) -> Size:
    return _padded(sizes.of(0, dim), *(sizes.element(index, dim) for index in (2, 3, 4)))


def _padded(size: Size, low: Size, high: Size, interior: Size) -> Size:
    between = multiply(largest(subtract(size, 1), 0), interior) if not _is_zero(interior) else 0
    return add(add(size, add(low, high)), between)


def _is_zero(size: Size) -> bool:
    return isinstance(size, int) and size == 0


@rule("concatenate")
def _concatenated(sizes: Sizes, number: int, dim: int) -> Size:
    if dim != sizes.facts.integer("dimension"):
        return sizes.of(0, dim)
    return reduce(add, (sizes.of(index, dim) for index in range(len(sizes.facts.operands))), 0)


@rule("real_dynamic_slice")
def _real_dynamic_slice(sizes: Sizes, number: int, dim: int) -> Size:
    start, limit, stride = (sizes.element(index, dim) for index in (1, 2, 3))
    return divide(add(subtract(limit, start), subtract(stride, 1)), stride)


@rule("set_dimension_size")
def _set_dimension_size(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.element(1) if dim == sizes.facts.integer("dimension") else sizes.of(0, dim)


@rule("gather dynamic_gather")
def _gathered(sizes: Sizes, number: int, dim: int) -> Size:
    """Sizes of slices at the offset dimensions, those of the indices elsewhere."""
    op = sizes.facts
    numbers = op.attribute("dimension_numbers", read.read_gather_dimensions, "gather dimension numbers")
    offsets = list(numbers.offset_dims)
    if dim in offsets:
        skipped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
        kept = [each for each in range(op.tensor(0).rank) if each not in skipped]
        return sizes.element(2, kept[offsets.index(dim)])
    batch = [each for each in range(op.tensor(1).rank) if each != numbers.index_vector_dim]
    return sizes.of(1, batch[dim - sum(each < dim for each in offsets)])


@rule("torch_index_select")
def _index_select(sizes: Sizes, number: int, dim: int) -> Size:
    op = sizes.facts
    operand, index = op.tensor(0), op.tensor(1)
    at, batch = op.integer("dim"), op.integer("batch_dims")
    at = at + operand.rank if at < 0 else at
    batch = batch + index.rank if batch < 0 else batch
    added = index.rank - batch
    if dim < at:
        return sizes.of(0, dim)
    return sizes.of(1, batch + dim - at) if dim < at + added else sizes.of(0, dim - added + 1)


# Collectives ---------------------------------------------------------------------------------------------------------


@rule("all_gather")
def _all_gather(sizes: Sizes, number: int, dim: int) -> Size | None:
    return _across_group(sizes, number, dim, "all_gather_dim", multiply)


@rule("reduce_scatter")
def _reduce_scatter(sizes: Sizes, number: int, dim: int) -> Size | None:
    return _across_group(sizes, number, dim, "scatter_dimension", divide)


def _across_group(sizes: Sizes, number: int, dim: int, along: str, change: Callable[[Size, Size], Size]) -> Size | None:
    """The size of an operand, changed by the number of processes in a group along the dimension that `along` names."""
    if dim != sizes.facts.integer(along):
        return sizes.of(number, dim)
    count = group_size(sizes.facts)
    return None if count is None else change(sizes.of(number, dim), count)


@rule("all_to_all")
def _all_to_all(sizes: Sizes, number: int, dim: int) -> Size:
    op, size = sizes.facts, sizes.of(number, dim)
    split, concat = op.integer("split_dimension"), op.integer("concat_dimension")
    if split == concat or dim not in (split, concat):
        return size
    return divide(size, op.integer("split_count")) if dim == split else multiply(size, op.integer("split_count"))


# Loops ---------------------------------------------------------------------------------------------------------------


@rule("chlo.scan")
def _scan(sizes: Sizes, number: int, dim: int) -> Size | None:
    """The number of steps is the size of an input; what the body returns says nothing about its sizes."""
    is_scanned = number < sizes.facts.attribute("resultSegmentSizes", read.read_segments, "sizes of groups")[0]
    if not is_scanned or dim != sizes.facts.integer("dimension"):
        return None
    inputs = sizes.facts.attribute("operandSegmentSizes", read.read_segments, "sizes of groups")[0]
    return sizes.of(0, dim) if inputs else None
