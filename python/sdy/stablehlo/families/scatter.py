"""Types of gather and scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdy.lazy_dataclass import dataclass
from sdy.stablehlo.attribute_readers import read_gather_dimensions, read_scatter_dimensions
from sdy.stablehlo.body_rules import check_reduction_body, returned_elements
from sdy.stablehlo.constants import known_value
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import same_elements
from sdy.stablehlo.types.sizes import (
    DYNAMIC,
    Dimension,
    GatherNumbers,
    are_dimensions,
    compatible_shapes,
    compatible_sizes,
    is_ascending,
    is_unique,
)
from sdy.stablehlo.types.value_types import Tensor, scalar


class BatchingLabels(NamedTuple):
    """The constraints by their labels, in the order in which they are checked."""

    ascending: str
    of_indexed: str
    unique: str
    of_indices: str
    index_vector: str
    count: str
    sizes: str


@dataclass(frozen=True, slots=True)
class Batching:
    """The dimensions listed by the attribute `name`, and all sizes of its tensor."""

    name: str
    dims: Sequence[int]
    tensor: Tensor
    sizes: Sequence[int]

    def check_dimensions(self, op: OpFacts, label: str) -> None:
        if not are_dimensions(self.dims, len(self.sizes)):
            raise op.error(label, f"{self.name} {list(self.dims)} are not among those of {self.tensor}")


def check_batching(
    op: OpFacts, labels: BatchingLabels, indexed: Batching, indices: Batching, index_vector_dim: int, *, called: str
) -> None:
    """Check the batching dimensions; `called` is the specification's name of the indexed tensor."""
    if not is_ascending(indexed.dims, strictly=False):
        raise op.error(labels.ascending, f"{indexed.name} {list(indexed.dims)} must ascend")
    indexed.check_dimensions(op, labels.of_indexed)
    if not is_unique(indices.dims):
        raise op.error(labels.unique, f"{indices.name} {list(indices.dims)} are not all different")
    indices.check_dimensions(op, labels.of_indices)
    if index_vector_dim in indices.dims:
        raise op.error(labels.index_vector, "index_vector_dim is a batching dimension")
    if len(indexed.dims) != len(indices.dims):
        raise op.error(labels.count, f"{called} and indices must have equally many batching dimensions")
    for one, other in zip(indexed.dims, indices.dims, strict=True):
        if not compatible_sizes(indexed.sizes[one], indices.sizes[other]):
            raise op.error(
                labels.sizes, f"batching dimensions {one} of {indexed.tensor} and {other} of {indices.tensor} differ"
            )


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


_GATHER_BATCHING = BatchingLabels(
    ascending="c10", of_indexed="c11", unique="c13", of_indices="c14", index_vector="c15", count="c16", sizes="c17"
)


def _numbers(op: OpFacts) -> GatherNumbers:
    return op.attribute("dimension_numbers", read_gather_dimensions, "gather dimension numbers")


@infers("gather", "c22")
def infer_gather(op: OpFacts) -> list[Tensor]:
    """Return the slice sizes at the offset dimensions, and the sizes of the indices elsewhere."""
    numbers, sizes = _numbers(op), op.ints("slice_sizes")
    _check_numbers(op, numbers)
    if len(sizes) != op.tensor(0).rank:
        raise op.error("c20", f"slice_sizes {list(sizes)} do not fit {op.tensor(0)}")
    _check_slice_sizes(op, numbers, sizes)
    return [_gathered(op, numbers, sizes)]


@infers("dynamic_gather", "c13")
def infer_dynamic_gather(op: OpFacts) -> list[Tensor]:
    """Infer as for `gather`; unknown slice sizes stay open."""
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
    _check_gather_batching(op, numbers, operand, indices)
    _check_index_map(op, numbers, operand)


def _check_index_vector(op: OpFacts, numbers: GatherNumbers, indices: Tensor) -> None:
    dim = numbers.index_vector_dim
    if not 0 <= dim <= indices.rank:
        raise op.error("c2", f"index_vector_dim {dim} is not a dimension of {indices}")
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
        raise op.error(
            "c8", f"collapsed_slice_dims {list(numbers.collapsed_slice_dims)} are not among those of {operand}"
        )


