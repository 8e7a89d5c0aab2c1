"""Shardings as users of JAX write them, with all that the dialect has: `Sharding` and `Dim`.

>>> rows = sdy.jax.Sharding(["data", sdy.jax.Dim(open=True)], mesh=mesh)     # columns as propagation likes
>>> later = sdy.jax.Sharding([sdy.jax.Dim("model", priority=1)], mesh=mesh, replicated="data")
>>> part = sdy.jax.Sharding(["data:(1)2"], mesh=mesh)                        # along the first half of an axis
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import jax
from jax.sharding import NamedSharding, PartitionSpec

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import CLOSED, DYNAMIC, OPEN, DimensionSharding, TensorSharding
from sdy.jax.call_arguments import AnyMesh
from sdy.lazy_dataclass import dataclass


def with_parts_of_axes(mesh: AnyMesh, sharding: TensorSharding) -> tuple[AnyMesh, Callable[[AxisRef], list[str]]]:
    """Return `mesh` with axes cut where `sharding` cuts them, and the new names of each axis or part.

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
        raise ValueError(f"parts of axes need another mesh over the same devices, which {mesh} does not define")
    types = dict(zip(mesh.axis_names, mesh.axis_types, strict=True))
    flat = [part for name in mesh.axis_names for part in parts[name]]
    cut = jax.sharding.Mesh(
        mesh.devices.reshape([part.size(sizes) for part in flat]),
        tuple(name for one in mesh.axis_names for name in names(AxisRef(one))),
        axis_types=tuple(types[part.name] for part in flat),
    )
    return cut, names


