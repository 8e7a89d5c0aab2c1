"""The roles of the dimensions of CHLO's ragged dot."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import read_ragged_dimensions


@dataclass(frozen=True, slots=True)
class RaggedDims:
    """Those of a product, the one that the groups divide, and the one of the right operand that has an entry for each.

    The ragged dimension is one of the left operand: a free one, a contracting one or one of the batch.
    """

    lhs_batching: tuple[int, ...]
    rhs_batching: tuple[int, ...]
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]
    ragged: int
    rhs_group: tuple[int, ...]

    @staticmethod
    def of(attribute: ir.Attribute) -> RaggedDims:
        """`ValueError` unless there is one ragged dimension."""
        lists = read_ragged_dimensions(attribute) or {}

        def listed(name: str) -> tuple[int, ...]:
            return lists.get(f"{name}_dimensions", ())

        ragged = listed("lhs_ragged")
        if len(ragged) != 1:
            raise ValueError(f"there has to be one ragged dimension, not {list(ragged)}")
        lhs, rhs = ((listed(f"{side}_batching"), listed(f"{side}_contracting")) for side in ("lhs", "rhs"))
        return RaggedDims(lhs[0], rhs[0], lhs[1], rhs[1], ragged[0], listed("rhs_group"))

    @property
    def contracts_groups(self) -> bool:
        """Whether groups are summed by themselves, and the result has a first dimension with an entry for each."""
        return self.ragged in self.lhs_contracting

    @property
    def rhs_ragged(self) -> int | None:
        """The dimension of the right operand that the groups divide, too."""
        for left, right in ((self.lhs_contracting, self.rhs_contracting), (self.lhs_batching, self.rhs_batching)):
            if self.ragged in left:
                return right[left.index(self.ragged)]
        return None

    def lhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of the left operand that only the result has."""
        return tuple(dim for dim in range(rank) if dim not in (*self.lhs_batching, *self.lhs_contracting))

    def rhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of the right operand that only the result has."""
        taken = (*self.rhs_batching, *self.rhs_contracting, *self.rhs_group)
        return tuple(dim for dim in range(rank) if dim not in taken)

    def prefix(self, rank: int) -> tuple[int, ...]:
        """The dimensions of the left operand in front of the ragged one, for each of which there may be sizes."""
        if self.ragged in self.lhs_batching:
            return self.lhs_batching[: self.lhs_batching.index(self.ragged)]
        others = self.lhs_contracting if self.contracts_groups else self.lhs_free(rank)
        return (*self.lhs_batching, *others[: others.index(self.ragged)])

    def of_result(self, lhs_rank: int) -> int | None:
        """The dimension of the result that the groups divide; None where they are contracted."""
        if self.contracts_groups:
            return None
        return (*self.lhs_batching, *self.lhs_free(lhs_rank)).index(self.ragged)
