"""Sizes, lists of dimensions, and dimension numbers as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

DYNAMIC = -(2**63)
LARGEST = 2**63 - 1
"""The largest size that a type can hold."""

Dimension = tuple[int, int]


class SizeConflict(ValueError):
    """Two dimensions that cannot be the same."""


def compatible_sizes(first: int, second: int) -> bool:
    """H1 for one dimension."""
    return first == second or DYNAMIC in (first, second)


def compatible_shapes(first: Sequence[int], second: Sequence[int]) -> bool:
    """H1: equal rank, and sizes that are equal or not known."""
    if first == second:
        return True
    return len(first) == len(second) and all(map(compatible_sizes, first, second))


def is_static(dims: Sequence[int]) -> bool:
    return DYNAMIC not in dims


def size_text(size: int) -> str:
    return "?" if size == DYNAMIC else str(size)


def shape_text(dims: Sequence[int]) -> str:
    return "x".join(map(size_text, dims)) or "0D"


def most_specific(first: Dimension, second: Dimension) -> Dimension:
    """H3: what is known from either of two descriptions of one dimension.

    Raises:
      SizeConflict: sizes differ, or a size is above the other's bound.
    """
    (size, bound), (other, other_bound) = first, second
    if size == DYNAMIC and other == DYNAMIC:
        return DYNAMIC, _tighter(bound, other_bound)
    if size != DYNAMIC and other != DYNAMIC:
        return _equal(size, other), DYNAMIC
    known, limit = (size, other_bound) if other == DYNAMIC else (other, bound)
    if limit != DYNAMIC and known > limit:
        raise SizeConflict(f"size {known} is above the bound {limit}")
    return known, DYNAMIC


def least_specific(first: Dimension, second: Dimension) -> Dimension:
    """H4: what is known of a dimension that is described by either of two.

    Raises:
      SizeConflict: both are static and differ.
    """
    (size, bound), (other, other_bound) = first, second
    if size != DYNAMIC and other != DYNAMIC:
        return _equal(size, other), DYNAMIC
    limit = bound if size == DYNAMIC else size
    other_limit = other_bound if other == DYNAMIC else other
    return DYNAMIC, DYNAMIC if DYNAMIC in (limit, other_limit) else max(limit, other_limit)


def concatenated(first: Dimension, second: Dimension) -> Dimension:
    """H5: two dimensions one behind the other."""
    (size, bound), (other, other_bound) = first, second
    if size != DYNAMIC and other != DYNAMIC:
        return size + other, DYNAMIC
    limit = bound if size == DYNAMIC else size
    other_limit = other_bound if other == DYNAMIC else other
    return DYNAMIC, DYNAMIC if DYNAMIC in (limit, other_limit) else limit + other_limit


def _tighter(bound: int, other: int) -> int:
    if bound == DYNAMIC or other == DYNAMIC:
        return max(bound, other)
    return min(bound, other)


def _equal(size: int, other: int) -> int:
    if size != other:
        raise SizeConflict(f"sizes {size} and {other} differ")
    return size


def is_unique(dims: Sequence[int]) -> bool:
    """Whether no dimension occurs twice."""
    return len(dims) < 2 or len(set(dims)) == len(dims)


def is_ascending(dims: Sequence[int], *, strictly: bool = True) -> bool:
    """Whether the dimensions are sorted, with `strictly` also different."""
    return len(dims) < 2 or list(dims) == (sorted(set(dims)) if strictly else sorted(dims))


def are_dimensions(dims: Sequence[int], rank: int) -> bool:
    """Whether each is a dimension of a tensor of that rank."""
    return not dims or 0 <= min(dims) <= max(dims) < rank


class DotNumbers(NamedTuple):
    """The parts of `#stablehlo.dot`."""

    lhs_batching_dimensions: tuple[int, ...]
    rhs_batching_dimensions: tuple[int, ...]
    lhs_contracting_dimensions: tuple[int, ...]
    rhs_contracting_dimensions: tuple[int, ...]


class GatherNumbers(NamedTuple):
    """The parts of `#stablehlo.gather`."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    start_indices_batching_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    index_vector_dim: int


class ScatterNumbers(NamedTuple):
    """The parts of `#stablehlo.scatter`."""

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    input_batching_dims: tuple[int, ...]
    scatter_indices_batching_dims: tuple[int, ...]
    scattered_dims_to_operand_dims: tuple[int, ...]
    index_vector_dim: int


class ConvNumbers(NamedTuple):
    """The parts of `#stablehlo.conv`."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: tuple[int, ...]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: tuple[int, ...]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: tuple[int, ...]
