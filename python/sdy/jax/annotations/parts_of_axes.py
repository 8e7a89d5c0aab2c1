"""Parts of axes for JAX, which has none: a mesh over the same devices whose axes are the parts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import jax

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.jax.jax_types import AnyMesh


def with_parts_of_axes(mesh: AnyMesh, sharding: TensorSharding) -> tuple[AnyMesh, Callable[[AxisRef], list[str]]]:
    """`mesh` with the axes cut where `sharding` cuts them, and the names there of what was an axis or a part of one.

    Raises `ValueError` for a mesh without devices whose axes are cut.
    """
    sizes = dict(mesh.shape)
    cuts: dict[str, set[int]] = {name: {1, size} for name, size in sizes.items()}
    for axis in (*sharding.axis_refs(), *sharding.unreduced):
        cuts[axis.name] |= {axis.pre_size, axis.next_pre_size(sizes)}
    parts = {name: _parts(name, sorted(at)) for name, at in cuts.items()}

    def names(axis: AxisRef) -> list[str]:
        return [_name(part) for part in parts[axis.name] if axis.contains(part)]

    if all(len(each) == 1 for each in parts.values()):
        return mesh, names
    if not isinstance(mesh, jax.sharding.Mesh):
        raise ValueError(f"parts of axes are axes of another mesh over the same devices, which {mesh} does not know")
    types = dict(zip(mesh.axis_names, mesh.axis_types, strict=True))
    flat = [part for name in mesh.axis_names for part in parts[name]]
    cut = jax.sharding.Mesh(
        mesh.devices.reshape([part.size(sizes) for part in flat]),
        tuple(name for one in mesh.axis_names for name in names(AxisRef(one))),
        axis_types=tuple(types[part.name] for part in flat),
    )
    return cut, names


def _parts(name: str, cuts: list[int]) -> list[AxisRef]:
    """The parts of an axis between where it is cut; the axis itself if it is not."""
    if len(cuts) <= 2:
        return [AxisRef(name)]
    return [AxisRef.sub(name, pre_size, after // pre_size) for pre_size, after in pairwise(cuts)]


def _name(part: AxisRef) -> str:
    return part.name if part.sub_axis is None else f"{part.name}:{part.sub_axis}"
