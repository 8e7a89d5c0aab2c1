"""Gathering the factors of an op that cannot stay sharded (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.operand_slots import use_instead, uses_of
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings, with_entry
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.factors import TensorFactors, from_factors, to_factors
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule, TensorMapping
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import remark
from sdy.mlir.rewriting.uses import defining_op, has_no_use


def common_mesh(op: ir.Operation, meshes: MeshTable) -> tuple[MeshRef, Mesh] | None:
    """The mesh of all operands and results, device order aside; None if they have none, or that of a single device."""
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

    With `from_resharded` what has been sharded for the op alone is taken from where it was not, or less.
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
        remark(op, "needs what other devices have along a sharded dimension, which is gathered")


def before_reshard(value: ir.Value, wanted: TensorSharding) -> ir.Value:
    """What a reshard makes `value` of, if slicing or gathering that gives what is `wanted`; else `value` itself."""
    op = defining_op(value)
    if op is None or op.name != "sdy.reshard":
        return value
    (source,) = op.operands
    given = get_sharding(source)
    if given is None or given.mesh_or_ref != wanted.mesh_or_ref or given.unreduced != wanted.unreduced:
        return value
    return source if _is_slice_of(given, wanted) or _is_slice_of(wanted, given) else value


def _is_slice_of(given: TensorSharding | None, wanted: TensorSharding | None) -> bool:
    """Whether what a device needs of `wanted` is in what it has of `given`."""
    if given is None or wanted is None:
        return given is None
    return all(had == now[: len(had)] for had, now in zip(given.dim_axes, wanted.dim_axes, strict=True))


def _mapped(op: ir.Operation, rule: ShardingRule) -> list[tuple[ir.Value, TensorMapping]]:
    """All operands and results with the factors of their dimensions."""
    return list(zip((*op.operands, *op.results), rule.tensors, strict=True))


def _is_sharded(
    value: ir.Value, mapping: TensorMapping, rule: ShardingRule, factors: Collection[int], mesh: Mesh
) -> bool:
    """Whether `value` has axes on one of `factors`."""
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
