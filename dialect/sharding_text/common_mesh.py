"""Common mesh for all shardings of a module, and each sharding on it (spec: interchange, 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sdy.dialect.sharding_text.device_order import Iota, Listed, LocalAxes, as_iota, axes_of_sizes, cut, refine
from sdy.dialect.sharding_text.forms import Kind, Leaf, Named, Tiles
from sdy.dialect.values.axes import AxisList, AxisRef, merged
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass


class NoMeshError(ValueError):
    """There is no mesh for a sharding.

    Attributes:
      leaf: the sharding that does not fit.
      other: the one it does not fit to; None if it is not a mesh by itself.
    """

    def __init__(self, leaf: Leaf, other: Leaf | None, message: str) -> None:
        self.leaf, self.other = leaf, other
        super().__init__(message)


@dataclass(frozen=True)
class CommonMesh:
    """A mesh on which tiles are axes.

    `atoms` are axes of the mesh or parts of them, in the order of its devices, with borders that suit all tiles.
    """

    mesh: Mesh
    atoms: AxisList

    @staticmethod
    def of(leaves: Iterable[Leaf], mesh: Mesh | None = None) -> CommonMesh:
        """Return the mesh of the tiles in `leaves`: `mesh`, the first inlined mesh, or one with axes ``_axis_k``.

        Raises `NoMeshError` at the first that does not fit.
        """
        known = list(dict.fromkeys(leaves))
        tiles = [leaf for leaf in known if isinstance(leaf, Tiles) and leaf.num_devices > 1]
        named = next((leaf for leaf in known if isinstance(leaf, Named) and leaf.mesh.axes), None)
        if mesh is None and named is not None:
            mesh = named.mesh
        device_ids = _device_ids(tiles) if mesh is None else mesh.device_ids
        seen: list[tuple[Leaf | None, tuple[int, ...]]] = []
        sizes: tuple[int, ...] | None = None
        if mesh is not None:
            sizes = tuple(axis.size for axis in mesh.axes if axis.size > 1)
            seen.append((named, sizes))
        for leaf in tiles:
            own = _local(leaf, device_ids).sizes
            both = own if sizes is None else refine(sizes, own)
            if both is None:
                other = next((one for one, before in seen if refine(before, own) is None), seen[0][0])
                raise NoMeshError(leaf, other, "no mesh suits both")
            sizes = both
            seen.append((leaf, own))
        return _numbered(sizes or (), device_ids) if mesh is None else _named(mesh, sizes or ())

    def axes_of(self, leaf: Tiles) -> tuple[AxisList, ...]:
        """Return the axes of the mesh for each dimension of `leaf`, including those of groups."""
        local = _local(leaf, self.mesh.device_ids)
        runs = self._runs(local.sizes)
        sizes = self.mesh.axis_sizes
        return tuple(merged([atom for axis in axes for atom in runs[axis]], sizes) for axes in local.of_dims)

    def _runs(self, local_sizes: Sequence[int]) -> list[list[AxisRef]]:
        """The atoms that each local axis is made of."""
        runs: list[list[AxisRef]] = []
        position = 0
        for size in local_sizes:
            run: list[AxisRef] = []
            while size > 1:
                atom = self.atoms[position]
                size //= atom.size(self.mesh.axis_sizes)
                run.append(atom)
                position += 1
            runs.append(run)
        return runs

    def sharding_of(self, leaf: Tiles, mesh: str) -> tuple[TensorSharding, AxisList]:
        """`leaf` as a closed sharding on the mesh of that name, and its manual axes."""
        axes = self.axes_of(leaf)
        groups = {kind: axes[leaf.rank + index] for index, kind in enumerate(leaf.groups)}
        # Lists of axes stand in the order of the mesh, whatever the order of the devices of a group is.
        unreduced = self.mesh.sort_and_merge(groups.get(Kind.UNREDUCED, ()))
        sharding = TensorSharding.from_axes(mesh, axes[: leaf.rank], unreduced)
        if unreduced:
            sharding = sharding.with_unreduced(unreduced, leaf.reduction)
        return sharding, self.mesh.sort_and_merge(groups.get(Kind.MANUAL, ()))


def _device_ids(tiles: Sequence[Tiles]) -> tuple[int, ...]:
    """Return the mesh's order of devices, that of the first list that is not a transposed iota; empty if ascending.

    The devices of a replicated group are listed in ascending order, not in mesh order, so the list with the fewest of
    them is the most informative.
    """
    lists = [leaf for leaf in tiles if isinstance(leaf.devices, Listed) and as_iota(leaf.devices.devices) is None]
    first = min(lists, key=lambda leaf: leaf.group_size(Kind.REPLICATED), default=None)
    return () if first is None else tuple(first.devices.ids.tolist())


def _local(leaf: Tiles, device_ids: Sequence[int]) -> LocalAxes:
    """The axes of `leaf` in the order of devices of the mesh. Raises `NoMeshError` if there are none."""
    devices = leaf.devices
    if device_ids and len(device_ids) == leaf.num_devices:
        devices = as_iota(_positions(leaf, device_ids))
    elif not isinstance(devices, Iota):
        devices = as_iota(devices.devices)
    if devices is None:
        raise NoMeshError(leaf, None, f'the devices of "{leaf}" are in an order that no mesh has with those of others')
    axes = cut(leaf.dims, devices)
    if axes is None:
        tiles, reshape = ("x".join(map(str, sizes)) for sizes in (leaf.dims, _permuted(devices)))
        raise NoMeshError(leaf, None, f'the devices of "{leaf}" are not a mesh: tiles {tiles} do not divide {reshape}')
    return axes


def _positions(leaf: Tiles, device_ids: Sequence[int]) -> list[int]:
    """Return the positions of the devices of `leaf` in `device_ids`, ascending within each replicated group."""
    position = np.argsort(np.asarray(device_ids))
    groups = position[leaf.devices.ids].reshape(-1, leaf.group_size(Kind.REPLICATED))
    return np.sort(groups, axis=1).reshape(-1).tolist()


def _permuted(devices: Iota) -> list[int]:
    return [devices.reshape[dim] for dim in devices.permutation]


def _numbered(sizes: Sequence[int], device_ids: tuple[int, ...]) -> CommonMesh:
    axes = tuple(MeshAxis(f"_axis_{index}", size) for index, size in enumerate(sizes))
    return CommonMesh(Mesh(axes, device_ids if axes else ()), tuple(AxisRef(axis.name) for axis in axes))


def _named(mesh: Mesh, sizes: Sequence[int]) -> CommonMesh:
    """The atoms of a mesh whose axes `sizes` divide."""
    return CommonMesh(mesh, axes_of_sizes(mesh, sizes))
