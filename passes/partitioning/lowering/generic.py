"""Ops without a lowering of their own: the same op on local values, where that computes the local part of the result."""

from __future__ import annotations

from sdy.dialect.axes import difference
from sdy.dialect.op_properties import is_elementwise
from sdy.passes.partitioning.agreement import Agreement, agree
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering.local_op import LocalOp
from sdy.passes.partitioning.lowering.registry import Lowering
from sdy.passes.partitioning.lowering.whole_factors import whole_factors
from sdy.passes.partitioning.relayout import relayout
from sdy.passes.partitioning.stablehlo_builder import Builder
from sdy.passes.propagation.rules import rule_of


def choose(op: LocalOp) -> Lowering:
    """The lowering of an op that has none registered; to be asked while all types are global."""
    layouts = (*op.operand_layouts, *op.result_layouts)
    if not any(layout.placement or layout.unreduced for layout in layouts):
        return unchanged
    if op.op.name.startswith("sdy."):
        return illegal
    if op.op.results and is_elementwise(op.op):
        return elementwise
    return by_rule(op, LocalOp.keep)


def by_rule(op: LocalOp, lowering: Lowering, *, reductions: bool = False) -> Lowering:
    """`lowering`, surrounded by the moves that make operands and results fit the op's sharding rule, if they do not.

    An op without a rule is computed as a whole on every device. With `reductions` the lowering takes care of partial
    results.
    """
    rule = rule_of(op.op)
    if rule is None:
        return LocalOp.gather_compute_slice
    agreement = agree(
        rule,
        op.operand_layouts,
        op.result_layouts,
        op.setting.layouts,
        reductions=reductions,
        whole=whole_factors(op.op, rule),
    )
    if agreement.is_given and _sums_alike(op):
        return lowering
    return moved_to(agreement, lowering)


def moved_to(agreement: Agreement, lowering: Lowering) -> Lowering:
    """`lowering` on operands and results that are laid out as `agreement` says."""

    def lower(op: LocalOp) -> None:
        for index, layout in enumerate(agreement.operands):
            op.bring(index, layout)
        uses = [[(use.owner.operation, use.operand_number) for use in result.uses] for result in op.op.results]
        after = Builder.after(op.op)
        lowering(LocalOp(op.op, agreement.operands, agreement.results, op.setting))
        for have, want, result_uses in zip(agreement.results, op.result_layouts, uses, strict=True):
            if not result_uses or have is want:
                continue
            user, number = result_uses[0]
            made = user.operands[number]
            moved = relayout(op.comm, after, made, have, want, user)
            if moved is not made:
                for user, number in result_uses:
                    user.operands[number] = moved

    return lower


def _sums_alike(op: LocalOp) -> bool:
    """Whether no operand is a partial value along an axis along which the result is none."""
    return all(not _extra_unreduced(layout, op.result_layouts) for layout in op.operand_layouts)


def _extra_unreduced(operand: Layout, results: tuple[Layout, ...]) -> bool:
    if operand.mesh is None or not operand.unreduced:
        return False
    allowed = results[0].unreduced if results else ()
    return bool(difference(operand.unreduced, allowed, operand.mesh.axis_sizes))


def unchanged(op: LocalOp) -> None:
    """Nothing is sharded."""


def elementwise(op: LocalOp) -> None:
    """All operands that have dimensions are laid out like the result."""
    want = op.result_layouts[0]
    for index, have in enumerate(op.operand_layouts):
        if have.rank == want.rank and have.rank:
            op.bring(index, op.setting.layouts.of(have.type, want.sharding))
        elif have.placement:
            op.bring(index, op.setting.layouts.of(have.type, None))
    op.keep()


def illegal(op: LocalOp) -> None:
    op.fail("is not made local by this pass; run the passes that come before it in the pipeline")
