"""Gathering the factors of an op that cannot stay sharded (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.local_op import rule_of_devices
from sdy.dialect.ops.model import LayoutOf, any_model
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings, with_entry
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AxisRefList, ShardingRule, TensorFactors, TensorMapping, from_factors, to_factors
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import remark
from sdy.mlir.rewriting import defining_op, has_no_use, replace
from sdy.passes.partitioning.analysis.neighbours import is_free
from sdy.passes.partitioning.reshard_planning.reshard_search import reshard_bytes
from sdy.stablehlo import views

# Which factors -----------------------------------------------------------------------------------


def factors_to_replicate(
    op: ir.Operation,
    rule: ShardingRule,
    layout_of: LayoutOf,
    *,
    local_updates: bool = False,
    local_windows: bool = False,
) -> frozenset[int]:
    """The factors of `rule` that must not be sharded, whether they are or not.

    With `local_updates` a dynamic_update_slice may stay sharded along the updated dimension; only the update is
    gathered. With `local_windows` so may ops with windows of single elements, and along complete groups.
    """
    factors = frozenset((rule_of_devices(op, rule) if local_windows else rule).permutation)
    if local_updates and op.name == "stablehlo.dynamic_update_slice":
        return factors & {factor for dim in rule.operands[1] for factor in dim}
    if op.name == "stablehlo.concatenate":
        return factors | _joined_factors(op, rule, layout_of)
    model = any_model(op, "groups_to_gather")
    factors |= model.groups_to_gather(op, rule, layout_of if local_windows else None)
    if op.name in _MAY_BE_FREE:
        layout = layout_of(op.operands[0])
        free = {
            factor
            for dim, mapped in enumerate(rule.operands[0])
            for factor in mapped
            if not layout.is_sharded(dim) or is_free(op, layout, dim)
        }
        return factors - free
    return factors


_MAY_BE_FREE = ("stablehlo.pad", "stablehlo.slice", "stablehlo.dynamic_update_slice")


def _joined_factors(op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf) -> frozenset[int]:
    """The factors of the concatenated dimension where it is sharded.

    They are permutation factors as long as the operands are slices, but those may have been rewritten already.
    """
    dim = views.Concatenate(op).dimension
    values = (*op.operands, *op.results)
    if len(op.operands) == 1 or not any(layout_of(value).is_sharded(dim) for value in values):
        return frozenset()
    return frozenset(factor for mapping in rule.tensors for factor in mapping[dim])


# Gathering them ----------------------------------------------------------------------------------


def common_mesh(op: ir.Operation, meshes: MeshTable) -> tuple[MeshRef, Mesh] | None:
    """Return the mesh of all operands and results, ignoring device order.

    Returns None if they have none, or that of a single device.
    """
    shardings = [get_sharding(value) for value in (*op.operands, *op.results)]
    ref = meshes.common(shardings, ignore_device_ids=True)
    mesh = None if ref is None else meshes.resolve(ref)
    return None if ref is None or mesh is None or mesh.is_maximal else (ref, mesh)


def replicate(
    op: ir.Operation,
    rule: ShardingRule,
    factors: Collection[int],
    meshes: MeshTable,
    *,
    from_resharded: bool = False,
) -> None:
    """Takes the axes off `factors` everywhere; operands are resharded before the op, results behind it.

    With `from_resharded`, an operand that was resharded for the op alone is read from before the reshard, if less
    sharded there.
    """
    found = common_mesh(op, meshes)
    if found is None:
        return
    ref, mesh = found
    if not any(_is_sharded(value, mapping, rule, factors, mesh) for value, mapping in _mapped(op, rule)):
        return
    is_gathered = False
    for index, (value, mapping) in enumerate(zip(list(op.operands), rule.operands, strict=True)):
        old = get_sharding(value)
        new = _replicated(old, mapping, rule, factors, ref, mesh, meshes)
        if new is not None:
            source = before_reshard(value, new) if from_resharded else value
            is_gathered |= not _is_slice_of(get_sharding(source), new)
            op.operands[index] = sdy_ops.reshard(source, new, loc=op.location, ip=ir.InsertionPoint(op))
            if source != value and has_no_use(value):
                value.owner.operation.erase()
    behind = ir.InsertionPoint.after(op)
    for index, (value, mapping) in enumerate(zip(list(op.results), rule.results, strict=True)):
        old = get_sharding(value)
        new = _replicated(old, mapping, rule, factors, ref, mesh, meshes)
        if new is None:
            continue
        types = [result.type for result in op.results]
        set_op_shardings(op, with_entry(op_shardings(op), index, new, types))
        slots = uses_of(value)
        wanted = old or TensorSharding.closed(ref, len(value.type.shape))
        use_instead(slots, sdy_ops.reshard(value, wanted, loc=op.location, ip=behind))
    if is_gathered:
        remark(op, "needs elements of other devices along a sharded dimension, which is gathered")


def before_reshard(value: ir.Value, wanted: TensorSharding) -> ir.Value:
    """Return the operand of the reshard that gives `value`, if slicing or gathering it gives `wanted`; else `value`."""
    op = defining_op(value)
    if op is None or op.name != "sdy.reshard":
        return value
    (source,) = op.operands
    given = get_sharding(source)
    if given is None or given.mesh_or_ref != wanted.mesh_or_ref or given.unreduced != wanted.unreduced:
        return value
    return source if _is_slice_of(given, wanted) or _is_slice_of(wanted, given) else value


def _is_slice_of(given: TensorSharding | None, wanted: TensorSharding | None) -> bool:
    """Return whether a device's part of `wanted` is within its part of `given`."""
    if given is None or wanted is None:
        return given is None
    return all(had == now[: len(had)] for had, now in zip(given.dim_axes, wanted.dim_axes, strict=True))


