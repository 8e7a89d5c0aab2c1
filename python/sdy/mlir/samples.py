"""A few ops from all over a module, to see what most of its ops are like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.mlir import ir

RUNS = 10
"""How many runs of neighbouring ops are taken; to find the start of each takes longer the larger its block is."""

LENGTH = 60
"""Ops per run."""


def count_ops(holders: Sequence[ir.Operation]) -> int:
    """Number of ops directly in the regions of `holders`."""
    return sum(len(block.operations) for block in _blocks(holders))


def sample(holders: Sequence[ir.Operation]) -> list[ir.Operation]:
    """Up to `RUNS * LENGTH` ops directly in the regions of `holders`, in runs of neighbours at equal distances."""
    found: list[ir.Operation] = []
    total = count_ops(holders)
    starts = [total * run // RUNS for run in range(RUNS)]
    passed = 0  # how many ops are in the blocks before
    for block in _blocks(holders):
        operations = block.operations
        count = len(operations)
        while starts and starts[0] < passed + count:
            found += _run(operations[starts.pop(0) - passed].operation)
        passed += count
    return found


def _blocks(holders: Sequence[ir.Operation]) -> Iterator[ir.Block]:
    return (block for op in holders for region in op.regions for block in region.blocks)


def _run(op: ir.Operation) -> list[ir.Operation]:
    """`op` and the ops that follow it in its block, `LENGTH` at most."""
    run = [op]
    while len(run) < LENGTH and (following := ir.InsertionPoint.after(run[-1]).ref_operation) is not None:
        run.append(following.operation)
    return run
