"""Ops that are executed for their effects: each device does so with what it has, and gets its own part."""

from __future__ import annotations

from sdy.passes.partitioning.local.generic_lowering import by_layouts, by_own_rule
from sdy.passes.partitioning.local.local_op import LocalOp, Lowering
from sdy.passes.partitioning.local.registry import local_lowering, lowering_choice
from sdy.stablehlo.idioms.callbacks import is_made_on_parts


@lowering_choice("stablehlo.custom_call")
def custom_call(op: LocalOp) -> Lowering:
    """A partitioned callback sees parts; any other call follows its rule, or sees the whole."""
    if is_made_on_parts(op.op):
        return LocalOp.keep
    return by_layouts(op) or by_own_rule(op)


@local_lowering("stablehlo.infeed")
def infeed(op: LocalOp) -> None:
    """Each device is fed its part."""
    op.keep()
