"""Ops whose result lives on a single device (spec: export-passes, 5.11)."""

from __future__ import annotations

from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.value_shardings import inherent_sharding_name, set_sharding
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting.insertion import after, before, redirect_other_uses
from sdy.passes.exporting.explicit_reshards.known_shardings import Shardings
from sdy.passes.exporting.explicit_reshards.sharding_matcher import ShardingMatcher, closed_like


def move_to_single_device(op: ir.Operation, results: Shardings, matcher: ShardingMatcher) -> None:
    """Moves all operands of `op` to its device, and its results back to the mesh of the other devices.

    Only tensors move; tokens keep the shardings that they have. Every move between the meshes goes through a replicated
    sharding. Without a mesh that has axes `op` stays as it is.
    """
    found = matcher.meshes.global_mesh()
    device = _device(op, results, matcher)
    if found is None:
        return
    everywhere = found[0]
    for index, value in enumerate(op.operands):
        if isinstance(value.type, ir.RankedTensorType):
            op.operands[index] = _moved_to(value, device, everywhere, matcher, before(op))
    behind = after(op)
    shardings: list[TensorSharding] = []
    for value, old in zip(op.results, results, strict=True):
        if isinstance(value.type, ir.RankedTensorType):
            _move_back(value, old, everywhere, matcher, behind)
            shardings.append(TensorSharding(device))
        else:
            assert old is not None
            shardings.append(old)
    if inherent_sharding_name(op.name) is not None:
        set_sharding(op.results[0], shardings[0])
    else:
        set_op_shardings(op, shardings)
    for value, sharding in zip(op.results, shardings, strict=True):
        matcher.known.put(value, sharding)


def _device(op: ir.Operation, results: Shardings, matcher: ShardingMatcher) -> MeshRef:
    """The mesh of the one device that results of `op` live on, as the last such result names it."""
    on_device = [sharding for sharding in results if sharding is not None and matcher.is_on_single_device(sharding)]
    devices = {matcher.mesh(sharding).device_ids for sharding in on_device}
    if len(devices) > 1:
        raise DiagnosticError(op, "has results on different single devices")
    return on_device[-1].mesh_or_ref


def _moved_to(
    value: ir.Value, device: MeshRef, everywhere: MeshRef, matcher: ShardingMatcher, place: ir.InsertionPoint
) -> ir.Value:
    sharding = matcher.known.of(value) or closed_like(everywhere, value)
    is_replicated = sharding.is_fully_replicated and not sharding.unreduced
    if is_replicated and sharding.mesh_or_ref == device:
        return value
    if not is_replicated or sharding.mesh_or_ref != everywhere:
        value = matcher.reshard(value, closed_like(everywhere, value), place)
    return matcher.reshard(value, TensorSharding(device), place)


def _move_back(
    value: ir.Value,
    old: TensorSharding | None,
    everywhere: MeshRef,
    matcher: ShardingMatcher,
    place: ir.InsertionPoint,
) -> None:
    """Redirects the uses of `value` to a copy on all devices, sharded as `value` was unless that was on one device."""
    replicated = closed_like(everywhere, value)
    first = matcher.reshard(value, replicated, place)
    last = first
    if old is not None and old != replicated and not matcher.is_on_single_device(old):
        last = matcher.reshard(first, old, place)
    redirect_other_uses(value, last, first.owner.operation)
