"""Loops, branches and computations with a region, which forward global tensors."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.data_flow import DataFlowOp
from sdy.dialect.ir_builders.local_collectives import is_in_place, relayout
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp, Lowering
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import inline
from sdy.stablehlo.ops import Builder


def lower_data_flow(flow: DataFlowOp, layout_of: Callable[[ir.Value], Layout]) -> Lowering:
    """Lower an op with data-flow edges: values that flow into an owner get the owner's layout.

    `layout_of` gives the layout of a value of the program before anything changes.
    """
    entering: list[tuple[ir.Operation, int, Layout, TensorSharding | None]] = []
    for owner in (*flow.result_owners(), *flow.block_arg_owners()):
        sharding = layout_of(owner).sharding
        seen = None if sharding is None else flow.at_sources(owner, sharding)
        for use in flow.sources(owner):
            have = layout_of(use.owner.operands[use.operand_number])
            entering.append((use.owner, use.operand_number, have, seen))

    def lower(op: LocalOp) -> None:
        for user, number, have, sharding in entering:
            want = op.setting.layouts.of(have.type, sharding)
            if is_in_place(have, want):
                continue
            value = user.operands[number]
            moved = relayout(op.comm, Builder.before(user), value, have, want, user)
            if moved is not value:
                user.operands[number] = moved
        if op.op.name == "sdy.manual_computation":
            inline(op.op)
        else:
            op.keep()

    return lower
