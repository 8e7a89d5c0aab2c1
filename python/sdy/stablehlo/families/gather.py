"""Gathering slices at indices, with slice sizes as an attribute or as an operand."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.stablehlo.attribute_readers import read_gather_dimensions
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.known_values import known_value
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers
from sdy.stablehlo.shared_rules.batching_rules import Batching, BatchingLabels, check_batching
from sdy.stablehlo.shared_rules.traits import same_elements
from sdy.stablehlo.types.dimension_lists import are_dimensions, is_ascending, is_unique
from sdy.stablehlo.types.dimension_numbers import GatherNumbers
from sdy.stablehlo.types.sizes import DYNAMIC, Dimension, compatible_sizes
from sdy.stablehlo.types.value_types import Tensor

declare(
    "gather",
    "operand:Any start_indices:I",
    "Any",
    "dimension_numbers:gather_dimensions slice_sizes:i64s=i9 indices_are_sorted?:bool=i10",
    traits=[same_elements("c23", 0)],
)
declare(
    "dynamic_gather",
    "operand:Any start_indices:I slice_sizes:static/1D/I",
    "Any",
    "dimension_numbers:gather_dimensions indices_are_sorted?:bool",
)


_BATCHING = BatchingLabels(
    ascending="c10", of_indexed="c11", unique="c13", of_indices="c14", index_vector="c15", count="c16", sizes="c17"
)


def _numbers(op: OpFacts) -> GatherNumbers:
    return op.attribute("dimension_numbers", read_gather_dimensions, "gather dimension numbers")


@infers("gather", "c22")
def infer_gather(op: OpFacts) -> list[Tensor]:
    """Sizes of the slices at the offset dimensions, those of the indices elsewhere."""
    numbers, sizes = _numbers(op), op.ints("slice_sizes")
    _check_numbers(op, numbers)
    if len(sizes) != op.tensor(0).rank:
        raise op.error("c20", f"slice_sizes {list(sizes)} do not fit {op.tensor(0)}")
    _check_slice_sizes(op, numbers, sizes)
    return [_gathered(op, numbers, sizes)]


@infers("dynamic_gather", "c13")
def infer_dynamic_gather(op: OpFacts) -> list[Tensor]:
    """The same; sizes of slices that are not known are open."""
    numbers, operand = _numbers(op), op.tensor(0)
    _check_numbers(op, numbers)
    if op.tensor(2).rank != 1 or not compatible_sizes(op.tensor(2).dims[0], operand.rank):
        raise op.error("c11", f"slice_sizes {op.tensor(2)} do not fit {operand}")
    known = known_value(op, 2)
    if known is None:
        return [_gathered(op, numbers, [DYNAMIC] * operand.rank)]
    _check_slice_sizes(op, numbers, known.values)
    return [_gathered(op, numbers, known.values)]


# Checks, in the order of the reference -------------------------------------------------------------------------------


def _check_numbers(op: OpFacts, numbers: GatherNumbers) -> None:
    operand, indices = op.tensor(0), op.tensor(1)
    count = len(numbers.offset_dims) + len(numbers.collapsed_slice_dims) + len(numbers.operand_batching_dims)
    if operand.rank != count:
        raise op.error("c1", f"{operand} must have {count} dimensions: offset, collapsed and batching ones")
    _check_index_vector(op, numbers, indices)
    _check_offsets(op, numbers)
    _check_collapsed(op, numbers, operand)
    _check_batching(op, numbers, operand, indices)
    _check_index_map(op, numbers, operand)


def _check_index_vector(op: OpFacts, numbers: GatherNumbers, indices: Tensor) -> None:
    dim = numbers.index_vector_dim
    if not 0 <= dim <= indices.rank:
        raise op.error("c2", f"index_vector_dim {dim} is none of {indices}")
    length = indices.dims[dim] if dim < indices.rank else 1
    if length not in (DYNAMIC, len(numbers.start_index_map)):
        raise op.error("c3", f"start_index_map must have {length} entries")


def _check_offsets(op: OpFacts, numbers: GatherNumbers) -> None:
    if not is_ascending(numbers.offset_dims):
        raise op.error("c4", f"offset_dims {list(numbers.offset_dims)} must ascend")


def _check_collapsed(op: OpFacts, numbers: GatherNumbers, operand: Tensor) -> None:
    if not is_unique((*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)):
        raise op.error("c6", "collapsed and batching dimensions are not all different")
    if not is_ascending(numbers.collapsed_slice_dims, strictly=False):
        raise op.error("c7", f"collapsed_slice_dims {list(numbers.collapsed_slice_dims)} must ascend")
    if not are_dimensions(numbers.collapsed_slice_dims, operand.rank):
        raise op.error("c8", f"collapsed_slice_dims {list(numbers.collapsed_slice_dims)} are none of {operand}")


def _check_batching(op: OpFacts, numbers: GatherNumbers, operand: Tensor, indices: Tensor) -> None:
    mine = Batching("operand_batching_dims", numbers.operand_batching_dims, operand, operand.dims)
    theirs = Batching("start_indices_batching_dims", numbers.start_indices_batching_dims, indices, indices.dims)
    check_batching(op, _BATCHING, mine, theirs, numbers.index_vector_dim, called="operand")


def _check_index_map(op: OpFacts, numbers: GatherNumbers, operand: Tensor) -> None:
    if not is_unique((*numbers.start_index_map, *numbers.operand_batching_dims)):
        raise op.error("c18", "indexed and batching dimensions are not all different")
    if not are_dimensions(numbers.start_index_map, operand.rank):
        raise op.error("c19", f"start_index_map {list(numbers.start_index_map)} holds none of {operand}")


def _check_slice_sizes(op: OpFacts, numbers: GatherNumbers, sizes: Sequence[int]) -> None:
    is_dynamic = op.name.endswith("dynamic_gather")
    for dims, label in (
        (numbers.collapsed_slice_dims, "c8" if is_dynamic else "c9"),
        (numbers.operand_batching_dims, "c12"),
    ):
        if any(sizes[dim] > 1 for dim in dims):
            raise op.error(label, f"slices of {list(sizes)} must be at most of size 1 in dimensions {list(dims)}")
    for size, extent in zip(sizes, op.tensor(0).dims, strict=True):
        if size < 0 or (extent != DYNAMIC and size > extent):
            raise op.error("c12" if is_dynamic else "c21", f"slices of {list(sizes)} do not fit {op.tensor(0)}")


# Result --------------------------------------------------------------------------------------------------------------


def _gathered(op: OpFacts, numbers: GatherNumbers, sizes: Sequence[int]) -> Tensor:
    operand, indices = op.tensor(0), op.tensor(1)
    skipped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    offsets = iter([(size, DYNAMIC) for dim, size in enumerate(sizes) if dim not in skipped])
    batch = iter([indices.dimension(dim) for dim in range(indices.rank) if dim != numbers.index_vector_dim])
    rank = len(numbers.offset_dims) + indices.rank - (numbers.index_vector_dim < indices.rank)
    if not are_dimensions(numbers.offset_dims, rank):
        raise op.error("c5", f"offset_dims {list(numbers.offset_dims)} are none of {rank} dimensions")
    dimensions: list[Dimension] = [next(offsets) if dim in numbers.offset_dims else next(batch) for dim in range(rank)]
    plain = Tensor((), operand.element, indices.bounds, indices.encoding)
    return plain.with_dimensions(dimensions)
