"""Pads and slices that shuffle a few rows of a sharded dimension, or move many far: they go straight to who needs them.

    %0 = stablehlo.slice %a [0:7:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<8xf32>) -> tensor<4xf32>                                  // on eight devices
==> %0 = sdy.manual_computation(%a, %zero) ... manual_axes={"x"} (%row: tensor<1xf32>, %value: tensor<f32>) {
      "stablehlo.collective_permute"(%row) <{source_target_pairs = dense<[[2, 1], [4, 2], [6, 3]]>}>
      ...

A halo exchange would send every row to all devices up to three places away. So it would the rows of a half, as of heads
that are rotated or of gates that lie side by side, which many devices need next to one another.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.lowering.layout import Layout
from sdy.mlir import ir
from sdy.passes.costs.collective_cost import moved_bytes
from sdy.passes.partitioning.exchanges.rearrangement import Rearrangement
from sdy.passes.partitioning.exchanges.rearrangement_plan import Piece, schedule
from sdy.passes.partitioning.facts.halo_plan import DimPlan
from sdy.stablehlo.ops import Builder

_MANY = 1024
"""On more devices nobody plans for each of them."""

_FEW = 4
"""So many rows on each device at most: each takes an op of its own to be put in its place."""


def move_rows(op: ir.Operation, layout: Layout, plans: Sequence[DimPlan], comm: Communication) -> bool:
    """Rewrites a pad or slice on an operand laid out as `layout`; False if it sends no less than the halos of `plans`.

    It has to change nothing but one sharded dimension, the only one that needs what others have.
    """
    needing = [plan for plan in plans if plan.is_needed]
    target = Layout(op.results[0].type, layout.sharding, layout.mesh)
    if len(needing) != 1 or not _changes_only(op, needing[0].dim) or layout.unreduced:
        return False
    (plan,) = needing
    if 0 in (*layout.shape, *target.shape) or not (_has_few_rows(plan) or _moves_far(plan)):
        return False
    dim = plan.dim
    sizes = layout.shape[dim], target.shape[dim]
    pieces = _rows(plan, *sizes) if plan.stride > 1 or plan.dilation > 1 else _block(plan, *sizes)
    moves = schedule(pieces, [layout.shape[dim]], [target.shape[dim]], plan.shards)
    if moves.rows >= min(plan.sent_rows, moved_bytes("all_gather", plan.shards, plan.source_size)):
        return False
    operand, *padding = op.operands
    moving = Rearrangement([layout], [target], dim, moves)
    (made,) = moving.emit(Builder.before(op), [operand], padding[0] if padding else None, comm)
    op.results[0].replace_all_uses_with(made)
    op.erase()
    return True


def _has_few_rows(plan: DimPlan) -> bool:
    """Whether devices have few of them. Of a shift a row crosses each border in any case."""
    is_shift = plan.stride == plan.dilation == 1 and plan.sent_rows <= 1
    return max(plan.source_size, plan.target_size) <= _FEW and not is_shift


def _moves_far(plan: DimPlan) -> bool:
    """Whether rows stay next to one another, and some go farther than to the next device."""
    return plan.stride == plan.dilation == 1 and max(plan.left, plan.right) > 1 and plan.shards <= _MANY


def _block(plan: DimPlan, size: int, made: int) -> list[Piece]:
    """All rows of the operand that the result has, one behind the other."""
    start, stop = max(0, -plan.low), min(size, made - plan.low)
    return [Piece(0, start, 0, start + plan.low, stop - start)] if start < stop else []


def _changes_only(op: ir.Operation, dim: int) -> bool:
    """Whether the op leaves all other dimensions as they are."""
    names = ("start_indices", "strides") if op.name == "stablehlo.slice" else ("edge_padding_low", "interior_padding")
    starts, steps = (list(op.attributes[name]) for name in names)
    step = 1 if op.name == "stablehlo.slice" else 0
    sizes = zip(op.operands[0].type.shape, op.results[0].type.shape, strict=True)
    return all(
        each == dim or (before == after and starts[each] == 0 and steps[each] == step)
        for each, (before, after) in enumerate(sizes)
    )


def _rows(plan: DimPlan, size: int, made: int) -> list[Piece]:
    """The rows of the operand that the result has, one by one."""
    found: list[Piece] = []
    for row in range(size):
        at, rest = divmod(row * plan.dilation + plan.low, plan.stride)
        if not rest and 0 <= at < made:
            found.append(Piece(0, row, 0, at, 1))
    return found
