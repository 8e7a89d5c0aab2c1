"""The dimensions of a product by their roles."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.mlir import ir
from sdy.stablehlo import views

DOTS = ("stablehlo.dot_general", "stablehlo.dot")

Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Dimensions of the left and of the right operand, one by one for each other."""


@dataclass(frozen=True)
class DotDimensions:
    """Which dimensions of two operands of `ranks` go together; those of the result are batch, free left, free right.

    `side` is 0 for the left operand and 1 for the right one.
    """

    batching: Pair
    contracting: Pair
    ranks: tuple[int, int]

    def free(self, side: int) -> tuple[int, ...]:
        taken = (*self.batching[side], *self.contracting[side])
        return tuple(dim for dim in range(self.ranks[side]) if dim not in taken)

    def partner(self, side: int, dim: int) -> int | None:
        """The dimension of the other operand that goes with `dim`; None for a free one."""
        for pairs in (self.batching, self.contracting):
            if dim in pairs[side]:
                return pairs[1 - side][pairs[side].index(dim)]
        return None

    def result_dim(self, side: int, dim: int) -> int | None:
        """Where `dim` is in the result; None for a contracted one."""
        if dim in self.contracting[side]:
            return None
        if dim in self.batching[side]:
            return self.batching[side].index(dim)
        before = len(self.batching[0]) + (len(self.free(0)) if side else 0)
        return before + self.free(side).index(dim)

    def operand_dims(self, result_dim: int) -> tuple[int | None, int | None]:
        """The dimension of each operand that `result_dim` is; None for an operand that does not have it."""
        batches, left = len(self.batching[0]), self.free(0)
        if result_dim < batches:
            return self.batching[0][result_dim], self.batching[1][result_dim]
        if result_dim < batches + len(left):
            return left[result_dim - batches], None
        return None, self.free(1)[result_dim - batches - len(left)]


def dot_dimensions(op: ir.Operation) -> DotDimensions:
    """Those of a `stablehlo.dot_general` or `stablehlo.dot`."""
    ranks = (len(op.operands[0].type.shape), len(op.operands[1].type.shape))
    if op.name == "stablehlo.dot":
        return DotDimensions(((), ()), ((ranks[0] - 1,), (0,)), ranks)
    lhs_batching, rhs_batching, lhs_contracting, rhs_contracting = views.DotGeneral(op).dot_dimension_numbers
    return DotDimensions((lhs_batching, rhs_batching), (lhs_contracting, rhs_contracting), ranks)
