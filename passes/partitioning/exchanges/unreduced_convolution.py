"""A convolution whose partial results are summed along fewer axes than planned (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Collection

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.operand_slots import use_instead, uses_of
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.factors import to_factors
from sdy.dialect.values.lists import AxisRefList
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.partitioning.exchanges.factor_replication import common_mesh


def reduce_less(
    op: ir.Operation, rule: ShardingRule, factors: Collection[int], meshes: MeshTable
) -> ir.Operation | None:
    """Takes the axes of the reduction factors among `factors`, which are to be gathered, off the unreduced axes.

    An `sdy.all_reduce` that is the result's only use sums along what is left; it is returned, if something is.
    """
    shardings = op_shardings(op)
    if shardings is None or not shardings[0].unreduced:
        return None
    old = shardings[0]
    gone = _axes_of(op, rule, [factor for factor in rule.reduction if factor in factors], meshes)
    mesh = meshes.of(old)
    if not gone or mesh is None:
        return None
    left = difference(old.unreduced, gone, mesh.axis_sizes)
    if left == old.unreduced:
        return None
    set_op_shardings(op, (old.with_unreduced(left),))
    return _shrink_all_reduce(op, old, left)


def reshard_sum(op: ir.Operation, all_reduce: ir.Operation) -> None:
    """What reshards the result of `op` for `all_reduce` reshards the sum instead."""
    reshard, wanted = all_reduce.operands[0].owner, attributes.get(all_reduce, "out_sharding")
    made = get_sharding(op.results[0])
    if reshard == op or made is None:
        return
    slots = uses_of(all_reduce.results[0])
    all_reduce.operands[0] = op.results[0]
    reshard.erase()
    attributes.put(all_reduce, "out_sharding", made.with_unreduced(()))
    behind = ir.InsertionPoint.after(all_reduce)
    use_instead(slots, sdy_ops.reshard(all_reduce.results[0], wanted, loc=op.location, ip=behind))


def _axes_of(op: ir.Operation, rule: ShardingRule, factors: Collection[int], meshes: MeshTable) -> AxisList:
    """The axes that shard `factors` in the operands."""
    found = common_mesh(op, meshes)
    if found is None:
        return ()
    _, mesh = found
    axes: list = []
    for value, mapping in zip(op.operands, rule.operands, strict=True):
        projected = to_factors(get_sharding(value), mapping, rule.factor_sizes, mesh.axis_sizes)
        for factor in factors:
            sharding = projected[factor]
            if sharding is not None:
                axes += [axis for axis in sharding.all_axes if axis not in axes]
    return tuple(axes)


def _shrink_all_reduce(op: ir.Operation, old: TensorSharding, left: AxisList) -> ir.Operation | None:
    uses = list(op.results[0].uses)
    if len(uses) != 1:
        return None
    user = uses[0].owner.operation
    if user.name != "sdy.all_reduce" or attributes.get(user, "reduction_axes").axes != old.unreduced:
        return None
    if left:
        attributes.put(user, "reduction_axes", AxisRefList(left))
        return user
    user.results[0].replace_all_uses_with(op.results[0])
    user.erase()
    return None
