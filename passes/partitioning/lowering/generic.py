"""Ops without a lowering of their own: the same op on local values, where that gives the local part of the result."""

from __future__ import annotations

from dataclasses import replace

from sdy.dialect.attributes import SHARDING_RULE
from sdy.dialect.axes import difference
from sdy.dialect.diagnostics import remark
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.rule import FactorType, ShardingRule
from sdy.passes.partitioning.agreement import Agreement, agree
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering.local_op import LocalOp, Lowering
from sdy.passes.partitioning.relayout import as_partial, relayout
from sdy.passes.partitioning.stablehlo_builder import Builder
from sdy.passes.partitioning.uses import use_instead, uses_of
from sdy.passes.partitioning.whole_factors import whole_factors
from sdy.passes.propagation.rules import create_rule


def choose(op: LocalOp) -> Lowering:
    """The lowering of an op that has none registered; to be asked while all types are global."""
    layouts = (*op.operand_layouts, *op.result_layouts)
    if not any(layout.placement or layout.unreduced for layout in layouts):
        return unchanged
    if op.op.name.startswith("sdy."):
        return illegal
    if op.op.results and is_elementwise(op.op) and len({layout.shape for layout in layouts if layout.rank}) == 1:
        return elementwise
    return by_rule(op, LocalOp.keep)


def by_rule(op: LocalOp, lowering: Lowering, *, reductions: bool = False) -> Lowering:
    """`lowering`, surrounded by the moves that make operands and results fit the op's sharding rule, if they do not.

    An op without a rule is computed as a whole on every device. With `reductions` the lowering takes care of partial
    results.
    """
    rule = _rule(op)
    if rule is None:
        return LocalOp.gather_compute_slice
    agreement = _agreement(op, rule, reductions)
    results = tuple(_partial(op, layout, agreement.operands, rule) for layout in agreement.results)
    if agreement.is_given and results == agreement.results and _sums_alike(op):
        return lowering
    return moved_to(replace(agreement, results=results), lowering)


def _partial(op: LocalOp, result: Layout, operands: tuple[Layout, ...], rule: ShardingRule) -> Layout:
    """`result` with those unreduced axes along which the op makes partial results of such operands."""
    if result.sharding is None or result.mesh is None or not result.unreduced:
        return result
    sizes = result.mesh.axis_sizes
    made = [axis for layout in operands for axis in layout.unreduced]
    for layout, mapping in zip(operands, rule.operands, strict=True):
        for axes, factors in zip(layout.dim_axes, mapping, strict=False):
            made += axes if any(rule.factor_types[factor] is FactorType.REDUCTION for factor in factors) else ()
    missing = difference(result.unreduced, made, sizes)
    if not missing:
        return result
    left = difference(result.unreduced, missing, sizes)
    return op.setting.layouts.of(result.type, result.sharding.with_unreduced(left, result.sharding.reduction))


def _rule(op: LocalOp) -> ShardingRule | None:
    """A custom rule on the op, else what its types give now; a rule on the op may be of the types before padding."""
    stored = op.get(SHARDING_RULE)
    if stored is not None and stored.is_custom:
        return stored
    return create_rule(op.op) or stored


def _agreement(op: LocalOp, rule: ShardingRule, reductions: bool) -> Agreement:
    whole = whole_factors(op.op, rule)
    key = (rule, op.operand_layouts, op.result_layouts, reductions, whole)
    known = op.setting.agreements
    if key not in known:
        layouts = op.setting.layouts
        known[key] = agree(rule, op.operand_layouts, op.result_layouts, layouts, reductions=reductions, whole=whole)
    return known[key]


def moved_to(agreement: Agreement, lowering: Lowering) -> Lowering:
    """`lowering` on operands and results that are laid out as `agreement` says."""

    def lower(op: LocalOp) -> None:
        _remark_moves(op, agreement)
        for index, layout in enumerate(agreement.operands):
            op.bring(index, layout)
        slots = [uses_of(result) for result in op.op.results]
        after = Builder.after(op.op)
        lowering(LocalOp(op.op, agreement.operands, agreement.results, op.setting))
        for have, want, users in zip(agreement.results, op.result_layouts, slots, strict=True):
            if users and have is not want:
                made = users[0].user.operands[users[0].number]
                moved = relayout(op.comm, after, made, have, want, users[0].user)
                use_instead(users, as_partial(op.comm, after, moved, have, want))

    return lower


def _remark_moves(op: LocalOp, agreement: Agreement) -> None:
    moved = zip((*op.operand_layouts, *op.result_layouts), (*agreement.operands, *agreement.results), strict=True)
    if any(have.placement != want.placement and (have.sharded_dims or want.sharded_dims) for have, want in moved):
        remark(op.op, "needs dimensions as a whole, or sharded alike, that are not: they are gathered, then sliced")


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