def _check_gather_batching(op: OpFacts, numbers: GatherNumbers, operand: Tensor, indices: Tensor) -> None:
    mine = Batching("operand_batching_dims", numbers.operand_batching_dims, operand, operand.dims)
    theirs = Batching("start_indices_batching_dims", numbers.start_indices_batching_dims, indices, indices.dims)
    check_batching(op, _GATHER_BATCHING, mine, theirs, numbers.index_vector_dim, called="operand")


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
        raise op.error("c5", f"offset_dims {list(numbers.offset_dims)} are not among those of {rank} dimensions")
    dimensions: list[Dimension] = [next(offsets) if dim in numbers.offset_dims else next(batch) for dim in range(rank)]
    plain = Tensor((), operand.element, indices.bounds, indices.encoding)
    return plain.with_dimensions(dimensions)


declare(
    "scatter",
    "inputs*:Any scatter_indices:AnyInteger updates*:Any",
    "results*:Any",
    "scatter_dimension_numbers:scatter_dimensions indices_are_sorted?:bool=i10 unique_indices?:bool=i11",
    regions=1,
)


_BATCHING = BatchingLabels(
    ascending="c12", of_indexed="c13", unique="c14", of_indices="c15", index_vector="c16", count="c17", sizes="c18"
)


@dataclass(frozen=True, slots=True)
class _Scatter:
    """Operands and dimension numbers, under the names of the specification."""

    inputs: list[Tensor]
    indices: Tensor
    updates: list[Tensor]
    window_dims: tuple[int, ...]
    inserted: tuple[int, ...]
    input_batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    scattered: tuple[int, ...]
    index_vector_dim: int

    @property
    def index_sizes(self) -> tuple[int, ...]:
        """Sizes of the indices, with the dimension of index vectors written out."""
        is_implicit = self.index_vector_dim == self.indices.rank
        return (*self.indices.dims, 1) if is_implicit else self.indices.dims


def _operands(op: OpFacts) -> tuple[list[Tensor], Tensor, list[Tensor]]:
    tensors = op.tensors()
    count, rest = divmod(len(tensors) - 1, 2)
    if rest or count < 1:
        raise op.error("c5", "needs as many updates as inputs, at least one")
    return tensors[:count], tensors[count], tensors[count + 1 :]


def _read(op: OpFacts) -> _Scatter:
    numbers = op.attribute("scatter_dimension_numbers", read_scatter_dimensions, "scatter dimension numbers")
    return _Scatter(
        *_operands(op),
        tuple(numbers.update_window_dims),
        tuple(numbers.inserted_window_dims),
        tuple(numbers.input_batching_dims),
        tuple(numbers.scatter_indices_batching_dims),
        tuple(numbers.scattered_dims_to_operand_dims),
        numbers.index_vector_dim,
    )


@infers("scatter", "c24", elements="c25")
def infer_scatter(op: OpFacts) -> list[Tensor]:
    """The types of the inputs, with the element types that the region returns."""
    inputs, _, _ = _operands(op)
    elements = returned_elements(op, "c25", op.body(), len(inputs))
    if elements is None:
        return inputs
    return [input_.with_element(element) for input_, element in zip(inputs, elements, strict=True)]


@verifies("scatter")
def verify_scatter(op: OpFacts) -> None:
    facts = _read(op)
    _check_shapes(op, facts)
    if not 0 <= facts.index_vector_dim <= facts.indices.rank:
        raise op.error("c22", f"index_vector_dim {facts.index_vector_dim} is not a dimension of {facts.indices}")
    inputs = [input_.known_element for input_ in facts.inputs]
    inits = [scalar(update.element) for update in facts.updates]
    check_reduction_body(op, "c23", op.body(), inputs, inits)
    for input_, update in zip(facts.inputs, facts.updates, strict=True):
        if input_.element != update.element:
            raise op.error("c6", f"element types of {input_} and its update {update} differ")
    _check_ranks(op, facts)
    _check_window_dims(op, facts)
    _check_inserted(op, facts)
    _check_batching(op, facts)
    _check_scattered(op, facts)
    for update in facts.updates:
        _check_update_sizes(op, facts, update)


