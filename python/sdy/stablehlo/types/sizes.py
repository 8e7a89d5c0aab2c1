"""Sizes, lists of dimensions, and dimension numbers as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

DYNAMIC = -(2**63)
LARGEST = 2**63 - 1
"""The largest size that a type can hold."""

Dimension = tuple[int, int]


class RuntimeSize(int):
    """A size known only at run time; during compilation it equals `DYNAMIC`, and passes all limits.

    Shape functions compute with it as with other sizes, but check for `is_unknown` sizes first.

    Attributes:
      kind: `dim` (a dimension of an operand), `element` (an element of an operand), `known`, or how it follows from
        other sizes: an op of `arith`, or `unless_one` for the second of two in place of a first that is 1.
      parts: numbers or other sizes.
    """

    kind: str
    parts: tuple[int, ...]

    def __new__(cls, kind: str, *parts: int) -> RuntimeSize:
        made = super().__new__(cls, DYNAMIC)
        made.kind, made.parts = kind, parts
        return made

    def __lt__(self, other: int) -> bool:
        return False

    __le__ = __gt__ = __ge__ = __lt__

    def __add__(self, other: int) -> int:
        return RuntimeSize("addi", self, other) if other != 0 else self

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        return RuntimeSize("subi", self, other) if other != 0 else self

    def __rsub__(self, other: int) -> int:
        return RuntimeSize("subi", other, self)

    def __mul__(self, other: int) -> int:
        return RuntimeSize("muli", self, other) if other != 1 else self

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> int:
        """Return the quotient of non-negative sizes."""
        return RuntimeSize("divsi", self, other) if other != 1 else self


def is_unknown(size: int) -> bool:
    """Return whether a size is dynamic, and not even its computation is known."""
    return size == DYNAMIC and not isinstance(size, RuntimeSize)


def largest(first: int, second: int) -> int:
    """Return the larger of two sizes, either of which may be computed at run time."""
    if isinstance(first, RuntimeSize) or isinstance(second, RuntimeSize):
        return RuntimeSize("maxsi", first, second)
    return max(first, second)


class SizeConflict(ValueError):
    """Conflict of two dimensions that have to be equal."""


def compatible_sizes(first: int, second: int) -> bool:
    """Check H1 for one dimension."""
    return first == second or DYNAMIC in (first, second)


def compatible_shapes(first: Sequence[int], second: Sequence[int]) -> bool:
    """Check H1: equal rank, and sizes that are equal or unknown."""
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
    """Merge two descriptions of one dimension to the most specific one (H3).

    Raises:
      SizeConflict: sizes differ, or a size is above the other's bound.
    """
    (size, bound), (other, other_bound) = first, second
    if size == DYNAMIC and other == DYNAMIC:
        return other if is_unknown(size) else size, _tighter(bound, other_bound)
    if size != DYNAMIC and other != DYNAMIC:
        return _equal(size, other), DYNAMIC
    known, limit = (size, other_bound) if other == DYNAMIC else (other, bound)
    if limit != DYNAMIC and known > limit:
        raise SizeConflict(f"size {known} is above the bound {limit}")
    return known, DYNAMIC


def least_specific(first: Dimension, second: Dimension) -> Dimension:
    """Merge two descriptions to the one that covers both (H4).

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
    """Concatenate two dimensions (H5)."""
    (size, bound), (other, other_bound) = first, second
    joined = DYNAMIC if is_unknown(size) or is_unknown(other) else size + other
    if joined != DYNAMIC:
        return joined, DYNAMIC
    limit = bound if size == DYNAMIC else size
    other_limit = other_bound if other == DYNAMIC else other
    return joined, DYNAMIC if DYNAMIC in (limit, other_limit) else limit + other_limit


def _tighter(bound: int, other: int) -> int:
    if bound == DYNAMIC or other == DYNAMIC:
        return max(bound, other)
    return min(bound, other)


def _equal(size: int, other: int) -> int:
    if size != other:
        raise SizeConflict(f"sizes {size} and {other} differ")
    return size


def is_unique(dims: Sequence[int]) -> bool:
    """Return whether no dimension occurs twice."""
    return len(dims) < 2 or len(set(dims)) == len(dims)


def is_ascending(dims: Sequence[int], *, strictly: bool = True) -> bool:
    """Return whether the dimensions are sorted, and with `strictly` also different."""
    return len(dims) < 2 or list(dims) == (sorted(set(dims)) if strictly else sorted(dims))


def are_dimensions(dims: Sequence[int], rank: int) -> bool:
    """Return whether each number is a dimension of a tensor of that rank."""
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
