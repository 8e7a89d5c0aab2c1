"""What must be resharded around one op, and along which axes its results are partial (spec: export-passes, 5.2 to 5.6).

Everything here is a function of the op's rule, the shardings and shapes of its tensors and the meshes, so a plan is
made once for all ops that agree in these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, any_overlap, truncate
from sdy.dialect.values.factors import FactorSharding, TensorFactors, from_factors, to_factors
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import MeshRef, TensorSharding, is_equivalent, is_equivalent_across_reshape
from sdy.passes.op_axes.common_axes import Assignment, RuleProjection, common_axes
from sdy.passes.op_axes.dot_axes import cheaper_result_axes
from sdy.passes.op_axes.reshape_axes import has_overflow, reshape_factors

Shapes = tuple[tuple[int, ...] | None, ...]
"""Static shapes of tensors; None for anything else."""


@dataclass(frozen=True)
class OpTensors:
    """The rule of an op with shardings and shapes of its operands and results."""

    rule: ShardingRule
    operands: tuple[TensorSharding | None, ...]
    results: tuple[TensorSharding | None, ...]
    shapes: Shapes = ()
    """Of the operands, then of the results."""

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
        """Whether the op can stay as it is."""
        return not self.partial_axes and not any(self.operands) and not any(self.results)


# The mesh ----------------------------------------------------------------------------------------


def most_common_mesh(shardings: Sequence[TensorSharding | None], meshes: MeshTable) -> MeshRef | None:
    """The mesh on which an op runs: the one that most of its sharded tensors name, the first on a tie.

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
    """Reshards that shard every factor alike in all tensors; None if the op has no mesh to run on."""
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
    """All tensors by factor; a missing sharding is closed and empty."""
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
    """Whether the tensor's shards lie on the devices in another order than `mesh` has."""
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
    """Whether the reshape moves no data as it is, padding allowed."""
    if operand_shape is None or result_shape is None:
        return False
    return is_equivalent_across_reshape(operand, operand_shape, result, result_shape, sizes, non_divisible=True)


# The treatment without full version --------------------------------------------------------------


def partial_plan(tensors: OpTensors, meshes: MeshTable, *, is_dot: bool, is_reshape: bool) -> OpPlan | None:
    """A cheaper result sharding of a dot, and the all-reduce axes of an op whose first result is unreduced.

    None if the op has no mesh to run on. An unreduced op whose tensors disagree on a reduction factor, or that has axes
    of one on its result too, gets the full treatment: its partial results have no other meaning.
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
