"""Local forms of ops without a model, and of ops whose tensors share their dimensions."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from functools import lru_cache

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.local_collectives import as_partial, is_in_place, relayout
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.lowering.local_op import (
    LocalOp,
    Lowering,
    is_reduced_by_users,
    keep_and_combine,
    local_rule,
    unshardable_factors,
)
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import OpModel, model_with
from sdy.dialect.values.axes import AxisList, any_overlap, common_prefix, difference, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import (
    FactorSharding,
    FactorType,
    ShardingRule,
    TensorFactors,
    TensorMapping,
    contains_factor,
    from_factors,
    to_factors,
)
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address
from sdy.mlir.diagnostics import remark
from sdy.mlir.per_context import PerContext
from sdy.stablehlo.ops import Builder

Shardings = tuple[TensorSharding | None, ...]


@dataclass(frozen=True)
class Agreement:
    """Layouts of an op's operands and results with which every device computes its own part.

    `is_given` tells that they are the given layouts.
    """

    operands: tuple[Layout, ...]
    results: tuple[Layout, ...]
    is_given: bool


def agree(
    rule: ShardingRule,
    operands: Sequence[Layout],
    results: Sequence[Layout],
    layouts: Layouts,
    *,
    reductions: bool = False,
    whole: frozenset[int] = frozenset(),
) -> Agreement:
    """Layouts that fit `rule`, as close to the given ones as possible.

    Args:
      rule: the sharding rule of the op.
      operands: layouts of the operands.
      results: layouts of the results.
      layouts: makes the new layouts.
      reductions: whether the op's lowering combines partial results of reduction factors.
      whole: factors that must not be sharded, whatever the rule says.
    """
    tensors = (*operands, *results)
    found = _common_mesh((*results, *operands))
    if found is None:
        return Agreement(tuple(operands), tuple(results), True)
    ref, mesh = found
    shapes = tuple(layout.shape for layout in tensors)
    shardings = tuple(layout.sharding if layout.mesh == mesh else None for layout in tensors)
    new = _fitting_axes(rule, shapes, shardings, len(operands), ref, mesh, reductions, whole)
    fitting = tuple(layouts.of(layout.type, sharding) for layout, sharding in zip(tensors, new, strict=True))
    is_given = all(
        fit is layout or fit.placement == layout.placement for fit, layout in zip(fitting, tensors, strict=True)
    )
    return Agreement(fitting[: len(operands)], fitting[len(operands) :], is_given)


@lru_cache(maxsize=1 << 13)
def _fitting_axes(
    rule: ShardingRule,
    shapes: tuple[tuple[int, ...], ...],
    shardings: Shardings,
    num_operands: int,
    ref: MeshRef,
    mesh: Mesh,
    reductions: bool,
    whole: frozenset[int],
) -> Shardings:
    """The shardings of tensors that fit `rule`; the given ones are on `mesh`."""
    projected = [
        to_factors(sharding, mapping, rule.factor_sizes, mesh.axis_sizes)
        for sharding, mapping in zip(shardings, rule.tensors, strict=True)
    ]
    assigned = _assign(rule, projected, num_operands, reductions, whole)
    return _lay_out(rule, shapes, shardings, assigned, ref, mesh)


def _common_mesh(tensors: Sequence[Layout]) -> tuple[MeshRef, Mesh] | None:
    """The mesh of the first sharded tensor."""
    for layout in tensors:
        if layout.mesh is not None and layout.sharded_dims:
            return layout.mesh_ref, layout.mesh
    return None


def _assign(
    rule: ShardingRule, projected: Sequence[TensorFactors], num_operands: int, reductions: bool, whole: frozenset[int]
) -> list[AxisList]:
    """Assign axes to each factor: those of the first result that has it, else of the first operand."""
    assigned: list[AxisList] = []
    used: list[AxisList] = []
    in_order = [*range(num_operands, len(projected)), *range(num_operands)]
    for factor, kind in enumerate(rule.factor_types):
        may = kind is FactorType.PASS_THROUGH and any(contains_factor(mapping, factor) for mapping in rule.results)
        may |= reductions and kind is FactorType.REDUCTION
        axes: AxisList = ()
        if may and factor not in whole:
            axes = _first_axes(projected, in_order, factor)
        if any(any_overlap(axes, other) for other in used):
            axes = ()
        assigned.append(axes)
        used.append(axes)
    return assigned


def _first_axes(projected: Sequence[TensorFactors], order: Sequence[int], factor: int) -> AxisList:
    for index in order:
        sharding = projected[index][factor]
        if sharding is not None and sharding.axes and not sharding.overflow:
            return sharding.axes
    return ()


def _lay_out(
    rule: ShardingRule,
    shapes: Sequence[tuple[int, ...]],
    given: Shardings,
    assigned: list[AxisList],
    ref: MeshRef,
    mesh: Mesh,
) -> Shardings:
    """Lay out every tensor by the axes `assigned` to its factors.

    A dimension of several factors cannot hold axes of a minor factor unless the axes of the major ones cover them;
    otherwise all tensors drop such axes.
    """
    while True:
        shardings = tuple(
            _sharding(like, mapping, rule, assigned, ref, mesh)
            for like, mapping in zip(given, rule.tensors, strict=True)
        )
        held = list(assigned)
        for sharding, mapping in zip(shardings, rule.tensors, strict=True):
            factors = to_factors(sharding, mapping, rule.factor_sizes, mesh.axis_sizes)
            for factor, part in enumerate(factors):
                if contains_factor(mapping, factor):
                    held[factor] = common_prefix(held[factor], part.axes if part is not None else ())
        for factor in _uneven_factors(rule, shapes, shardings, mesh):
            held[factor] = ()
        if held == assigned:
            return shardings
        assigned = held


def _uneven_factors(
    rule: ShardingRule, shapes: Sequence[tuple[int, ...]], shardings: Shardings, mesh: Mesh
) -> list[int]:
    """The factors of all dimensions that their shards do not divide."""
    found: list[int] = []
    for shape, sharding, mapping in zip(shapes, shardings, rule.tensors, strict=True):
        if sharding is not None:
            for size, axes, factors in zip(shape, sharding.dim_axes, mapping, strict=False):
                found += factors if size >= 0 and size % product(axes, mesh.axis_sizes) else ()
    return found


def _sharding(
    like: TensorSharding | None,
    mapping: TensorMapping,
    rule: ShardingRule,
    assigned: Sequence[AxisList],
    ref: MeshRef,
    mesh: Mesh,
) -> TensorSharding | None:
    if not mapping:
        return like
    factors: list[FactorSharding | None] = [FactorSharding(axes, True) for axes in assigned]
    return from_factors(factors, mapping, rule.factor_sizes, mesh.axis_sizes, ref, like)


def by_layouts(op: LocalOp) -> Lowering | None:
    """Return the lowering of an op without a registered one: by name and layouts if these suffice, else `by_rule`."""
    layouts = (*op.operand_layouts, *op.result_layouts)
    if not any(layout.placement or layout.unreduced for layout in layouts):
        return unchanged
    if op.op.name.startswith("sdy."):
        return illegal
    is_plain = is_elementwise(op.op) and len({layout.shape for layout in layouts if layout.rank}) == 1
    if op.op.results and is_plain and not op.turns_partial:
        return _keep_if_alike(op)
    return None


def by_own_rule(op: LocalOp) -> Lowering:
    """Return the lowering of an op that has only a sharding rule.

    Where a user's rule has reduction factors, the partial results of the op are combined.
    """
    if is_reduced_by_users(op):
        return by_rule(op, keep_and_combine, reductions=True)
    return by_rule(op, LocalOp.keep)


def by_rule(op: LocalOp, lowering: Lowering, *, reductions: bool = False) -> Lowering:
    """Return `lowering`, with reshards of operands and results where they do not fit the op's sharding rule.

    Call it while all types are global. Every device computes all of an op without a rule. With `reductions` the
    lowering combines partial results.
    """
    facts = (
        None
        if model_with("unshardable_factors", op.op.name) is not None
        else op.setting.rule_facts.of(op.op, op.op.name)
    )
    if facts is None:
        return _surrounded(op, lowering, reductions)
    stored = op.op.attributes
    rule = address(stored[SHARDING_RULE]) if SHARDING_RULE in stored else None
    return _known_to_fit(op, lowering, facts, rule, reductions)


_fitting: PerContext[set[Hashable]] = PerContext(set)
"""Keys of ops that fit their rules, in any module."""


def _known_to_fit(op: LocalOp, lowering: Lowering, *what_counts: Hashable) -> Lowering:
    """Return `by_rule`'s lowering, memoized for ops whose shardings fit."""
    facts, rule, reductions = what_counts
    fitting, key = _fitting.of(op.op.context), (facts, rule, op.layout_numbers, lowering, reductions)
    if key in fitting:
        return lowering
    found = _surrounded(op, lowering, bool(reductions))
    if found is lowering:
        fitting.add(key)
    return found


