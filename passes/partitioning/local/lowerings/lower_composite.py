"""Composites: what they decompose to has global types, so each is computed as a whole on every device."""

from __future__ import annotations

from sdy.passes.partitioning.local.generic_lowering import unchanged
from sdy.passes.partitioning.local.local_op import LocalOp, Lowering
from sdy.passes.partitioning.local.registry import lowering_choice


@lowering_choice("stablehlo.composite")
def composite(op: LocalOp) -> Lowering:
    layouts = (*op.operand_layouts, *op.result_layouts)
    is_distributed = any(layout.placement or layout.unreduced for layout in layouts)
    return LocalOp.gather_compute_slice if is_distributed else unchanged
