"""The forms of a mesh to plan for: of sdy, of JAX, sizes, texts, numbers of devices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.passes.auto.auto_options import read_mesh

if TYPE_CHECKING:
    import jax.sharding

JaxMesh: TypeAlias = "jax.sharding.Mesh | jax.sharding.AbstractMesh"

AnyMesh: TypeAlias = "Mesh | JaxMesh | Mapping[str, int] | Sequence[tuple[str, int]] | Sequence[int] | str | int"
"""A `Mesh`; a `jax.sharding.Mesh` or `AbstractMesh`; sizes by names; pairs of names and sizes; sizes alone, whose axes
are called x, y, z, w; a text, ``"data:4,model:2"`` or ``"4x2"``; a number of devices."""

_FORMS = "a Mesh of sdy or JAX, sizes by names of axes, a text such as data:4,model:2, or a number of devices"


def is_number_of_devices(given: AnyMesh | None) -> TypeGuard[int]:
    """Return whether only a number of devices is given, so that the mesh is searched for, too."""
    return isinstance(given, int) and not isinstance(given, bool)


def mesh_from(given: AnyMesh) -> Mesh:
    """Return the requested mesh; devices are numbered by their position in it, whatever their ids.

    Raises `TypeError` for what is no mesh, and `ValueError` for one that cannot be.
    """
    if isinstance(given, Mesh):
        return given
    if isinstance(given, str):
        return read_mesh(given)
    if isinstance(given, Mapping):
        return _of_pairs(given.items())
    if is_jax_mesh(given):
        return _of_pairs(given.shape.items())
    if isinstance(given, Sequence) and given:
        if all(isinstance(one, int) for one in given):
            return read_mesh("x".join(map(str, given)))
        pairs = [one for one in given if isinstance(one, Sequence) and len(one) == 2]
        if len(pairs) == len(given):
            return _of_pairs(pairs)
    raise TypeError(f"mesh is {_FORMS}, not {type(given).__name__}")


def placed_mesh(given: AnyMesh) -> Mesh:
    """Return the mesh with the device ids of a JAX mesh, which determine the links between devices."""
    mesh = mesh_from(given)
    if not is_jax_mesh(given):
        return mesh
    try:
        devices = given.devices
    except ValueError:  # an abstract mesh, which has none
        devices = None
    if devices is None:
        return mesh
    ids = tuple(device.id for device in devices.flat)
    return Mesh(mesh.axes, ids) if sorted(ids) == list(range(mesh.size)) else mesh


def is_jax_mesh(given: AnyMesh | None) -> TypeGuard[JaxMesh]:
    """Return whether an object is a mesh of JAX, without importing JAX."""
    return hasattr(given, "axis_names") and isinstance(getattr(given, "shape", None), Mapping)


def _of_pairs(pairs: Iterable[Sequence[object]]) -> Mesh:
    axes = []
    for name, size in pairs:
        if not isinstance(name, str) or isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"mesh is {_FORMS}, not an axis {name!r} of size {size!r}")
        axes.append(MeshAxis(name, size))
    return Mesh(tuple(axes))