def _check_shapes(op: OpFacts, facts: _Scatter) -> None:
    for label, types in (("c1", facts.inputs), ("c3", facts.updates)):
        if any(not compatible_shapes(types[0].dims, type_.dims) for type_ in types[1:]):
            raise op.error(label, f"shapes of {', '.join(map(str, types))} differ")


def _check_ranks(op: OpFacts, facts: _Scatter) -> None:
    input_, update = facts.inputs[0], facts.updates[0]
    rank = len(facts.index_sizes) - 1 + len(facts.window_dims)
    if update.rank != rank:
        raise op.error("c4", f"updates must have {rank} dimensions, not {update.rank}")
    count = len(facts.window_dims) + len(facts.inserted) + len(facts.input_batching)
    if input_.rank != count:
        raise op.error("c2", f"{input_} must have {count} dimensions: window, inserted and batching ones")


def _check_window_dims(op: OpFacts, facts: _Scatter) -> None:
    if not is_ascending(facts.window_dims):
        raise op.error("c7", f"update_window_dims {list(facts.window_dims)} must ascend")
    if not are_dimensions(facts.window_dims, facts.updates[0].rank):
        raise op.error("c8", f"update_window_dims {list(facts.window_dims)} are not among those of {facts.updates[0]}")


def _check_inserted(op: OpFacts, facts: _Scatter) -> None:
    if not is_unique((*facts.inserted, *facts.input_batching)):
        raise op.error("c9", "inserted and batching dimensions are not all different")
    if not is_ascending(facts.inserted, strictly=False):
        raise op.error("c10", f"inserted_window_dims {list(facts.inserted)} must ascend")
    if not are_dimensions(facts.inserted, facts.inputs[0].rank):
        raise op.error("c11", f"inserted_window_dims {list(facts.inserted)} are not among those of {facts.inputs[0]}")


def _check_batching(op: OpFacts, facts: _Scatter) -> None:
    input_, indices = facts.inputs[0], facts.indices
    mine = Batching("input_batching_dims", facts.input_batching, input_, input_.dims)
    theirs = Batching("scatter_indices_batching_dims", facts.indices_batching, indices, facts.index_sizes)
    check_batching(op, _BATCHING, mine, theirs, facts.index_vector_dim, called="inputs")


def _check_scattered(op: OpFacts, facts: _Scatter) -> None:
    length = facts.index_sizes[facts.index_vector_dim]
    if length not in (DYNAMIC, len(facts.scattered)):
        raise op.error("c19", f"scatter_dims_to_operand_dims must have {length} entries")
    if not is_unique((*facts.scattered, *facts.input_batching)):
        raise op.error("c20", "scattered and batching dimensions are not all different")
    if not are_dimensions(facts.scattered, facts.inputs[0].rank):
        raise op.error("c21", f"scatter_dims_to_operand_dims {list(facts.scattered)} holds none of {facts.inputs[0]}")


def _check_update_sizes(op: OpFacts, facts: _Scatter, update: Tensor) -> None:
    skipped = {*facts.inserted, *facts.input_batching}
    extents = [size for dim, size in enumerate(facts.inputs[0].dims) if dim not in skipped]
    for dim, extent in zip(facts.window_dims, extents, strict=True):
        size = update.dims[dim]
        if DYNAMIC not in (size, extent) and size > extent:
            raise op.error("c4", f"dimension {dim} of {update} is larger than that of {facts.inputs[0]}")
    others: Sequence[int] = [size for dim, size in enumerate(update.dims) if dim not in facts.window_dims]
    batch = [size for dim, size in enumerate(facts.index_sizes) if dim != facts.index_vector_dim]
    if not compatible_shapes(others, batch):
        raise op.error("c4", f"{update} does not fit {facts.indices}")
