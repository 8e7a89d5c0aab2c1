"""Ops that pass whole tensors on: loops, branches, calls, computations with a region."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.data_flow import DataFlowOp
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import callee_name, symbol_name
from sdy.mlir.rewriting.inlining import inline
from sdy.passes.partitioning.emit.gather_and_slice import is_in_place, relayout
from sdy.passes.partitioning.emit.operand_slots import use_instead, uses_of
from sdy.passes.partitioning.facts.layout import Layout
from sdy.passes.partitioning.local.inference.derivation import local_type
from sdy.passes.partitioning.local.local_op import LocalOp, Lowering
from sdy.passes.partitioning.local.registry import local_lowering
from sdy.stablehlo.ops import Builder


def data_flow(flow: DataFlowOp, layout_of: Callable[[ir.Value], Layout]) -> Lowering:
    """The lowering of an op with data-flow edges: what flows into an owner gets the owner's layout.

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


@local_lowering("func.return")
def return_(op: LocalOp) -> None:
    """The function's result shardings say what leaves it."""
    func = op.op.parent.operation
    for index, layout in enumerate(op.setting.functions[symbol_name(func)].results):
        op.bring(index, layout)


@local_lowering("stablehlo.return", "sdy.return")
def region_return(op: LocalOp) -> None:
    """The op that holds the region looks after what its terminator returns."""


@local_lowering("func.call")
def call(op: LocalOp) -> None:
    """The callee says how arguments arrive and how results come back."""
    callee = op.setting.functions.get(callee_name(op.op))
    if callee is None:
        op.fail(f"calls @{callee_name(op.op)}, which the module does not have")
    for index, layout in enumerate(callee.arguments):
        op.bring(index, layout)
    after = Builder.after(op.op)
    for result, have, want in zip(list(op.op.results), callee.results, op.result_layouts, strict=True):
        result.set_type(local_type(have, op.op))
        if is_in_place(have, want):
            continue
        slots = uses_of(result)
        if not slots:
            continue
        moved = relayout(op.comm, after, result, have, want, op.op)
        if moved is not result:
            use_instead(slots, moved)
