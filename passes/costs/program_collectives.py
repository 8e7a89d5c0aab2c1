"""The collectives of a device-local program: over which axes, how many bytes (spec: jax-execution, 7; async, 13)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np

from sdy.dialect.definition import attributes
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.ops.model import CUSTOM_CALL
from sdy.dialect.replica_groups import Groups, device_groups, group_axes, groups_attribute, mesh_axes
from sdy.dialect.shardings.meshes import MeshTable, mesh_of
from sdy.dialect.shardings.value_shardings import OUTPUTS, PARAMETERS
from sdy.dialect.surroundings import op_name
from sdy.dialect.values.axes import AxisList, AxisRef, axes, product
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import axis_set
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import callee_name, calls_in, funcs, symbol_name
from sdy.mlir.tensor_types import byte_size
from sdy.mlir.walk import pre_order
from sdy.passes.costs.machine import KINDS, Machine, moved_bytes
from sdy.stablehlo import views
from sdy.stablehlo.idioms.loops import Execution, executions

_COLLECTIVES = {f"stablehlo.{kind}": kind for kind in KINDS}
_RAGGED = "ragged_all_to_all"

_UP, _DOWN = "up", "down"

SENDERS = frozenset({*_COLLECTIVES, CUSTOM_CALL})
"""The names that ops have of which `kind_of` says that they communicate, among others."""


def kind_of(op: ir.Operation) -> str | None:
    """Return the kind of a collective, one of `KINDS`; None for other ops.

    A ragged all-to-all, which StableHLO lacks, is JAX's custom call.
    """
    if op.name == CUSTOM_CALL:
        return _RAGGED if views.CustomCall(op).call_target_name == _RAGGED else None
    return _COLLECTIVES.get(op.name)


def sent_operands(op: ir.Operation) -> list[ir.Value]:
    """Return the operands that a collective sends. A ragged one sends parts of the first operand."""
    return list(op.operands)[:1] if kind_of(op) == _RAGGED else list(op.operands)


def collectives_run(function: ir.Operation, functions: Mapping[str, ir.Operation]) -> Iterator[Execution]:
    """The collectives that `function` runs, in program order; see `executions`."""
    return (one for one in executions(function, functions, SENDERS) if kind_of(one.op) is not None)


@dataclass(frozen=True, slots=True)
class Collective:
    """A collective op of a local program.

    `axes` are the mesh axes along which the devices of a group differ, None if the groups follow no axes. If groups
    differ in size, `group_size` is that of the largest, whose devices send the most. `operand_bytes` is what one device
    contributes. `times` is how often the op runs, by the trip counts of the loops around it; None if one of them is
    unknown.
    """

    kind: str
    axes: AxisList | None
    group_size: int
    operand_bytes: int
    times: int | None
    location: str

    @property
    def moved_bytes(self) -> float:
        """Bytes that each device sends at one execution (see `sdy.passes.costs.machine`)."""
        return moved_bytes(self.kind, self.group_size, self.operand_bytes)

    @property
    def axes_text(self) -> str:
        return "irregular" if self.axes is None else axis_set(self.axes)


def collective(execution: Execution, mesh: Mesh) -> Collective:
    """Describe an executed collective.

    Raises `DiagnosticError` at an op whose operands have dynamic dimensions.
    """
    op, times = execution.op, execution.times
    kind, operands = kind_of(op), sent_operands(op)
    assert kind is not None
    if not all(is_static_shaped(operand.type) for operand in operands):
        raise DiagnosticError(op, "sends tensors of dynamic size, whose bytes cannot be counted")
    size = sum(byte_size(operand.type) for operand in operands)
    if kind == "collective_permute":
        pairs = source_target_pairs(op)
        _check_devices(op, pairs, mesh)
        return Collective(kind, permuted_axes(mesh, pairs), 2, size, times, op_name(op.location))
    groups = groups_attribute(op)
    named = mesh_axes(groups)
    if named is not None:
        own = mesh_of(named[0], op) or mesh
        return Collective(kind, named[1], product(named[1], own.axis_sizes), size, times, op_name(op.location))
    ids = device_groups(groups) or (mesh.devices,)
    _check_devices(op, ids, mesh)
    largest = max(map(len, ids))
    return Collective(kind, group_axes(mesh, ids), largest, size, times, op_name(op.location))


def source_target_pairs(op: ir.Operation) -> Groups:
    """Return the pairs of source and target of a collective_permute."""
    return device_groups(op.attributes["source_target_pairs"])


def _check_devices(op: ir.Operation, groups: Groups, mesh: Mesh) -> None:
    known = set(mesh.devices)
    for device in chain.from_iterable(groups):
        if device not in known:
            there_are = "is one device" if len(known) == 1 else f"are {len(known)} devices"
            raise DiagnosticError(
                op, f"names device {device}, but there {there_are}; set the number of devices if there are more"
            )


def tensors(execution: Execution, mesh: Mesh) -> tuple[Collective, ...]:
    """Return one collective per tensor, where an all_reduce reduces several at once."""
    whole = collective(execution, mesh)
    return tuple(replace(whole, operand_bytes=byte_size(operand.type)) for operand in sent_operands(execution.op))


# Axes of permutations --------------------------------------------------------------------------------


@lru_cache
def permuted_axes(mesh: Mesh, pairs: Groups) -> AxisList:
    """The axes along which a permutation, given as pairs of source and target device, moves data."""
    number = mesh.positions

    def differs(name: str) -> bool:
        axis = AxisRef(name)
        return any(
            mesh.coordinate(axis, number[source]) != mesh.coordinate(axis, number[target]) for source, target in pairs
        )

    return axes(*(axis.name for axis in mesh.axes if differs(axis.name)))


# Channels --------------------------------------------------------------------------------------------


def channels(found: Collective, op: ir.Operation, mesh: Mesh, machine: Machine) -> tuple[Hashable, ...]:
    """Return the channels that a collective occupies while it is sent.

    A set of mesh axes has its own links, and a link has two directions. A permute that sends all data in one direction
    takes that one, any other collective both.
    """
    if machine.channels == "one":
        return ("all",)
    both = ((found.axes_text, _UP), (found.axes_text, _DOWN))
    if found.kind != "collective_permute" or found.axes is None:
        return both
    way = _way_round(mesh, source_target_pairs(op), found.axes)
    return both if way is None else ((found.axes_text, way),)


@lru_cache
def _way_round(mesh: Mesh, pairs: Groups, axes: AxisList) -> str | None:
    """Return the direction in which a permutation turns the devices along `axes`; None if it uses both.

    Half way round counts as up.
    """
    if not axes:
        return None
    count, logical = product(axes, mesh.axis_sizes), mesh.positions
    ways: set[str] = set()
    for source, target in pairs:
        by = (mesh.shard_index(axes, logical[target]) - mesh.shard_index(axes, logical[source])) % count
        if by:
            ways.add(_UP if by <= count // 2 else _DOWN)
    return ways.pop() if len(ways) == 1 else None


def local_mesh(module: ir.Operation) -> Mesh:
    """Return the mesh of a local module: declared, or that of its arguments; else all devices form one axis."""
    declared = MeshTable(module).global_mesh()
    if declared is not None:
        return declared[1]
    for name in (PARAMETERS, OUTPUTS):
        for sharding in attributes.get(module, name) or ():
            if isinstance(sharding.mesh_or_ref, Mesh) and sharding.mesh_or_ref.axes:
                return sharding.mesh_or_ref
    return Mesh((MeshAxis("devices", devices_named(module)),))


def devices_named(module: ir.Operation) -> int:
    """Return the number of devices implied by the device ids of its collectives, 1 without any."""
    return max(map(_devices, pre_order(module)))


def entry_functions(module: ir.Operation) -> list[ir.Operation]:
    """Return the function called `main`, or else the functions without callers."""
    functions = funcs(module)
    mains = [function for function in functions if symbol_name(function) == "main"]
    if mains:
        return mains
    called = {callee_name(call) for call in calls_in(module)}
    return [function for function in functions if symbol_name(function) not in called]


def _devices(op: ir.Operation) -> int:
    kind = kind_of(op)
    if kind is None:
        return 1
    ids = op.attributes["source_target_pairs"] if kind == "collective_permute" else groups_attribute(op)
    return int(np.array(ids).max(initial=0)) + 1 if isinstance(ids, ir.DenseIntElementsAttr) else 1
