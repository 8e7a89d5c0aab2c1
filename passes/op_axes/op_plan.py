"""Reshards around one op, and the axes along which its results are partial (spec: export-passes, 5.2 to 5.6).

A plan depends on the op's rule, the shardings and shapes of its tensors and the meshes, so ops with equal ones share
it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import (
    AxisList,
    AxisRef,
    AxisSizes,
    any_overlap,
    append_or_merge,
    common_prefix,
    product,
    truncate,
)
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import (
    FactorSharding,
    ShardingRule,
    TensorFactors,
    TensorMapping,
    from_factors,
    split,
    to_factors,
)
from sdy.dialect.values.sharding import MeshRef, TensorSharding, is_equivalent, is_equivalent_across_reshape
from sdy.lazy_dataclass import dataclass
from sdy.passes.op_axes.common_axes import Assignment, RuleProjection, common_axes

# When a dot is better computed with another result sharding (spec: export-passes, 5.12).
#
# A dot whose contracting axes reappear on a free dimension of the result, instead of that dimension's own axes, would
# be all-reduced and sliced, while a free dimension of an operand is gathered. Keeping the operand's axes on the
# result and moving the smaller result afterwards is cheaper.


def cheaper_result_axes(projection: RuleProjection) -> tuple[int, AxisList] | None:
    """Return the factor, and its axes in the result, for a cheaper dot; None to keep the sharding."""
    lhs, rhs, result = projection.tensors
    contracting = projection.rule.reduction
    own: list[AxisList] = []
    one_sided: list[AxisList] = []
    for left, right in zip(lhs, rhs, strict=True):
        if left is not None and right is not None:
            if left.axes != right.axes:
                return None
            own.append(left.axes)
        else:
            only = left or right
            own.append(() if only is None else only.axes)
            one_sided.append(own[-1])
    if any(any_overlap(axes, other) for i, axes in enumerate(one_sided) for other in one_sided[:i]):
        return None
    differing = [
        factor
        for factor, sharding in enumerate(result)
        if factor not in contracting and sharding is not None and sharding.axes != own[factor]
    ]
    if len(differing) != 1:
        return None
    factor = differing[0]
    wanted = result[factor]
    assert wanted is not None
    contracted = tuple(axis for index in contracting for axis in own[index])
    if not own[factor] or not wanted.axes or wanted.axes != contracted:
        return None
    operand = max(n for n, tensor in zip(projection.elements, (lhs, rhs), strict=False) if tensor[factor] is not None)
    return (factor, own[factor]) if projection.elements[2] <= operand else None


# Common axes of a reshape some of whose axes divide no factor (spec: export-passes, 5.5).
#
# Axes behind a factor that they do not divide shard a dimension nevertheless, with padding. The side of the reshape
# with more shards is the source: its axes are handed out anew to the factors of both sides, and what both sides can
# hold of every factor is kept.


def has_overflow(tensor: TensorFactors) -> bool:
    return any(sharding is not None and sharding.overflow for sharding in tensor)


def reshape_factors(
    rule: ShardingRule, operand: TensorFactors, result: TensorFactors, sizes: AxisSizes
) -> tuple[TensorFactors, TensorFactors]:
    """New factor shardings of operand and result that need no communication between them."""
    queue = _source_axes(operand, result, sizes)
    sides = []
    for mapping, old in ((rule.operands[0], operand), (rule.results[0], result)):
        handed_out = _hand_out(queue, mapping, old, rule.factor_sizes, sizes)
        whole = from_factors(handed_out, mapping, rule.factor_sizes, sizes, "")
        sides.append(to_factors(whole, mapping, rule.factor_sizes, sizes))
    common = tuple(_common(first, second) for first, second in zip(*sides, strict=True))
    return _with_axes(sides[0], common), _with_axes(sides[1], common)


def _source_axes(operand: TensorFactors, result: TensorFactors, sizes: AxisSizes) -> AxisList:
    """All axes, in the order of the factors, of the side that is cut into more shards (the operand on a tie)."""
    sides = [
        tuple(axis for sharding in tensor if sharding is not None for axis in sharding.all_axes)
        for tensor in (operand, result)
    ]
    return max(sides, key=lambda axis_list: product(axis_list, sizes))


def _hand_out(
    queue: Sequence[AxisRef],
    mapping: TensorMapping,
    old: TensorFactors,
    factor_sizes: Sequence[int],
    sizes: AxisSizes,
) -> list[FactorSharding | None]:
    """Assigns the axes to the factors of one side, in the order of its dimensions.

    An axis goes to the first factor that it divides; if it divides a factor partly the rest goes to the next factor. At
    an axis that no factor takes, the assignment ends: it and the rest overflow the last factor.
    """
    order = [factor for dim in mapping for factor in dim if old[factor] is not None]
    taken: dict[int, list[AxisRef]] = {factor: [] for factor in order}
    remaining = {factor: factor_sizes[factor] for factor in order}
    overflow: list[AxisRef] = []
    for position, axis in enumerate(queue):
        rest = _place(axis, order, taken, remaining, sizes)
        if rest is not None:
            overflow = [rest, *queue[position + 1 :]]
            break
    out: list[FactorSharding | None] = [None] * len(factor_sizes)
    for factor in order:
        is_last = factor == order[-1]
        sharding = old[factor]
        assert sharding is not None
        axes = tuple(taken[factor])
        out[factor] = FactorSharding(
            axes, sharding.is_closed, sharding.is_minor_most, tuple(overflow) if is_last else ()
        )
    return out


def _place(
    axis: AxisRef,
    order: Sequence[int],
    taken: dict[int, list[AxisRef]],
    remaining: dict[int, int],
    sizes: AxisSizes,
) -> AxisRef | None:
    """Assign `axis` to the factors that it divides; return the remaining part."""
    rest: AxisRef | None = axis
    while rest is not None:
        before = rest
        for factor in order:
            if remaining[factor] <= 1:
                continue
            axis_size = rest.size(sizes)
            common = math.gcd(remaining[factor], axis_size)
            if common == 1 and axis_size != 1:
                continue
            head, tail = split(rest, common, sizes)
            append_or_merge(taken[factor], head, sizes)
            remaining[factor] //= common
            if tail is None:
                return None
            rest = tail
        if rest == before:
            return rest
    return None


def _common(first: FactorSharding | None, second: FactorSharding | None) -> AxisList:
    """Return the axes that both sides have for a factor, or those of the only side that has it."""
    if first is None or second is None:
        only = first or second
        return () if only is None else only.axes
    return common_prefix(first.axes, second.axes)


def _with_axes(tensor: TensorFactors, axes: Sequence[AxisList]) -> TensorFactors:
    pairs = zip(tensor, axes, strict=True)
    return tuple(None if sharding is None else sharding.with_axes(axis_list) for sharding, axis_list in pairs)


Shapes = tuple[tuple[int, ...] | None, ...]
"""Static shapes of tensors; None for anything else."""


@dataclass(frozen=True)
class OpTensors:
    """The rule of an op with shardings and shapes of its operands and results."""

    rule: ShardingRule
    operands: tuple[TensorSharding | None, ...]
    results: tuple[TensorSharding | None, ...]
    shapes: Shapes = ()
    """Shapes of the operands, then of the results."""

    @property
    def shardings(self) -> tuple[TensorSharding | None, ...]:
        return self.operands + self.results


@dataclass(frozen=True)
class OpPlan:
    """New shardings for the tensors to be resharded (None: stays), on `mesh`, and the axes to all-reduce over."""

    mesh: MeshRef
    operands: tuple[TensorSharding | None, ...]
    results: tuple[TensorSharding | None, ...]
    partial_axes: AxisList = ()

    @property
    def is_nothing(self) -> bool:
        """Return whether the op can stay as it is."""
        return not self.partial_axes and not any(self.operands) and not any(self.results)


# The mesh ----------------------------------------------------------------------------------------


def most_common_mesh(shardings: Sequence[TensorSharding | None], meshes: MeshTable) -> MeshRef | None:
    """Return the mesh on which an op runs: that of most of its sharded tensors, the first on a tie.

    None if the tensors have no common mesh (but for device order) or only that of a single device.
    """
    common = meshes.common(shardings, ignore_device_ids=True)
    if common is None or _resolved(common, meshes).is_maximal:
        return None
    counts: dict[MeshRef, int] = {}
    best: MeshRef | None = None
    for sharding in shardings:
        if sharding is None or sharding.is_fully_replicated:
            continue
        ref = sharding.mesh_or_ref
        counts[ref] = counts.get(ref, 0) + 1
        if best is None or counts[ref] > counts[best]:
            best = ref
    return common if best is None else best


def _resolved(ref: MeshRef, meshes: MeshTable) -> Mesh:
    mesh = meshes.resolve(ref)
    assert mesh is not None, f"shardings are verified to name meshes that exist, unlike {ref}"
    return mesh


# The full treatment ------------------------------------------------------------------------------


def full_plan(tensors: OpTensors, meshes: MeshTable, *, is_reshape: bool) -> OpPlan | None:
    """Return the reshards that shard every factor equally in all tensors; None if the op has no mesh to run on."""
    ref = most_common_mesh(tensors.shardings, meshes)
    if ref is None:
        return None
    mesh = _resolved(ref, meshes)
    projection = project(tensors, mesh)
    if is_reshape and any(map(has_overflow, projection.tensors)):
        return _reshape_plan(tensors, ref, mesh, projection, meshes)
    assignment = _free_of_unreduced(common_axes(projection), tensors)
    new: list[TensorSharding | None] = []
    rule = tensors.rule
    for mapping, factors, old in zip(rule.tensors, projection.tensors, tensors.shardings, strict=True):
        updated = _assigned(factors, mapping, assignment)
        if updated != factors or _on_other_devices(old, mesh, meshes):
            new.append(from_factors(updated, mapping, rule.factor_sizes, mesh.axis_sizes, ref, old))
        else:
            new.append(None)
    partial = tuple(axis for factor in rule.reduction for axis in assignment[factor])
    count = len(tensors.operands)
    return OpPlan(ref, tuple(new[:count]), tuple(new[count:]), partial)


def _free_of_unreduced(assignment: Assignment, tensors: OpTensors) -> Assignment:
    """`assignment` without the axes that a tensor with the factor is unreduced over, or must be replicated on."""
    if not any(sharding is not None and (sharding.unreduced or sharding.replicated) for sharding in tensors.shardings):
        return assignment
    out = list(assignment)
    for sharding, mapping in zip(tensors.shardings, tensors.rule.tensors, strict=True):
        taken = () if sharding is None else sharding.unreduced + sharding.replicated
        for factor in (factor for dim in mapping for factor in dim):
            out[factor] = truncate(out[factor], taken)
    return tuple(out)


def project(tensors: OpTensors, mesh: Mesh) -> RuleProjection:
    """Project all tensors to factors; a missing sharding is closed and empty."""
    rule, sizes = tensors.rule, mesh.axis_sizes
    pairs = zip(tensors.shardings, rule.tensors, strict=True)
    factors = tuple(to_factors(s, mapping, rule.factor_sizes, sizes, missing_is_closed=True) for s, mapping in pairs)
    return RuleProjection(rule, factors, tuple(map(_elements, tensors.shapes)), sizes)


def _elements(shape: tuple[int, ...] | None) -> int:
    return 0 if shape is None else math.prod(shape)


def _assigned(factors: TensorFactors, mapping: Sequence[Sequence[int]], assignment: Assignment) -> TensorFactors:
    """`factors` with the assigned axes and without overflow."""
    out = list(factors)
    for dim in mapping:
        for factor in dim:
            sharding = out[factor]
            if sharding is None:
                out[factor] = FactorSharding(assignment[factor], True, factor == dim[-1])
            elif sharding.overflow or sharding.axes != assignment[factor]:
                out[factor] = sharding.with_axes(assignment[factor])
    return tuple(out)


def _on_other_devices(sharding: TensorSharding | None, mesh: Mesh, meshes: MeshTable) -> bool:
    """Return whether the tensor's shards lie on the devices in another order than `mesh` has."""
    if sharding is None or sharding.is_fully_replicated:
        return False
    return _resolved(sharding.mesh_or_ref, meshes).device_ids != mesh.device_ids


