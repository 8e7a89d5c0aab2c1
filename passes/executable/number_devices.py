"""sdy-number-devices: devices are numbered logically, in row-major order of the axes of the mesh.

    sdy.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 0]>
    sdy.mesh @first = <[], device_ids=[3]>
==> module attributes {sdy.devices = #sdy.mesh<["x"=4], device_ids=[3, 2, 1, 0]>} {
    sdy.mesh @mesh = <["x"=4]>
    sdy.mesh @first = <[], device_ids=[0]>

An executable knows its devices by position only, so a program that is to run is written in logical numbers. The order
of the devices themselves is kept aside: the module attribute `sdy.devices` is the mesh of all devices, its device ids
included. That is the first mesh with several devices, and the first of the module from here on; it has no device ids in
the module. A program without meshes runs alike on all devices, which lie on an axis of their own; and what is on a mesh
of one device is on all of them.

Refused are meshes with more devices than there are or with another number than the first, and a maximal one whose
device the first does not have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.lists import ManualAxes
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, module_body, top_level
from sdy.mlir.search import ops_named
from sdy.passes.executable.records import DEVICES
from sdy.passes.options import option
from sdy.passes.registry import pass_

MOST_DEVICES = 1 << 20
"""Local programs hold tables with an entry for each device."""


@dataclass(frozen=True)
class Options:
    num_devices: int = option(0, "how many devices there are; 0: as many as the mesh has, or one without a mesh")
    are_logical: bool = option(
        False,
        "device ids are logical numbers already, as in programs of JAX: the mesh of all devices is the one "
        "without any that has the most axes, as in XLA, or one of a single axis if there is none",
    )


@pass_("sdy-number-devices", options=Options)
def number_devices(module: ir.Operation, options: Options) -> None:
    attributes.put(module, DEVICES, _number(module, options))


def _number(module: ir.Operation, options: Options) -> Mesh:
    """Rewrites the meshes; returns the one of all devices."""
    declared = [op for op in top_level(module) if op.name == "sdy.mesh"]
    with_axes = [op for op in declared if attributes.get(op, "mesh").axes]
    if not with_axes:
        return Mesh((MeshAxis("devices", options.num_devices or 1),))
    large = [op for op in with_axes if attributes.get(op, "mesh").size > 1]
    first = (large or with_axes)[0]
    mesh: Mesh = attributes.get(first, "mesh")
    if not options.num_devices and mesh.size > MOST_DEVICES:
        raise DiagnosticError(first, f"has {mesh.size} devices, more than the {MOST_DEVICES} there may be")
    if 0 < options.num_devices < mesh.size:
        raise DiagnosticError(first, f"needs {mesh.size} devices, but there are only {options.num_devices}")
    if options.are_logical and large:
        in_order = [op for op in large if not attributes.get(op, "mesh").device_ids]
        first = max(in_order, key=_num_axes) if in_order else _declare_flat(module, mesh.size)
        mesh = attributes.get(first, "mesh")
    for op in declared:
        attributes.put(op, "mesh", _renumbered(op, mesh))
    if first != with_axes[0]:
        first.move_before(with_axes[0])
    if large:
        _spread(module, [op for op in with_axes if attributes.get(op, "mesh").size == 1], first)
    return mesh


def _num_axes(op: ir.Operation) -> int:
    return sum(axis.size > 1 for axis in attributes.get(op, "mesh").axes)


def _declare_flat(module: ir.Operation, size: int) -> ir.Operation:
    mesh = Mesh((MeshAxis("devices", size),))
    start = ir.InsertionPoint.at_block_begin(module_body(module))
    op = builders.mesh("devices", mesh, loc=module.location, ip=start)
    ModuleSymbols(module).insert(op)
    return op


def _renumbered(op: ir.Operation, first: Mesh) -> Mesh:
    """The mesh of `op` with the positions of its devices in `first`."""
    mesh: Mesh = attributes.get(op, "mesh")
    if mesh.is_maximal:
        device = mesh.device_ids[0]
        if device not in first.devices:
            raise DiagnosticError(op, f"names device {device}, but mesh{first} does not have it")
        return replace(mesh, device_ids=(first.devices.index(device),))
    if not mesh.axes or mesh.size == 1:
        return mesh
    if mesh.size != first.size:
        raise DiagnosticError(op, f"has {mesh.size} devices, but mesh{first} has {first.size}")
    if not mesh.device_ids and not first.device_ids:
        return mesh
    positions = {device: position for position, device in enumerate(first.devices)}
    return replace(mesh, device_ids=tuple(positions[device] for device in mesh.devices))


def _spread(module: ir.Operation, of_one_device: list[ir.Operation], everywhere: ir.Operation) -> None:
    """What is on a mesh of one device is whole on every device of the mesh `everywhere`."""
    if not of_one_device:
        return
    names = {op.attributes["sym_name"].value for op in of_one_device}
    target = everywhere.attributes["sym_name"].value
    for op in ops_named(module, "sdy.manual_computation"):
        shardings = (*attributes.get(op, "in_shardings").shardings, *attributes.get(op, "out_shardings").shardings)
        if any(sharding.mesh_or_ref in names for sharding in shardings):
            attributes.put(op, "manual_axes", ManualAxes(()))

    def spread(sharding: TensorSharding) -> TensorSharding:
        if sharding.mesh_or_ref not in names:
            return sharding
        return sharding.map_axes(lambda axis: False).with_mesh(target)

    transform_shardings(module, spread)