def _surrounded(op: LocalOp, lowering: Lowering, reductions: bool) -> Lowering:
    rule = local_rule(op)
    if rule is None:
        return LocalOp.gather_compute_slice
    whole, layouts = unshardable_factors(op.op, rule), op.setting.layouts
    agreement = agree(rule, op.operand_layouts, op.result_layouts, layouts, reductions=reductions, whole=whole)
    results = tuple(_partial(op, layout, agreement.operands, rule) for layout in agreement.results)
    if agreement.is_given and results == agreement.results and _sums_alike(op):
        return lowering
    return moved_to(replace(agreement, results=results), lowering)


def _partial(op: LocalOp, result: Layout, operands: tuple[Layout, ...], rule: ShardingRule) -> Layout:
    """`result` with the unreduced axes along which the op makes partial results of these operands."""
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


def moved_to(agreement: Agreement, lowering: Lowering) -> Lowering:
    """Return `lowering` on operands and results with the layouts of `agreement`."""

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
                part = as_partial(op.comm, after, moved, have, want)
                if want.mesh is not None and len(want.unreduced) > len(have.unreduced):
                    axes = difference(want.unreduced, have.unreduced, want.mesh.axis_sizes)
                    op.setting.combined[address(part)] = axes, moved
                use_instead(users, part)

    return lower