def _reshape_plan(
    tensors: OpTensors, ref: MeshRef, mesh: Mesh, projection: RuleProjection, meshes: MeshTable
) -> OpPlan:
    """The plan of a reshape with overflow axes (5.5)."""
    rule, sizes = tensors.rule, mesh.axis_sizes
    operand, result = tensors.operands[0], tensors.results[0]
    operand_shape, result_shape = tensors.shapes
    if _agree(operand, operand_shape, result, result_shape, sizes):
        return OpPlan(ref, (None,), (None,))
    sides = reshape_factors(rule, projection.tensors[0], projection.tensors[1], sizes)
    new: list[TensorSharding | None] = []
    for old, factors, mapping in zip((operand, result), sides, rule.tensors, strict=True):
        sharding = from_factors(factors, mapping, rule.factor_sizes, sizes, ref, old)
        changed = not is_equivalent(old, sharding) or _on_other_devices(old, mesh, meshes)
        new.append(sharding if changed else None)
    return OpPlan(ref, (new[0],), (new[1],))


def _agree(
    operand: TensorSharding | None,
    operand_shape: tuple[int, ...] | None,
    result: TensorSharding | None,
    result_shape: tuple[int, ...] | None,
    sizes: AxisSizes,
) -> bool:
    """Return whether the reshape moves no data as it is, padding allowed."""
    if operand_shape is None or result_shape is None:
        return False
    return is_equivalent_across_reshape(operand, operand_shape, result, result_shape, sizes, non_divisible=True)


