"""mpmd-extract-reshards-from-inter-mesh-transfers: Let fragments change shardings in front of or behind transfers.

    %1 = mpmd.fragment<mesh="m1", ..., out_shardings=[<@mesh, [{}]>]> (%0) ...
    %2 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} %1 : (!m1) -> !m2
==> %1 = mpmd.fragment<mesh="m1", ..., out_shardings=[<@mesh, [{"x"}]>]> (%0) ...
    %2 = mpmd.transfer {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} %1 : (!m1) -> !m2

The reshard goes where less is sent: to the producer if its local part is larger.
"""

from __future__ import annotations

from math import prod

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.mpmd.values import Topology
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warn_once
from sdy.mlir.rewriting import after_value, before, defining_op, use_instead, users
from sdy.mlir.walk import block_order
from sdy.passes.mpmd.common.fragment_editing import IN_SHARDINGS, OUT_SHARDINGS
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    INFERRED_BY,
    TRANSFER,
    in_host_memory,
    is_mpmd_function,
    is_on_host,
    mesh_tensor_of,
    ops_in,
    topology_of,
)
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


@pass_("mpmd-extract-reshards-from-inter-mesh-transfers", on=FUNCTION)
def extract_reshards(func: ir.Operation) -> None:
    """Spec: mpmd, 6."""
    topology = topology_of(func)
    if topology is None or not is_mpmd_function(func) or not _is_homogeneous(topology):
        return
    mesh = topology.meshes[0].mesh
    for transfer in ops_in(func, TRANSFER):
        source, target = get_sharding(transfer.operands[0]), get_sharding(transfer.results[0])
        if (source or target) is None or _is_equivalent(source, target):
            continue
        warn_once("reshards", transfer, "changes the sharding, which a fragment in front or behind it will do")
        if _is_at_producer(transfer, source, target, mesh):
            _reshard_in_front(transfer, target, source)
        else:
            _reshard_behind(transfer, source or _replicated(transfer.operands[0], target))


def _is_equivalent(source: TensorSharding | None, target: TensorSharding | None) -> bool:
    return source.is_equivalent(target) if source is not None else target is not None and target.is_equivalent(None)


def _is_homogeneous(topology: Topology) -> bool:
    """Return whether all meshes have the same axes, except for axes of size 1, and the same devices."""

    def shape(mesh: Mesh) -> object:
        return [axis for axis in mesh.axes if axis.size != 1], mesh.device_ids

    return all(shape(each.mesh) == shape(topology.meshes[0].mesh) for each in topology.meshes)


def _replicated(value: ir.Value, like: TensorSharding | None) -> TensorSharding:
    assert like is not None
    return TensorSharding.closed(like.mesh_or_ref, ir.RankedTensorType(sharded_type(value.type)).rank)


def _open(value: ir.Value, like: TensorSharding) -> TensorSharding:
    return TensorSharding.open(like.mesh_or_ref, ir.RankedTensorType(sharded_type(value.type)).rank)


def _is_at_producer(
    transfer: ir.Operation, source: TensorSharding | None, target: TensorSharding | None, mesh: Mesh
) -> bool:
    is_from_host, is_to_host = (_is_host(each) for each in (transfer.operands[0], transfer.results[0]))
    if is_from_host and is_to_host:
        raise DiagnosticError(transfer, "changes the sharding from a host to a host, where nothing can be computed")
    if is_from_host or is_to_host:
        return is_to_host
    shape = ir.RankedTensorType(sharded_type(transfer.operands[0].type)).shape

    def elements(sharding: TensorSharding | None) -> int:
        return prod(shape if sharding is None else sharding.local_shape(shape, mesh.axis_sizes))

    return elements(source) > elements(target)


def _is_host(value: ir.Value) -> bool:
    found = mesh_tensor_of(value)
    return in_host_memory(value) or (found is not None and is_on_host(found.mesh_name))


def _reshard_in_front(transfer: ir.Operation, target: TensorSharding | None, source: TensorSharding | None) -> None:
    """Let the producer give the value with the sharding of the destination."""
    value = transfer.operands[0]
    producer = defining_op(value)
    if producer is None or producer.name == TRANSFER:
        transfer.operands[0] = _identity(value, target, before(transfer))
        return
    sharding = target or _replicated(value, source)
    others = [user for user in users(value) if user != transfer and user.name != FRAGMENT]
    if others:
        old = get_sharding(value) or _replicated(value, sharding)
        place = min((transfer, *others), key=block_order)
        _redirect(value, _identity(value, old, before(place)), others)
    _set_result_sharding(value, sharding)


def _reshard_behind(transfer: ir.Operation, sharding: TensorSharding) -> None:
    """Let the users of a transfer take the value with the sharding of the source."""
    value = transfer.results[0]
    target = get_sharding(value)
    set_op_shardings(transfer, [sharding])
    others = [user for user in users(value) if user.name != FRAGMENT]
    for use in list(value.uses):
        if use.owner.operation.name == FRAGMENT:
            _set_operand_sharding(use.owner.operation, use.operand_number, sharding)
    if others:
        copy = _identity(value, target, after_value(value))
        _redirect(value, copy, others)


def _redirect(value: ir.Value, copy: ir.Value, chosen: list[ir.Operation]) -> None:
    for user in chosen:
        use_instead(user, {value: copy})


def _identity(value: ir.Value, target: TensorSharding | None, ip: ir.InsertionPoint) -> ir.Value:
    """Make an inferred fragment that returns a value in another sharding, replicated if that is None."""
    found = mesh_tensor_of(value)
    assert found is not None
    fragment = mpmd_builders.fragment(
        found.mesh_name,
        [],
        [value],
        [value.type],
        lambda argument: [argument],
        out_shardings=None if target is None else ShardingPerValue((target,)),
        loc=value.location,
        ip=ip,
    )
    fragment.attributes[INFERRED_BY] = ir.ArrayAttr.get([ir.StringAttr.get("extract_reshards")])
    return fragment.results[0]


def _set_result_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    op = defining_op(value)
    assert op is not None
    _set(op, OUT_SHARDINGS, ir.OpResult(value).result_number, sharding, list(op.results))


def _set_operand_sharding(fragment: ir.Operation, number: int, sharding: TensorSharding) -> None:
    _set(fragment, IN_SHARDINGS, number, sharding, list(fragment.operands))


def _set(op: ir.Operation, name: str, number: int, sharding: TensorSharding, values: list[ir.Value]) -> None:
    stored = attributes.get(op, name)
    shardings = [_open(value, sharding) for value in values] if stored is None else list(stored.shardings)
    shardings[number] = sharding
    attributes.put(op, name, ShardingPerValue(tuple(shardings)))
