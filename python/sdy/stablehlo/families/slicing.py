"""Parts of tensors and tensors put together: slices, updates, pad, concatenate."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.stablehlo.constants import known_value
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import equal_lengths, equal_types, same_elements, same_rank, some_operands
from sdy.stablehlo.types.sizes import (
    DYNAMIC,
    Dimension,
    compatible_sizes,
    concatenated,
    is_unknown,
    largest,
    most_specific,
)
from sdy.stablehlo.types.value_types import Tensor

declare(
    "slice",
    "operand:Any",
    "Any",
    "start_indices:i64s limit_indices:i64s strides:i64s",
    traits=[same_elements("c1"), equal_lengths("c2", "start_indices", "limit_indices", "strides")],
)
declare("dynamic_slice", "operand:Any start_indices*:0D/I", "Any", "slice_sizes:i64s", traits=[same_elements("c1", 0)])
declare("dynamic_update_slice", "operand:Any update:Any start_indices*:0D/I", "Any", traits=[same_elements("c2", 0, 1)])
declare(
    "real_dynamic_slice",
    "operand:Any start_indices:1D/Dim limit_indices:1D/Dim strides:1D/Dim",
    "Any",
    traits=[same_elements("c1", 0), equal_types("c2", 1, 2, 3)],
)
declare(
    "pad",
    "operand:Any padding_value:0D/Any",
    "Any",
    "edge_padding_low:i64s edge_padding_high:i64s interior_padding:i64s",
    traits=[same_elements("c1"), equal_lengths("c2", "edge_padding_low", "edge_padding_high", "interior_padding")],
)
declare(
    "dynamic_pad",
    "operand:Any padding_value:0D/Any edge_padding_low:static/1D/Dim edge_padding_high:static/1D/Dim "
    "interior_padding:static/1D/Dim",
    "Any",
    traits=[same_elements("c1", 0, 1), equal_types("c2", 2, 3, 4), same_rank("c4", 0)],
)
declare("concatenate", "inputs*:Any", "Any", "dimension:i64>=0", traits=[some_operands("c3"), same_elements("c1")])


# slice ---------------------------------------------------------------------------------------------------------------


@infers("slice", "c5")
def infer_slice(op: OpFacts) -> list[Tensor]:
    """Return the number of steps in each dimension; it is known even if the operand's size is not."""
    operand = op.tensor(0)
    starts, limits, strides = op.ints("start_indices"), op.ints("limit_indices"), op.ints("strides")
    if not len(starts) == len(limits) == len(strides) == operand.rank:
        raise op.error("c2", f"start_indices, limit_indices and strides must have {operand.rank} entries")
    dims = [
        _slice_size(op, dim, operand.dimension(dim), start, limit, stride)
        for dim, (start, limit, stride) in enumerate(zip(starts, limits, strides, strict=True))
    ]
    return [Tensor(tuple(dims), operand.element)]


