"""Scattering updates to indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.stablehlo.attribute_readers import read_scatter_dimensions
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.shared_rules.batching_rules import Batching, BatchingLabels, check_batching
from sdy.stablehlo.shared_rules.body_rules import check_reduction_body, returned_elements
from sdy.stablehlo.types.dimension_lists import are_dimensions, is_ascending, is_unique
from sdy.stablehlo.types.sizes import DYNAMIC, compatible_shapes
from sdy.stablehlo.types.value_types import Tensor, scalar

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
        raise op.error("c22", f"index_vector_dim {facts.index_vector_dim} is none of {facts.indices}")
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
        raise op.error("c8", f"update_window_dims {list(facts.window_dims)} are none of {facts.updates[0]}")


def _check_inserted(op: OpFacts, facts: _Scatter) -> None:
    if not is_unique((*facts.inserted, *facts.input_batching)):
        raise op.error("c9", "inserted and batching dimensions are not all different")
    if not is_ascending(facts.inserted, strictly=False):
        raise op.error("c10", f"inserted_window_dims {list(facts.inserted)} must ascend")
    if not are_dimensions(facts.inserted, facts.inputs[0].rank):
        raise op.error("c11", f"inserted_window_dims {list(facts.inserted)} are none of {facts.inputs[0]}")


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