def _remark_moves(op: LocalOp, agreement: Agreement) -> None:
    moved = zip((*op.operand_layouts, *op.result_layouts), (*agreement.operands, *agreement.results), strict=True)
    if any(have.placement != want.placement and (have.sharded_dims or want.sharded_dims) for have, want in moved):
        remark(op.op, "requires replicated or equally sharded dimensions: operands are gathered, then sliced")


def _sums_alike(op: LocalOp) -> bool:
    """Return whether every operand that is partial along an axis has a result that is partial along it."""
    return all(not _extra_unreduced(layout, op.result_layouts) for layout in op.operand_layouts)


def _extra_unreduced(operand: Layout, results: tuple[Layout, ...]) -> bool:
    if operand.mesh is None or not operand.unreduced:
        return False
    allowed = results[0].unreduced if results else ()
    return bool(difference(operand.unreduced, allowed, operand.mesh.axis_sizes))


def unchanged(op: LocalOp) -> None:
    """Nothing is sharded."""


def _keep_if_alike(op: LocalOp) -> Lowering:
    """Return the lowering of an elementwise op: nothing moves if the operands already have the result's layout."""
    wanted = _wanted(op)
    given = zip(op.operand_layouts, wanted, strict=True)
    return LocalOp.keep if all(is_in_place(have, want) for have, want in given) else elementwise


def elementwise(op: LocalOp) -> None:
    """Lay out all operands that have dimensions like the result."""
    for index, want in enumerate(_wanted(op)):
        op.bring(index, want)
    op.keep()


def _wanted(op: LocalOp) -> list[Layout]:
    """The layouts that operands of an elementwise op need."""
    result, layouts = op.result_layouts[0], op.setting.layouts
    wanted = []
    for have in op.operand_layouts:
        if have.rank == result.rank and have.rank:
            wanted.append(layouts.of(have.type, result.sharding))
        else:
            wanted.append(layouts.of(have.type, None) if have.placement else have)
    return wanted


def illegal(op: LocalOp) -> None:
    op.fail("is not made local by this pass; run the passes that come before it in the pipeline")


def lower_aligned(
    op: LocalOp, lowering: Lowering, *, whole: Collection[int] = (), kept_whole: Sequence[Collection[int]] = ()
) -> None:
    """Makes `op` local with `lowering`, all tensors laid out like the first result.

    No tensor is sharded along dimensions in `whole`; operand i is not sharded along those in `kept_whole[i]`. Operands
    of another rank than the result (padding values, indices) are not sharded. Operands that already fit do not move.
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
    """Return the layout of the result. It is partial only along axes along which all operands of its rank are."""
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
    """Return why `op` cannot be computed on parts: tensors of its rank need equal placement, others replication.

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
    return f"dimension {needed[0]} must be replicated" if needed else None


def check_alike(op: ShardedOp) -> str | None:
    """Return why `op` cannot be computed on parts: tensors with dimensions need the first result's placement."""
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
    """An op whose tensors are sharded equally, except along dimensions that each device needs replicated."""

    def whole_dims(self, op: ShardedOp) -> Sequence[int]:
        """Return the dimensions along which a device needs all elements, or elements of other devices."""
        del op
        return ()

    def on_parts(self, op: LocalOp) -> None:
        """Make the op local; its tensors have equal layouts."""
        op.keep()

    def check_parts(self, op: ShardedOp) -> str | None:
        return check_aligned(op, self.whole_dims(op))

    def localize(self, op: LocalOp) -> None:
        if not op.is_replicated:
            lower_aligned(op, self.on_parts, whole=self.whole_dims(op))
