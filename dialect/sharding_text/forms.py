"""Sharding texts as values, in canonical form (spec: interchange, 2)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import field, replace
from enum import Enum
from itertools import groupby

import numpy as np

from sdy.dialect.sharding_text.device_order import DeviceOrder, Iota, Listed, cut
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass


class Kind(Enum):
    """Kinds of devices that share a tile, in the order in which XLA lists such groups."""

    MAXIMAL = "maximal"
    MANUAL = "manual"
    UNREDUCED = "unreduced"
    REPLICATED = "replicated"


@dataclass(frozen=True, slots=True)
class Tail:
    """Suffix of a sharding: the group of equally sharded values, and metadata, as written."""

    shard_group: str = ""
    metadata: str = ""

    def __str__(self) -> str:
        return "".join(f" {part}" for part in (self.shard_group, self.metadata) if part)


_NO_TAIL = Tail()


@dataclass(frozen=True, slots=True)
class _Braced(ABC):
    """Text in braces, with a tail."""

    tail: Tail = field(default=_NO_TAIL, kw_only=True)

    @property
    @abstractmethod
    def inside(self) -> str:
        """Return the text before the tail."""

    def __str__(self) -> str:
        return f"{{{self.inside}{self.tail}}}"


@dataclass(frozen=True, slots=True)
class Whole(_Braced):
    """A sharding that is one word: ``{replicated}``, ``{manual}``, ``{unknown}``, ``{unreduced}``.

    Or no sharding: ``{}``.
    """

    word: str

    @property
    def inside(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Maximal(_Braced):
    """On one device: ``{maximal device=3}``."""

    device: int

    @property
    def inside(self) -> str:
        return f"maximal device={self.device}"


@dataclass(frozen=True, slots=True)
class Tiles(_Braced):
    """Tiles over devices: ``{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}``.

    The last dimensions of `dims`, one per element of `groups`, index the devices that share a tile.
    """

    dims: tuple[int, ...]
    devices: DeviceOrder
    groups: tuple[Kind, ...] = ()

    @property
    def inside(self) -> str:
        dims = ",".join(map(str, self.dims))
        return f"devices=[{dims}]{self.devices}{self._groups_text()}"

    def _groups_text(self) -> str:
        if self.groups == (Kind.REPLICATED,):
            return " last_tile_dim_replicate"
        return f" last_tile_dims={{{', '.join(kind.value for kind in self.groups)}}}" if self.groups else ""

    @property
    def rank(self) -> int:
        """Return the rank of the value."""
        return len(self.dims) - len(self.groups)

    @property
    def tile_dims(self) -> tuple[int, ...]:
        """Into how many tiles each dimension of the value is cut."""
        return self.dims[: self.rank]

    @property
    def group_dims(self) -> tuple[int, ...]:
        return self.dims[self.rank :]

    @property
    def num_devices(self) -> int:
        return math.prod(self.dims)

    def group_size(self, kind: Kind) -> int:
        """Return the number of devices of that kind that share a tile."""
        return math.prod(size for size, one in zip(self.group_dims, self.groups, strict=True) if one is kind)

    @property
    def coordinates(self) -> np.ndarray:
        """Return tile coordinates by device id: ``[devices, len(dims)]``, int64; dimensions first, then groups."""
        by_id = np.empty((self.num_devices, len(self.dims)), dtype=np.int64)
        grid = np.stack(np.unravel_index(np.arange(self.num_devices), self.dims), axis=1)
        by_id[self.devices.ids] = grid
        return by_id

    @property
    def reduction(self) -> Reduction:
        """Return the reduction of unreduced devices: that of the metadata, else addition."""
        return reduction_in(self.tail.metadata)


@dataclass(frozen=True, slots=True)
class Named:
    """Axes of a mesh that is written out: ``{mesh['a'=2,'b'=4], [{'a'}, {?}], manual={'b'}}``.

    `sharding` is on `mesh`, inlined, and without manual axes. `for_all` is a word that covers every dimension, for any
    rank. `order` is the source form of the mesh's device ids.
    """

    mesh: Mesh
    sharding: TensorSharding
    manual: AxisList = ()
    for_all: Kind | None = None
    order: DeviceOrder | None = None

    def __str__(self) -> str:
        if self.mesh.is_maximal:
            return f"{{single_device[device_id={self.mesh.device_ids[0]}]}}"
        return f"{{{mesh_text(self.mesh, self.order)}, {self._axes_text()}}}"

    def _axes_text(self) -> str:
        kind = self.for_all
        reduction = _reduction_text(self.sharding.reduction)
        if kind is Kind.UNREDUCED:
            return f"unreduced={reduction}" if reduction else "unreduced"
        if kind is not None:
            return kind.value
        text = f"[{', '.join(_dim_text(dim.axes, dim.is_closed) for dim in self.sharding.dims)}]"
        lists = ("replicated=", self.sharding.replicated), (f"unreduced={reduction}", self.sharding.unreduced)
        for name, listed in (*lists, ("manual=", self.manual)):
            if listed:
                text += f", {name}{{{', '.join(map(axis_text, listed))}}}"
        return text


Leaf = Whole | Maximal | Tiles | Named
"""The sharding of one value."""


@dataclass(frozen=True, slots=True)
class Several:
    """One sharding per result: ``{{replicated}, {devices=[2]<=[2]}}``."""

    leaves: tuple[Leaf, ...]

    def __str__(self) -> str:
        return f"{{{', '.join(_numbered(number, str(leaf)) for number, leaf in enumerate(self.leaves))}}}"


def _numbered(number: int, leaf: str) -> str:
    return f"/*index={number}*/{leaf}" if number and number % 5 == 0 else leaf


HloSharding = Leaf | Several

REPLICATED = Whole("replicated")
MANUAL = Whole("manual")
UNREDUCED = Whole("unreduced")
UNKNOWN = Whole("unknown")


# Text of parts -----------------------------------------------------------------------------------


def mesh_text(mesh: Mesh, order: DeviceOrder | None) -> str:
    """``mesh['a'=2,'b'=4], device_ids=(7,6,...)``."""
    text = f"mesh[{','.join(f'{_quoted(axis.name)}={axis.size}' for axis in mesh.axes)}]"
    if not mesh.device_ids:
        return text
    ids = ",".join(map(str, mesh.device_ids)) if order is None else str(order).removeprefix("<=")
    return f"{text}, device_ids=({ids})"


def axis_text(axis: AxisRef) -> str:
    """``'a'`` or ``'a':(1)2``."""
    return _quoted(axis.name) if axis.sub_axis is None else f"{_quoted(axis.name)}:{axis.sub_axis}"


def _quoted(name: str) -> str:
    if "'" in name or "\\" in name:
        raise ValueError(f"the axis name {name!r} has a quote or a backslash, which XLA's text cannot represent")
    return f"'{name}'"


def _dim_text(axes: Sequence[AxisRef], is_closed: bool) -> str:
    return f"{{{', '.join([*map(axis_text, axes), *([] if is_closed else ['?'])])}}}"


def _reduction_text(reduction: Reduction) -> str:
    return "" if reduction is Reduction.SUM else reduction.keyword


def reduction_metadata(reduction: Reduction) -> str:
    """Return metadata for the reduction of unreduced devices."""
    return f'metadata={{op_type="sdy::reduction_op" op_name="{reduction.name}"}}'


def reduction_in(metadata: str) -> Reduction:
    """Return the reduction that `reduction_metadata` wrote; a sum if there is none."""
    return next((kind for kind in Reduction if reduction_metadata(kind) == metadata), Reduction.SUM)


_ORDER = {kind: position for position, kind in enumerate(Kind)}


def canonical(tiles: Tiles) -> Tiles | Whole:
    """Return `tiles` with one group of each kind, in order, replicated devices sorted.

    A word where nothing is tiled.
    """
    devices = tiles.devices if isinstance(tiles.devices, Listed) else Iota.of(*_parts(tiles.devices))
    if not tiles.groups:
        return replace(tiles, devices=devices)
    groups = sorted(range(len(tiles.groups)), key=lambda group: _ORDER[tiles.groups[group]])
    data = math.prod(tiles.tile_dims)
    devices = _permuted(devices, (data, *tiles.group_dims), (0, *(group + 1 for group in groups)))
    merged = [
        (kind, math.prod(tiles.group_dims[group] for group in members))
        for kind, members in groupby(groups, key=lambda group: tiles.groups[group])
    ]
    kept = [(kind, size) for kind, size in merged if size > 1]
    word = _word(data, merged, kept)
    if word is not None:
        return Whole(word.value, tail=tiles.tail)
    if kept and kept[-1][0] is Kind.REPLICATED:
        devices = _sorted_groups(devices, kept[-1][1])
    dims = (*tiles.tile_dims, *(size for _, size in kept))
    return Tiles(dims, devices, tuple(kind for kind, _ in kept), tail=tiles.tail)


def _word(data: int, merged: Sequence[tuple[Kind, int]], kept: Sequence[tuple[Kind, int]]) -> Kind | None:
    """The kind of all devices of a sharding without tiles; XLA writes some of them as tiles."""
    kinds = merged if len(merged) == 1 else kept
    if data > 1 or len(kinds) != 1 or kinds[0][0] is Kind.MAXIMAL:
        return None
    return None if kinds is kept and kinds[0][0] is Kind.UNREDUCED else kinds[0][0]


def _parts(devices: Iota) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return devices.reshape, devices.permutation


def _permuted(devices: DeviceOrder, dims: Sequence[int], order: Sequence[int]) -> DeviceOrder:
    """The devices with the dimensions of their grid in another order."""
    moved = [dim for dim in order if dims[dim] > 1]
    if moved == sorted(moved):
        return devices
    axes = cut(dims, devices) if isinstance(devices, Iota) else None
    if axes is not None:
        return Iota.of(axes.sizes, [axis for dim in order for axis in axes.of_dims[dim]])
    return _listed(devices.ids.reshape(dims).transpose(order))


def _sorted_groups(devices: DeviceOrder, size: int) -> DeviceOrder:
    """The devices with each run of `size` in ascending order."""
    outer = devices.size // size
    axes = cut((outer, size), devices) if isinstance(devices, Iota) else None
    if axes is not None:
        return Iota.of(axes.sizes, [*axes.of_dims[0], *sorted(axes.of_dims[1])])
    return _listed(np.sort(devices.ids.reshape(outer, size), axis=1))


def _listed(ids: np.ndarray) -> Listed:
    return Listed(tuple(ids.reshape(-1).tolist()))