def _mapped(op: ir.Operation, rule: ShardingRule) -> list[tuple[ir.Value, TensorMapping]]:
    """All operands and results with the factors of their dimensions."""
    return list(zip((*op.operands, *op.results), rule.tensors, strict=True))


def _is_sharded(
    value: ir.Value, mapping: TensorMapping, rule: ShardingRule, factors: Collection[int], mesh: Mesh
) -> bool:
    """Return whether `value` has axes on one of `factors`."""
    sharding = get_sharding(value)
    if sharding is None:
        return False
    projected = to_factors(sharding, mapping, rule.factor_sizes, mesh.axis_sizes, missing_is_closed=True)
    return _cleared(projected, mapping, factors) != projected


def _replicated(
    old: TensorSharding | None,
    mapping: TensorMapping,
    rule: ShardingRule,
    factors: Collection[int],
    ref: MeshRef,
    mesh: Mesh,
    meshes: MeshTable,
) -> TensorSharding | None:
    """The sharding without the axes of `factors`; None if it is `old` already."""
    if old is None:
        return None
    projected = to_factors(old, mapping, rule.factor_sizes, mesh.axis_sizes, missing_is_closed=True)
    cleared = _cleared(projected, mapping, factors)
    on_other_devices = not old.is_fully_replicated and meshes.of(old) != mesh
    if cleared == projected and not on_other_devices:
        return None
    return from_factors(cleared, mapping, rule.factor_sizes, mesh.axis_sizes, ref, old)


def _cleared(projected: TensorFactors, mapping: Sequence[Sequence[int]], factors: Collection[int]) -> TensorFactors:
    out = list(projected)
    for dim in mapping:
        for factor in dim:
            sharding = out[factor]
            if factor in factors and sharding is not None and sharding.all_axes:
                out[factor] = sharding.with_axes(())
    return tuple(out)


# Sums along fewer axes ---------------------------------------------------------------------------


def reduce_less(
    op: ir.Operation, rule: ShardingRule, factors: Collection[int], meshes: MeshTable
) -> ir.Operation | None:
    """Remove the axes of the reduction factors in `factors`, which are gathered, from the unreduced axes.

    An `sdy.all_reduce` that is the result's only use sums along the remaining axes; it is returned, if any remain.
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
    """Move the reshard between `op` and `all_reduce` behind the sum."""
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
    replace(user, [op.results[0]])
    return None


# Operands that were replicated before ------------------------------------------------------------


def was_replicated(value: ir.Value, dims: Collection[int], layout_of: LayoutOf) -> bool:
    """Return whether replicating `dims` of a value sends no more than its part requires.

    A sum in front of it counts as parts: a device may sum its own part only.
    """
    have = layout_of(value)
    if have.sharding is None:
        return True
    whole = have.with_sharding(have.sharding.replicated_along(dims))
    source = before_reshard(value, whole.sharding or have.sharding)
    made_by = defining_op(source)
    if source == value or (made_by is not None and made_by.name == "sdy.all_reduce"):
        return False
    given = layout_of(source)
    is_for_op = len(list(value.uses)) == 1
    return reshard_bytes(given, whole) <= (reshard_bytes(given, have) if is_for_op else 0.0)


def replicated_before(op: ir.Operation, value: ir.Value, dims: Collection[int], layout_of: LayoutOf) -> ir.Value:
    """Replicate `dims` of an operand before `op`; `was_replicated` holds for them."""
    sharding = layout_of(value).sharding
    assert sharding is not None
    whole = sharding.replicated_along(dims)
    where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    return sdy_ops.reshard(before_reshard(value, whole), whole, **where)
