"""Meshes: named axes over devices, and the position of each device (spec: sharding-algebra, 4.1, 9 and 10)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from sdy.dialect.values.axes import AxisList, AxisRef, merged, quote
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """A named axis with a number of shards."""

    name: str
    size: int

    def __str__(self) -> str:
        return f"{quote(self.name)}={self.size}"


@dataclass(frozen=True)
class Mesh:
    """An n-dimensional arrangement of devices.

    `device_ids` lists the devices in row-major order of the axes, the last axis fastest; empty means 0, 1, ..., n-1.
    A mesh without axes is *empty* (no ids: a placeholder that fits every mesh) or *maximal* (one id: that device).

    Raises `ValueError` where the parts do not make a mesh; the conditions are those of dialect.md 3.4.
    """

    axes: tuple[MeshAxis, ...] = ()
    device_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.axes and len(self.device_ids) == self.size and self.device_ids == tuple(range(self.size)):
            object.__setattr__(self, "device_ids", ())
        problem = _problem(self)
        if problem:
            raise ValueError(problem)

    @staticmethod
    def of(device_ids: Iterable[int] = (), /, **sizes: int) -> Mesh:
        """``Mesh.of(data=4, model=2)``."""
        return Mesh(tuple(MeshAxis(name, size) for name, size in sizes.items()), tuple(device_ids))

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.axes))
        ids = f", device_ids=[{', '.join(map(str, self.device_ids))}]" if self.device_ids else ""
        return f"<[{listed}]{ids}>"

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.axes, self.device_ids))

    # Shape ---------------------------------------------------------------------------------------

    @cached_property
    def size(self) -> int:
        """Number of devices: the product of the axis sizes, 1 without axes."""
        return math.prod(axis.size for axis in self.axes)

    @cached_property
    def axis_sizes(self) -> dict[str, int]:
        return {axis.name: axis.size for axis in self.axes}

    @cached_property
    def axis_positions(self) -> dict[str, int]:
        return {axis.name: position for position, axis in enumerate(self.axes)}

    @property
    def is_empty(self) -> bool:
        return not self.axes and not self.device_ids

    @property
    def is_maximal(self) -> bool:
        return not self.axes and len(self.device_ids) == 1

    def equals_ignoring_device_ids(self, other: Mesh) -> bool:
        return self.is_maximal == other.is_maximal and self.axes == other.axes

    # Axis lists ----------------------------------------------------------------------------------

    def order_key(self, axis: AxisRef) -> tuple[int, bytes, int, int, int]:
        """Sort key of the *mesh order*: position of the axis, then name order."""
        return (self.axis_positions[axis.name], *axis.name_key)

    def sort_and_merge(self, axis_list: Iterable[AxisRef]) -> AxisList:
        """Return the axes in mesh order, with mergeable neighbours merged. They must not overlap."""
        return merged(sorted(axis_list, key=self.order_key), self.axis_sizes)

    def atomic_axes(self, axis_list: Iterable[AxisRef]) -> AxisList:
        """All axes of the mesh, cut at every border of `axis_list` (section 4.1)."""
        cuts: dict[str, set[int]] = {axis.name: {1, axis.size} for axis in self.axes}
        for axis in axis_list:
            if axis.sub_axis is not None:
                cuts[axis.name] |= {axis.sub_axis.pre_size, axis.sub_axis.next_pre_size}
        atoms: list[AxisRef] = []
        for axis in self.axes:
            points = sorted(cuts[axis.name])
            if len(points) <= 2:
                atoms.append(AxisRef(axis.name))
            else:
                pairs = zip(points, points[1:], strict=False)
                atoms += [AxisRef.sub(axis.name, low, high // low) for low, high in pairs]
        return tuple(atoms)

    # Devices -------------------------------------------------------------------------------------

    @cached_property
    def devices(self) -> tuple[int, ...]:
        """Device ids by logical index."""
        return self.device_ids or tuple(range(self.size))

    @cached_property
    def positions(self) -> dict[int, int]:
        """Return the position of each device in the mesh."""
        return {device: number for number, device in enumerate(self.devices)}

    def coordinate(self, axis: AxisRef, logical: int) -> int:
        """Coordinate along `axis` of the device with logical index `logical`."""
        position = self.axis_positions[axis.name]
        after = math.prod(a.size for a in self.axes[position + 1 :])
        rest = self.axes[position].size // (axis.pre_size * axis.size(self.axis_sizes))
        return logical // (after * rest) % axis.size(self.axis_sizes)

    def shard_index(self, axis_list: Sequence[AxisRef], logical: int) -> int:
        """Return the shard index of logical device `logical` along `axis_list` (first axis most significant)."""
        index = 0
        for axis in axis_list:
            index = index * axis.size(self.axis_sizes) + self.coordinate(axis, logical)
        return index

    def shard_indices(self, axis_list: Sequence[AxisRef]) -> np.ndarray:
        """`shard_index` for every device, shape ``[size]``, int64, **by device id**."""
        indices = np.zeros(self.size, dtype=np.int64)
        logical = np.arange(self.size)
        for axis in axis_list:
            size = axis.size(self.axis_sizes)
            position = self.axis_positions[axis.name]
            after = math.prod(a.size for a in self.axes[position + 1 :])
            rest = self.axes[position].size // (axis.pre_size * size)
            indices = indices * size + logical // (after * rest) % size
        by_id = np.empty_like(indices)
        by_id[list(self.devices)] = indices
        return by_id

    def replica_groups(self, axis_list: Sequence[AxisRef]) -> np.ndarray:
        """Device groups of a collective over `axis_list`, shape ``[groups, group size]``, int64.

        Devices of a group differ only along the listed axes, in the order of the list, first axis slowest.
        """
        atoms = self.atomic_axes(axis_list)
        listed = [atom for axis in axis_list for atom in atoms if axis.contains(atom)]
        kept = [atom for atom in atoms if atom not in listed]
        grid = np.asarray(self.devices, dtype=np.int64).reshape([atom.size(self.axis_sizes) for atom in atoms])
        order = [atoms.index(atom) for atom in (*kept, *listed)]
        group = math.prod(atom.size(self.axis_sizes) for atom in listed)
        return grid.transpose(order).reshape(-1, group)


def _problem(mesh: Mesh) -> str | None:
    """Return the error of parts that form no mesh, or None."""
    ids = mesh.device_ids
    if any(axis.size < 1 for axis in mesh.axes):
        axis = next(axis for axis in mesh.axes if axis.size < 1)
        return f'axis "{axis.name}" has size {axis.size}, expected at least 1'
    if any(i < 0 for i in ids):
        return f"device id {min(ids)} is negative"
    if not mesh.axes and len(ids) > 1:
        return f"a mesh without axes takes at most one device id, got {len(ids)}"
    names = [axis.name for axis in mesh.axes]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        return f'axis "{twice}" occurs twice in the mesh'
    if mesh.axes and ids:
        if len(ids) != mesh.size:
            return f"{len(ids)} device ids for a mesh of {mesh.size} devices"
        if sorted(ids) != list(range(mesh.size)):
            return f"device ids are no permutation of 0 to {mesh.size - 1}"
    return None