def _parts(name: str, cuts: list[int]) -> list[AxisRef]:
    """Return the parts of an axis between its cuts; the axis itself without cuts."""
    if len(cuts) <= 2:
        return [AxisRef(name)]
    return [AxisRef.sub(name, pre_size, after // pre_size) for pre_size, after in pairwise(cuts)]


def _name(part: AxisRef) -> str:
    return part.name if part.sub_axis is None else f"{part.name}:{part.sub_axis}"


Axes = str | AxisRef | Sequence[str | AxisRef] | None
"""Mesh axes, major to minor; a part of one is an `sdy.AxisRef` or ``"data:(1)2"``, as the dialect writes it."""

_PART = re.compile(r"(.+):\((\d+)\)(\d+)")


@dataclass(frozen=True, slots=True)
class Dim:
    """Sharding of a dimension: its axes, whether propagation may add others, and its priority, 0 first."""

    axes: Axes = None
    open: bool = False
    priority: int | None = None


@dataclass(frozen=True, init=False)
class Sharding:
    """Complete sharding of an array; `sdy.jax.jit` takes it in place of JAX's shardings.

    `value` is its form in the dialect, with the given number of dimensions, and `mesh` the JAX mesh.
    """

    value: TensorSharding
    mesh: AnyMesh

    def __init__(
        self,
        dims: Iterable[Dim | Axes] | PartitionSpec | NamedSharding | TensorSharding,
        mesh: AnyMesh | None = None,
        *,
        replicated: Axes = None,
        unreduced: Axes = None,
    ) -> None:
        """Create a sharding from its dimensions.

        Args:
          dims: one entry for each dimension, missing ones are closed: mesh axes or None, both closed, or
            a `Dim`; `PartitionSpec.UNCONSTRAINED` is an open dimension without axes. Or a whole `sdy.TensorSharding`
            or `jax.sharding.NamedSharding`.
          mesh: a `jax.sharding.Mesh` or `AbstractMesh`; by default the one of `jax.set_mesh`.
          replicated: axes along which it has to be replicated: propagation puts nothing on them.
          unreduced: axes along which devices have parts of a sum.

        Raises:
          TypeError, ValueError: invalid dims, axes or mesh.
        """
        if isinstance(dims, str):
            raise TypeError(f"dims has an entry for each dimension, such as [{dims!r}, None], and is not a text")
        if isinstance(dims, NamedSharding):
            mesh, dims = dims.mesh if mesh is None else mesh, dims.spec
        mesh = _current_mesh() if mesh is None else mesh
        own = Mesh(tuple(MeshAxis(str(name), size) for name, size in mesh.shape.items()))
        if isinstance(dims, TensorSharding):
            value = dims.with_mesh(own)
        else:
            if isinstance(dims, PartitionSpec):
                unreduced = unreduced or tuple(getattr(dims, "unreduced", ()))
            without, parts = (_in_order(_axes(each), own) for each in (replicated, unreduced))
            value = TensorSharding(own, tuple(map(_dimension, dims)), without, parts)
        _check(value, own)
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "mesh", mesh)

    def of_rank(self, rank: int) -> TensorSharding:
        """The sharding of an array with `rank` dimensions. Raises `ValueError` if it has fewer than are sharded."""
        value = self.value
        if value.rank > rank:
            raise ValueError(f"{value.rank} dimensions are sharded, but the array has {rank}")
        return value.with_dims((*value.dims, *(CLOSED,) * (rank - value.rank)))

    @property
    def is_known_beforehand(self) -> bool:
        """Return whether JAX can place each shard before propagation."""
        return isinstance(self.mesh, jax.sharding.Mesh) and all(dim.is_closed for dim in self.value.dims)

    @property
    def is_said_by_jax(self) -> bool:
        """Return whether `named` expresses the sharding completely, for a value that propagation does not change."""
        axes = self.value.axis_refs()
        has_priorities = any(dim.priority is not None for dim in self.value.dims)
        return self.is_known_beforehand and not has_priorities and all(axis.sub_axis is None for axis in axes)

    @property
    def named(self) -> NamedSharding:
        """The JAX sharding: the axes of each dimension, and the unreduced axes.

        Parts of axes are axes of a mesh of their own, over the same devices.
        """
        mesh, names = with_parts_of_axes(self.mesh, self.value)
        spec = [tuple(name for axis in dim.axes for name in names(axis)) or None for dim in self.value.dims]
        unreduced = frozenset(name for axis in self.value.unreduced for name in names(axis))
        whole = PartitionSpec(*spec, unreduced=unreduced) if unreduced else PartitionSpec(*spec)
        return NamedSharding(mesh, whole)


def given_sharding(given: object) -> Sharding | None:
    """Return an sdy sharding for one of sdy or JAX; None if it is unspecified."""
    if given is None or isinstance(given, Sharding):
        return given
    if isinstance(given, NamedSharding):
        return Sharding(given.spec, given.mesh)
    if isinstance(given, TensorSharding | PartitionSpec):
        return Sharding(given)
    raise TypeError(f"a sharding is a sdy.jax.Sharding, a NamedSharding or a PartitionSpec, not {given!r}")


def _current_mesh() -> AnyMesh:
    """Return the mesh of `jax.set_mesh`, with its devices if JAX provides them."""
    try:
        mesh = jax.sharding.get_mesh()
    except ValueError:  # JAX refuses to tell in what it traces
        mesh = jax.sharding.get_abstract_mesh()
    if not mesh.shape:
        raise ValueError("a sharding needs a mesh: give mesh=, or set one by jax.set_mesh")
    return mesh


def _dimension(given: Dim | Axes) -> DimensionSharding:
    if isinstance(given, Dim):
        return DimensionSharding(_axes(given.axes), not given.open, given.priority)
    if given is PartitionSpec.UNCONSTRAINED:
        return OPEN
    return DimensionSharding(_axes(given), is_closed=True)


def _axes(given: Axes) -> tuple[AxisRef, ...]:
    listed = () if given is None else (given,) if isinstance(given, str | AxisRef) else tuple(given)
    return tuple(map(_axis, listed))


def _axis(given: str | AxisRef) -> AxisRef:
    if isinstance(given, AxisRef):
        return given
    if not isinstance(given, str):
        raise TypeError(f"an axis is a name or a sdy.AxisRef, not {type(given).__name__}")
    part = _PART.fullmatch(given)
    return AxisRef.sub(part[1], int(part[2]), int(part[3])) if part else AxisRef(given)


def _in_order(axes: tuple[AxisRef, ...], mesh: Mesh) -> tuple[AxisRef, ...]:
    """Return the axes in mesh order, as the dialect lists them."""
    names = [axis.name for axis in mesh.axes]
    return tuple(sorted(axes, key=lambda axis: (axis.name in names and names.index(axis.name), axis.pre_size)))


def _check(value: TensorSharding, mesh: Mesh) -> None:
    from sdy.dialect.verification.sharding_checks import TypeInfo, TypeKind, check_sharding

    for axis in (*value.axis_refs(), *value.unreduced):
        if axis.name not in mesh.axis_sizes:
            raise ValueError(f"the mesh has no axis {axis.name!r}, but {', '.join(map(repr, mesh.axis_sizes))}")
    problem = check_sharding(value, mesh, TypeInfo(TypeKind.RANKED, (DYNAMIC,) * value.rank))
    if problem is not None:
        raise ValueError(f"a sharding that {problem}: {value}")