def _slice_size(op: OpFacts, dim: int, extent: Dimension, start: int, limit: int, stride: int) -> int:
    size, bound = extent
    if start < 0:
        raise op.error("c3", f"start {start} of dimension {dim} is negative")
    largest = size if size != DYNAMIC else bound
    if largest != DYNAMIC and limit > largest:
        raise op.error("c3", f"limit {limit} of dimension {dim} is above its size {largest}")
    if start > limit:
        raise op.error("c3", f"start {start} of dimension {dim} is above its limit {limit}")
    if stride <= 0:
        raise op.error("c4", f"stride {stride} of dimension {dim} must be positive")
    return -(-(limit - start) // stride)


# Slices at run-time positions ----------------------------------------------------------------------------------------


def _check_starts(op: OpFacts, starts: Sequence[Tensor], rank: int, count: str, kind: str) -> None:
    if len(starts) != rank:
        raise op.error(count, f"needs {rank} start indices, not {len(starts)}")
    if any(start.element != starts[0].element for start in starts[1:]):
        raise op.error(kind, "start indices must be of one type")


@infers("dynamic_slice", "c5")
def infer_dynamic_slice(op: OpFacts) -> list[Tensor]:
    operand, *starts = op.tensors()
    sizes = op.ints("slice_sizes")
    if len(sizes) != operand.rank:
        raise op.error("c2", f"slice_sizes {list(sizes)} do not fit {operand}")
    _check_starts(op, starts, operand.rank, "c2", "c3")
    for dim, (size, extent) in enumerate(zip(sizes, operand.dims, strict=True)):
        if size < 0 or (extent != DYNAMIC and size > extent):
            raise op.error("c4", f"slice size {size} of dimension {dim} does not fit {operand}")
    return [Tensor(sizes, operand.element)]


@infers("dynamic_update_slice", "c1")
def infer_dynamic_update_slice(op: OpFacts) -> list[Tensor]:
    operand, update, *starts = op.tensors()
    if update.rank != operand.rank:
        raise op.error("c3", f"ranks of {operand} and {update} differ")
    _check_starts(op, starts, operand.rank, "c4", "c5")
    for size, extent in zip(update.dims, operand.dims, strict=True):
        if DYNAMIC not in (size, extent) and size > extent:
            raise op.error("c6", f"{update} is larger than {operand}")
    return [operand]


@infers("real_dynamic_slice", "c4", partial=True)
def infer_real_dynamic_slice(op: OpFacts) -> list[Tensor]:
    """The number of steps in each dimension, if all indices are known."""
    operand = op.tensor(0)
    _check_index_lists(op, operand)
    starts, limits, strides = (known_value(op, index) for index in (1, 2, 3))
    if starts is None or limits is None or strides is None:
        return [Tensor((DYNAMIC,) * operand.rank, operand.element)]
    if any(stride <= 0 for stride in strides.values):
        raise op.error("c4", f"strides {list(strides.values)} must be positive")
    sizes = [
        (limit - start + (stride - 1)) // stride
        for start, limit, stride in zip(starts.values, limits.values, strides.values, strict=True)
    ]
    if any(size < 0 for size in sizes):
        raise op.error("c4", f"limits {list(limits.values)} must not be below the starts {list(starts.values)}")
    return [Tensor(tuple(sizes), operand.element)]


def _check_index_lists(op: OpFacts, operand: Tensor) -> None:
    for index in (1, 2, 3):
        if not compatible_sizes(op.tensor(index).dims[0], operand.rank):
            raise op.error("c3", f"operand {index} must have {operand.rank} entries")


@verifies("real_dynamic_slice")
def verify_real_dynamic_slice(op: OpFacts) -> None:
    """Check only the lengths of the indices: XLA ignores their values."""
    _check_index_lists(op, op.tensor(0))


# pad -----------------------------------------------------------------------------------------------------------------


@infers("pad", "c4")
def infer_pad(op: OpFacts) -> list[Tensor]:
    """Add padding around and between the elements to sizes, and to bounds of unknown sizes."""
    operand = op.tensor(0)
    lows, highs = op.ints("edge_padding_low"), op.ints("edge_padding_high")
    interiors = op.ints("interior_padding")
    if not len(lows) == len(highs) == len(interiors) == operand.rank:
        raise op.error("c2", f"paddings must have {operand.rank} entries")
    dimensions = [
        _padded_dimension(op, operand.dimension(dim), low, high, interior)
        for dim, (low, high, interior) in enumerate(zip(lows, highs, interiors, strict=True))
    ]
    return [operand.with_dimensions(dimensions, keeps_bounds=bool(operand.bounds))]


def _padded_dimension(op: OpFacts, extent: Dimension, low: int, high: int, interior: int) -> Dimension:
    if interior < 0:
        raise op.error("c3", f"interior padding {interior} must not be negative")
    size, bound = extent
    padded = padded_size(size, low, high, interior)
    limit = padded_size(bound, low, high, interior) if size == DYNAMIC else DYNAMIC
    for each, given in ((padded, size), (limit, bound)):
        if each < 0 and given != DYNAMIC:
            raise op.error("c4", f"a dimension would have size {each}")
    return padded, limit


def padded_size(size: int, low: int, high: int, interior: int) -> int:
    if is_unknown(size):
        return DYNAMIC
    return size + (low + high) + (largest(size - 1, 0) * interior if interior != 0 else 0)


# concatenate ---------------------------------------------------------------------------------------------------------


@infers("concatenate", "c6")
def infer_concatenate(op: OpFacts) -> list[Tensor]:
    """Add sizes along the dimension and merge the others, with the bounds of all inputs."""
    inputs, dimension = op.tensors(), op.integer("dimension")
    if not inputs:
        raise op.error("c3", "needs an input")
    first = inputs[0]
    if not 0 <= dimension < first.rank:
        raise op.error("c4", f"dimension {dimension} is not a dimension of {first}")
    for each in inputs[1:]:
        _check_alike(op, first, each, dimension)
    dimensions = [_folded_dimension(inputs, dim, dim == dimension) for dim in range(first.rank)]
    prototype = next((each for each in inputs if each.bounds or each.encoding is not None), first)
    return [prototype.with_dimensions(dimensions).with_element(first.element)]


def _check_alike(op: OpFacts, first: Tensor, other: Tensor, dimension: int) -> None:
    if other.rank != first.rank:
        raise op.error("c2", f"ranks of {first} and {other} differ")
    for dim, (size, extent) in enumerate(zip(first.dims, other.dims, strict=True)):
        if dim != dimension and not compatible_sizes(size, extent):
            raise op.error("c2", f"{first} and {other} differ in dimension {dim}")


def _folded_dimension(inputs: Sequence[Tensor], dim: int, is_concatenated: bool) -> Dimension:
    folded = inputs[0].dimension(dim)
    for each in inputs[1:]:
        fold = concatenated if is_concatenated else most_specific
        folded = fold(folded, each.dimension(dim))
    return folded
