"""What is common to the ways of cutting products into steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sdy.mlir import ir
from sdy.passes.overlap.decomposition.cut_products import CutProduct
from sdy.passes.overlap.decomposition.ring_groups import RingGroups
from sdy.passes.overlap.decomposition.ring_moves import Ring, own_position
from sdy.stablehlo.ops.values import Value

T = TypeVar("T")


@dataclass(frozen=True)
class Shape:
    """The form of the steps: tensors go around the ring one way or both ways, in a loop or not."""

    both: bool
    loop: bool

    def pick(self, one_way: T, one_way_loop: T, both_ways: T, both_ways_loop: T) -> T:
        """The one of this shape."""
        forms = (both_ways, both_ways_loop) if self.both else (one_way, one_way_loop)
        return forms[self.loop]


class Decomposition(Protocol):
    """Products, `dots`, that can be cut into as many steps as the ring of their `collective` has devices.

    Tensors of type `sent` are passed on. `cuts` say how the products are cut; `bytes_beside` are what a step reads and
    writes besides them. `is_gathered_again` says that an all_gather of what the steps make follows.
    """

    @property
    def groups(self) -> RingGroups: ...

    @property
    def dots(self) -> tuple[ir.Operation, ...]: ...

    @property
    def cuts(self) -> tuple[CutProduct, ...]: ...

    @property
    def bytes_beside(self) -> float: ...

    @property
    def is_gathered_again(self) -> bool: ...

    @property
    def collective(self) -> ir.Operation: ...

    @property
    def sent(self) -> ir.Type: ...

    def apply(self, ring: Ring, shape: Shape) -> None:
        """Puts the steps in the place of the collective and the products."""
        ...


class Rings:
    """The rings of a module: each permute has a channel of its own, each block one position for each kind of groups."""

    def __init__(self, channels: Iterator[int], *, asynchronous: bool) -> None:
        self._channels = channels
        self._asynchronous = asynchronous
        self._positions: dict[tuple[ir.Block, RingGroups], Value] = {}

    def ring(self, groups: RingGroups, block: ir.Block, sent_at: ir.Location) -> Ring:
        """One whose position is computed where `block` begins."""
        position = self._positions.get((block, groups))
        if position is None:
            with ir.InsertionPoint.at_block_begin(block), sent_at:
                position = self._positions[block, groups] = own_position(groups)
        return Ring(groups, position, self._channels, sent_at, asynchronous=self._asynchronous)
