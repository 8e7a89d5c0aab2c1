"""Batching dimensions of gathers and scatters: those of what is indexed, and those of the indices, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.dimension_lists import are_dimensions, is_ascending, is_unique
from sdy.stablehlo.types.sizes import compatible_sizes
from sdy.stablehlo.types.value_types import Tensor


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
    """The dimensions of a tensor that the attribute `name` lists; `sizes` are those of all of its dimensions."""

    name: str
    dims: Sequence[int]
    tensor: Tensor
    sizes: Sequence[int]

    def check_dimensions(self, op: OpFacts, label: str) -> None:
        if not are_dimensions(self.dims, len(self.sizes)):
            raise op.error(label, f"{self.name} {list(self.dims)} are none of {self.tensor}")


def check_batching(
    op: OpFacts, labels: BatchingLabels, indexed: Batching, indices: Batching, index_vector_dim: int, *, called: str
) -> None:
    """`called` is what the specification calls what is indexed."""
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
