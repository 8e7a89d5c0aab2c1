"""Shardings of the dialect as sharding text of XLA (spec: interchange, 3)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from sdy.dialect.sharding_text.device_order import DeviceOrder, Iota, Listed
from sdy.dialect.sharding_text.forms import (
    MANUAL,
    REPLICATED,
    Kind,
    Leaf,
    Maximal,
    Named,
    Tail,
    Tiles,
    Whole,
    canonical,
    reduction_metadata,
)
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding


def tiles_of(sharding: TensorSharding, mesh: Mesh, manual: Sequence[str] = ()) -> Leaf:
    """Return `sharding` on `mesh` as tiles.

    `manual` are the manual axes of the regions around it, the outermost first (3.1).

    Open dimensions, priorities, and explicitly replicated axes are lost.
    """
    if not mesh.axes:
        return Maximal(mesh.device_ids[0]) if mesh.device_ids else REPLICATED
    if len(manual) == len(mesh.axes):
        return MANUAL
    if mesh.size == 1:
        return _on_one_device(sharding)
    used = [axis for dim in sharding.dims for axis in dim.axes]
    atoms = mesh.atomic_axes([*used, *sharding.unreduced])
    by_dim = [_atoms_of(dim.axes, atoms) for dim in sharding.dims]
    by_group = {
        Kind.MANUAL: [atom for name in manual for atom in atoms if atom.name == name],
        Kind.UNREDUCED: _atoms_of(sharding.unreduced, atoms),
    }
    taken = [atom for listed in (*by_dim, *by_group.values()) for atom in listed]
    by_group[Kind.REPLICATED] = [atom for atom in atoms if atom not in taken]
    return _tiles(by_dim, by_group, atoms, mesh, sharding)


def _on_one_device(sharding: TensorSharding) -> Leaf:
    if sharding.unreduced:
        return Whole("unreduced", tail=Tail(metadata=reduction_metadata(sharding.reduction)))
    return Tiles((1,) * sharding.rank, Iota.identity(1)) if sharding.rank else REPLICATED


def _tiles(
    by_dim: Sequence[Sequence[AxisRef]],
    by_group: dict[Kind, list[AxisRef]],
    atoms: Sequence[AxisRef],
    mesh: Mesh,
    sharding: TensorSharding,
) -> Leaf:
    sizes = [atom.size(mesh.axis_sizes) for atom in atoms]
    size_of = dict(zip(atoms, sizes, strict=True))
    groups = {kind: listed for kind, listed in by_group.items() if math.prod(size_of[axis] for axis in listed) > 1}
    order = [atoms.index(axis) for listed in (*by_dim, *groups.values()) for axis in listed]
    order += [index for index in range(len(atoms)) if index not in order]  # axes of size 1
    dims = tuple(math.prod(size_of[axis] for axis in listed) for listed in (*by_dim, *groups.values()))
    is_reduced = Kind.UNREDUCED in groups
    tail = Tail(metadata=reduction_metadata(sharding.reduction)) if is_reduced else Tail()
    return canonical(Tiles(dims, _devices(mesh, sizes, order), tuple(groups), tail=tail))


def _devices(mesh: Mesh, sizes: Sequence[int], order: Sequence[int]) -> DeviceOrder:
    if not mesh.device_ids:
        return Iota.of(sizes, order)
    ids = np.asarray(mesh.device_ids).reshape(sizes).transpose(order)
    return Listed(tuple(ids.reshape(-1).tolist()))


def _atoms_of(axes: Sequence[AxisRef], atoms: Sequence[AxisRef]) -> list[AxisRef]:
    return [atom for axis in axes for atom in atoms if axis.contains(atom)]


REPLICATED_ANYWHERE = Named(Mesh(), TensorSharding(Mesh()), (), Kind.REPLICATED)
"""Sharding that XLA writes after propagation for a value without a mesh: ``{mesh[], replicated}``."""


def named_of(sharding: TensorSharding, mesh: Mesh, manual: Collection[str] = ()) -> Named:
    """`sharding` with `mesh` written out (3.2). Priorities are lost."""
    axes = tuple(AxisRef(axis.name) for axis in mesh.axes if axis.name in manual)
    on_mesh = sharding.with_mesh(mesh)
    kind = None
    if mesh.axes and len(axes) == len(mesh.axes):
        kind = Kind.MANUAL
    elif not sharding.dims and not axes and not sharding.replicated and not sharding.unreduced:
        kind = Kind.REPLICATED
    return Named(mesh, on_mesh, axes, kind)
