"""Blocks that control never gets to; propagation erases them before it starts (spec: propagation, 9.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.mlir import ir


def erase_unreachable_blocks(regions: Sequence[ir.Region]) -> None:
    """Erases the blocks of each region to which no branch leads from its first one; nested regions come last."""
    for region in reversed(regions):
        entry, *others = region.blocks
        reached, pending = [entry], [entry]
        while pending:
            for successor in pending.pop().successors:
                if successor not in reached:
                    reached.append(successor)
                    pending.append(successor)
        _erase([block for block in others if block not in reached])


def _erase(blocks: Iterable[ir.Block]) -> None:
    """Erases blocks whose values only they use, by way of an op that takes them along when it is erased."""
    grave = ir.Operation.create("builtin.module", regions=1, loc=ir.Location.unknown())
    for block in blocks:
        block.append_to(grave.regions[0])
    grave.erase()
