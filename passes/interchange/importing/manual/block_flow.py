"""The ops of a block and what they take from one another, by their places in it."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.mlir import ir, stablehlo
from sdy.passes.interchange.importing.manual.conversions import conversion_of


class BlockFlow:
    """A snapshot of a block; ops nested in regions of ops belong to the op of the block around them.

    Attributes:
      ops: the ops of the block, in order.
      conversions: what each calls if it is a conversion, else nothing.
      taken: the values that each takes, those that ops in it take included; tokens, which are on no device, are apart.
      tokens: the tokens that each takes.
      sources: the places of the ops of the block that make what it takes.
      users: the places of the ops that take what it makes.
    """

    def __init__(self, block: ir.Block) -> None:
        self._block = block
        self.look_again()

    def look_again(self) -> None:
        """The block has changed."""
        self.ops = [op.operation for op in self._block.operations]
        self.conversions = [conversion_of(op) for op in self.ops]
        taken = [list(taken_by(op)) for op in self.ops]
        self.taken = [[value for value in each if not is_token(value)] for each in taken]
        self.tokens = [[value for value in each if is_token(value)] for each in taken]
        self._place: dict[ir.Value, int] = {result: place for place, op in enumerate(self.ops) for result in op.results}
        self.sources = [sorted({self._place[value] for value in taken if value in self._place}) for taken in self.taken]
        self.users: list[list[int]] = [[] for _ in self.ops]
        for place, sources in enumerate(self.sources):
            for source in sources:
                self.users[source].append(place)

    def place_of(self, value: ir.Value) -> int | None:
        """The place of the op that makes `value`; None if that is not in the block."""
        return self._place.get(value)

    def takes_from_outside(self, place: int) -> bool:
        """Whether the op takes what is made outside of the block, or is an argument of it."""
        return any(value not in self._place for value in self.taken[place])


def is_token(value: ir.Value) -> bool:
    """Whether `value` is an order of effects and nothing else."""
    return value.type == stablehlo.TokenType.get(value.type.context)


def taken_by(op: ir.Operation) -> Iterator[ir.Value]:
    """What `op` and the ops in it take from outside of it."""
    yield from op.operands
    inside: set[ir.Value] = set()
    for region in op.regions:
        for block in region.blocks:
            inside |= set(block.arguments)
            for nested in block.operations:
                yield from (value for value in taken_by(nested.operation) if value not in inside)
                inside |= set(nested.operation.results)
