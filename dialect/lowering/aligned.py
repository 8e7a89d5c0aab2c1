"""Ops of which dimension d of every tensor is the same dimension, apart from some that need all of their data."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sdy.dialect.lowering.agreement import Agreement
from sdy.dialect.lowering.generic_lowering import moved_to
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp, Lowering
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import OpModel
from sdy.dialect.values.axes import AxisList


def lower_aligned(
    op: LocalOp, lowering: Lowering, *, whole: Collection[int] = (), kept_whole: Sequence[Collection[int]] = ()
) -> None:
    """Makes `op` local with `lowering`, all tensors laid out like the first result.

    Dimensions in `whole` are not sharded in any tensor, those in `kept_whole[i]` not in operand i. Operands of another
    rank than the result (padding values, indices) are not sharded. Nothing moves where that is so already.
    """
    key = ("aligned", op.operand_layouts, op.result_layouts, tuple(whole), tuple(map(tuple, kept_whole)))
    known = op.setting.known
    if key not in known:
        known[key] = _alignment(op, whole, kept_whole)
    alignment = known[key]
    if alignment.is_given:
        lowering(op)
    else:
        moved_to(alignment, lowering)(op)


def _alignment(op: LocalOp, whole: Collection[int], kept_whole: Sequence[Collection[int]]) -> Agreement:
    target = _made(op)
    operands = []
    for index, layout in enumerate(op.operand_layouts):
        unsharded = kept_whole[index] if index < len(kept_whole) else ()
        operands.append(_like(op, layout, target, {*whole, *unsharded}))
    results = [_like(op, layout, target, whole) for layout in op.result_layouts]
    given = (*op.operand_layouts, *op.result_layouts)
    is_given = all(
        have.placement == want.placement and have.unreduced == want.unreduced
        for have, want in zip(given, (*operands, *results), strict=True)
    )
    return Agreement(tuple(operands), tuple(results), is_given)


def _made(op: LocalOp) -> Layout:
    """The layout of the result, partial along those axes only along which all operands of its rank are."""
    target = op.result_layouts[0]
    if target.sharding is None or not target.unreduced:
        return target
    sources = [layout for layout in op.operand_layouts if layout.rank == target.rank]
    common = tuple(axis for axis in target.unreduced if all(axis in source.unreduced for source in sources))
    return op.setting.layouts.of(target.type, target.sharding.with_unreduced(common, target.sharding.reduction))


def _like(op: LocalOp, layout: Layout, target: Layout, whole: Collection[int]) -> Layout:
    if layout.rank != target.rank or target.sharding is None or not target.sharding.dims:
        return op.setting.layouts.of(layout.type, None)
    axes: list[AxisList] = [() if dim in whole else target.dim_axes[dim] for dim in range(target.rank)]
    return op.setting.layouts.of(layout.type, target.sharding.with_dim_axes(axes))


# Checks of parts ---------------------------------------------------------------------------------


def check_aligned(op: ShardedOp, whole: Collection[int]) -> str | None:
    """Why `op` cannot be computed on parts: all tensors of one rank have to be placed alike, others not be sharded.

    Neither may the dimensions in `whole`.
    """
    result = op.result_layouts[0]
    for number, layout in enumerate((*op.operand_layouts, *op.result_layouts)):
        if layout.rank != result.rank and layout.sharded_dims:
            return f"{named_tensor(op, number)} is sharded"
        if layout.rank == result.rank and layout.shards != result.shards:
            return f"{named_tensor(op, number)} is not sharded like result 0"
        if layout.rank == result.rank and result.mesh and layout.placement != result.placement:
            return f"{named_tensor(op, number)} is not sharded like result 0"
    needed = [dim for dim in whole if dim in result.sharded_dims]
    return f"dimension {needed[0]} is needed as a whole" if needed else None


def check_alike(op: ShardedOp) -> str | None:
    """Why `op` cannot be computed on parts: all tensors with dimensions have to be placed like the first result."""
    if not op.result_layouts:
        return None
    result = op.result_layouts[0]
    for number, layout in enumerate((*op.operand_layouts, *op.result_layouts)):
        if layout.rank and layout.placement != result.placement:
            return f"{named_tensor(op, number)} is not sharded like result 0"
    return None


def named_tensor(op: ShardedOp, number: int) -> str:
    """Operand or result `number`, counted through, as messages call it."""
    count = len(op.operand_layouts)
    return f"operand {number}" if number < count else f"result {number - count}"


class AlignedOp(OpModel):
    """An op whose tensors are sharded alike, but for the dimensions that each device needs as a whole."""

    def whole_dims(self, op: ShardedOp) -> Sequence[int]:
        """Return the dimensions along which a device needs all elements, or those of other devices."""
        del op
        return ()

    def on_parts(self, op: LocalOp) -> None:
        """Make the op local, whose tensors are laid out alike."""
        op.keep()

    def check_parts(self, op: ShardedOp) -> str | None:
        return check_aligned(op, self.whole_dims(op))

    def localize(self, op: LocalOp) -> None:
        if not op.is_replicated:
            lower_aligned(op, self.on_parts, whole=self.whole_dims(op))
