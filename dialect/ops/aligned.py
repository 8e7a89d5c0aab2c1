"""Ops of which dimension d of every tensor is the same dimension."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.lowering.aligned import check_aligned, lower_aligned
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import OpModel


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
