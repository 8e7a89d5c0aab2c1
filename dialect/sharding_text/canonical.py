"""The form of a tile sharding that XLA keeps (spec: interchange, 2.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from sdy.dialect.sharding_text.device_order import DeviceOrder, Iota, Listed
from sdy.dialect.sharding_text.forms import Kind, Tiles, Whole
from sdy.dialect.sharding_text.local_axes import cut

_ORDER = {kind: position for position, kind in enumerate(Kind)}


def canonical(tiles: Tiles) -> Tiles | Whole:
    """`tiles` with one group of each kind, in order, replicated devices sorted; a word where nothing is tiled."""
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
    """The kind that all devices are of, where nothing is tiled; XLA keeps some of them in the form of tiles."""
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
