"""Rules of ops as devices see them, and partial results of sharded reductions (spec: partitioner, 7.8)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.communication import REDUCTIONS
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.model import any_model, model_with, target_of
from sdy.dialect.ops.rules import create_rule, extension_rule, is_users, reduction_of
from sdy.dialect.values.axes import AxisList, AxisRef, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule, to_factors
from sdy.mlir import ir
from sdy.stablehlo import ops


def local_rule(op: ShardedOp) -> ShardingRule | None:
    """Return a custom rule on the op, else the rule of its current types.

    Other rules on the op may describe the types before padding.
    """
    stored = op.get(SHARDING_RULE)
    if stored is not None and stored.is_custom:
        return stored
    rule = extension_rule(op.op) or create_rule(op.op) or stored
    return None if rule is None else rule_of_devices(op.op, rule)


def is_reduced_by_users(op: ShardedOp) -> bool:
    """Return whether a user's rule of an op has reduction factors."""
    name = op.op.name
    if name != "stablehlo.custom_call" and SHARDING_RULE not in op.op.attributes and not is_users(name):
        return False
    rule = local_rule(op)
    return rule is not None and rule.is_custom and bool(rule.reduction)


def rule_of_devices(op: ir.Operation, rule: ShardingRule) -> ShardingRule:
    """Return `rule` without permutation factors along which devices are independent."""
    return any_model(op, "rule_of_devices").rule_of_devices(op, rule)


def unshardable_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """Return the factors along which every device needs all of the data although `rule` allows sharding."""
    model = model_with("unshardable_factors", op.name, target_of(op))
    return frozenset() if model is None else model.unshardable_factors(op, rule)


def keep_and_sum(op: LocalOp, axes: AxisList, reduced: Layout) -> None:
    """Keeps the op, and sums its first result over the axes of the dimensions of `reduced` that it reduces.

    Nothing is added where other ops combine the results of the devices, as behind sdy-insert-explicit-reshards.
    """
    op.keep()
    left = () if reduced.mesh is None or not axes else axes_left_to_reduce(op, axes, reduced.mesh)
    if left and reduced.mesh is not None:
        op.all_reduce_result(0, reduced.mesh_ref, reduced.mesh, left, ops.add)


def keep_and_combine(op: LocalOp) -> None:
    """Keeps the op as it is, and combines its results over the axes of the reduction factors of its sharding rule.

    The results are summed unless the rule was declared with another reduction. Nothing is added where other ops combine
    them, as behind sdy-insert-explicit-reshards.
    """
    op.keep()
    combine_results(op)


def combine_results(op: LocalOp) -> None:
    """Combine the results like `keep_and_combine`, for an op that has local results already."""
    kind, axes = reduction_of(op.op), _reduced_axes(op)
    if not axes:
        return
    sharded = next(layout for layout in op.operand_layouts if layout.sharded_dims)
    assert sharded.mesh is not None
    left = axes_left_to_reduce(op, sharded.mesh.sort_and_merge(axes), sharded.mesh)
    for index in range(len(op.result_layouts) if left else 0):
        op.all_reduce_result(index, sharded.mesh_ref, sharded.mesh, left, REDUCTIONS[kind])


def replace_and_combine(op: LocalOp, *values: ir.Value) -> None:
    """Puts `values`, local results, in the place of the op's, and combines them; see `keep_and_combine`."""
    op.keep()
    combine_results(op)
    op.replace(*values)


def _reduced_axes(op: LocalOp) -> list[AxisRef]:
    """The axes of all reduction factors of the op's rule."""
    rule = local_rule(op)
    found: list[AxisRef] = []
    for layout, mapping in zip(op.operand_layouts, () if rule is None else rule.operands, strict=False):
        if rule is None or layout.sharding is None or layout.mesh is None:
            continue
        factors = to_factors(layout.sharding, mapping, rule.factor_sizes, layout.mesh.axis_sizes)
        for factor in rule.reduction:
            part = factors[factor]
            found += [axis for axis in (part.axes if part is not None else ()) if axis not in found]
    return found


def axes_left_to_reduce(op: LocalOp, axes: Sequence[AxisRef], mesh: Mesh) -> AxisList:
    """Return the `axes` over which the results of `op` are not reduced yet.

    Axes along which the result stays partial are left out, and axes that a user of a result reduces: an
    `sdy.all_reduce` or `sdy.reduce_scatter`.
    """
    sizes = mesh.axis_sizes
    left = tuple(axes)
    for result, layout in zip(op.op.results, op.result_layouts, strict=True):
        for done in (layout.unreduced, *_combined_by_users(result)):
            rest = difference(axes, done, sizes)
            if not rest:
                return ()
            if len(rest) < len(left):
                left = rest
    return left


def _combined_by_users(result: ir.Value) -> list[AxisList]:
    """The axes of each collective that combines `result`."""
    combined: list[AxisList] = []
    for use in result.uses:
        user = use.owner.operation
        if user.name == "sdy.all_reduce":
            combined.append(attributes.get(user, "reduction_axes").axes)
        elif user.name == "sdy.reduce_scatter":
            lists = attributes.get(user, "reduce_scatter_axes").lists
            combined.append(tuple(axis for axes in lists for axis in axes))
    return combined


def merged_axes(layout: Layout, dims: Sequence[int]) -> AxisList:
    """The axes of several dimensions in mesh order."""
    if layout.mesh is None:
        return ()
    return layout.mesh.sort_and_merge(axis for dim in dims for axis in layout.dim_axes[dim])
