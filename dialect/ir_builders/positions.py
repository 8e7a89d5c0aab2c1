"""Where devices are along the axes of a sharded dimension, inside of manual computations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.stablehlo.ops import Builder


def manual_names(mesh: Mesh, dim_axes: Sequence[AxisList]) -> list[str]:
    """The names of all axes in `dim_axes`, in mesh order."""
    used = {axis.name for axes in dim_axes for axis in axes}
    return [axis.name for axis in mesh.axes if axis.name in used]


def position_along(comm: Communication, b: Builder, mesh: Mesh, axes: AxisList) -> ir.Value:
    """Which part along `axes` the executing device has, an i32 scalar computed from its id."""
    device = comm.devices.id(b)
    if mesh.device_ids:
        return comm.devices.lookup(b, mesh.shard_indices(axes), device=device)
    return comm.devices.position(b, mesh, axes, device)


def device_grid(mesh: Mesh, axes: AxisList) -> np.ndarray:
    """Places in the mesh: a row for each part of the mesh along the other axes, a column per part along `axes`."""
    atoms = mesh.atomic_axes(axes)
    sizes = mesh.axis_sizes
    others = [atom for atom in atoms if not any(axis.contains(atom) for axis in axes)]
    grid_order = [*others, *[atom for axis in axes for atom in atoms if axis.contains(atom)]]
    grid = np.arange(mesh.size).reshape([atom.size(sizes) for atom in atoms])
    return grid.transpose([atoms.index(atom) for atom in grid_order]).reshape(-1, _count(axes, mesh))


def shift_pairs(mesh: Mesh, axes: AxisList, distance: int) -> np.ndarray:
    """Rows (sender, receiver): every device sends to the one whose part along `axes` is `distance` further.

    In the order of the senders in the mesh; devices without such a receiver do not send.
    """
    grid = device_grid(mesh, axes)
    count = grid.shape[1]
    senders = np.arange(max(0, -distance), min(count, count - distance))
    pairs = np.stack([grid[:, senders].ravel(), grid[:, senders + distance].ravel()], axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    return np.asarray(mesh.device_ids)[pairs] if mesh.device_ids else pairs


def _count(axes: AxisList, mesh: Mesh) -> int:
    return int(np.prod([axis.size(mesh.axis_sizes) for axis in axes], dtype=np.int64))
