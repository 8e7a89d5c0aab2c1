"""The devices of a program and their logical numbers.

An executable knows its devices by position only, so a program that is to run is written in logical numbers: device i is
the i-th in row-major order of the mesh's axes. The order of the devices themselves is kept aside.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sdy.dialect import attributes
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import top_level
from sdy.dialect.mesh import Mesh, MeshAxis

MOST_DEVICES = 1 << 20
"""Local programs hold tables with an entry for each device."""


def number_logically(module: Any, num_devices: int | None) -> Mesh:
    """Rewrites the meshes of `module` to logical numbers; returns the first mesh with axes, its device ids included.

    A program without such a mesh runs alike on `num_devices` devices (1 if None) on an axis of its own.

    Raises `DiagnosticError` at a mesh with more devices than `num_devices`, with another number or order of devices
    than the first, or at a maximal one whose device the first does not have.
    """
    declared = [op for op in top_level(module.operation) if op.name == "sdy.mesh"]
    with_axes = [op for op in declared if attributes.get(op, "mesh").axes]
    if not with_axes:
        return Mesh((MeshAxis("devices", num_devices or 1),))
    mesh: Mesh = attributes.get(with_axes[0], "mesh")
    if num_devices is None and mesh.size > MOST_DEVICES:
        raise DiagnosticError(with_axes[0], f"has {mesh.size} devices, more than the {MOST_DEVICES} there may be")
    if num_devices is not None and mesh.size > num_devices:
        raise DiagnosticError(with_axes[0], f"needs {mesh.size} devices, but there are only {num_devices}")
    for op in declared:
        attributes.put(op, "mesh", _renumbered(op, mesh))
    return mesh


def _renumbered(op: Any, first: Mesh) -> Mesh:
    mesh: Mesh = attributes.get(op, "mesh")
    if mesh.is_maximal:
        device = mesh.device_ids[0]
        if device not in first.devices:
            raise DiagnosticError(op, f"names device {device}, but mesh{first} does not have it")
        return replace(mesh, device_ids=(first.devices.index(device),))
    if not mesh.axes:
        return mesh
    if mesh.devices != first.devices:
        raise DiagnosticError(op, f"does not have the devices of mesh{first} in the same order")
    return replace(mesh, device_ids=())