# The treatment without full version --------------------------------------------------------------


def partial_plan(tensors: OpTensors, meshes: MeshTable, *, is_dot: bool, is_reshape: bool) -> OpPlan | None:
    """A cheaper result sharding of a dot, and the all-reduce axes of an op whose first result is unreduced.

    None if the op has no mesh to run on. An unreduced op gets the full treatment if its tensors disagree on a reduction
    factor, or its result is sharded along one: otherwise its partial results would be undefined.
    """
    ref = most_common_mesh(tensors.shardings, meshes)
    if ref is None:
        return None
    first = tensors.results[0] if tensors.results else None
    is_unreduced = first is not None and bool(first.unreduced)
    nothing = OpPlan(ref, (None,) * len(tensors.operands), (None,) * len(tensors.results))
    if first is None or not (is_dot or is_unreduced):
        return nothing
    mesh = _resolved(ref, meshes)
    projection = project(tensors, mesh)
    plan = _dot_plan(nothing, projection, first) if is_dot else nothing
    if not is_unreduced:
        return plan
    partial = _agreed_reduction_axes(projection)
    if partial is None or any_overlap(partial, [axis for dim in first.dims for axis in dim.axes]):
        return full_plan(tensors, meshes, is_reshape=is_reshape)
    return replace(plan, partial_axes=partial)


def _dot_plan(nothing: OpPlan, projection: RuleProjection, old: TensorSharding) -> OpPlan:
    found = cheaper_result_axes(projection)
    if found is None:
        return nothing
    factor, axes = found
    rule = projection.rule
    factors = list(projection.tensors[-1])
    sharding = factors[factor]
    assert sharding is not None
    factors[factor] = sharding.with_axes(axes)
    new = from_factors(factors, rule.results[0], rule.factor_sizes, projection.sizes, nothing.mesh, old)
    return replace(nothing, results=(new,))


def _agreed_reduction_axes(projection: RuleProjection) -> AxisList | None:
    """The axes of all reduction factors; None if tensors disagree on one."""
    axes: list[AxisRef] = []
    for factor in projection.rule.reduction:
        lists = [sharding.axes for tensor in projection.tensors if (sharding := tensor[factor]) is not None]
        if any(axis_list != lists[0] for axis_list in lists):
            return None
        axes += lists[0]
    return tuple(axes)
