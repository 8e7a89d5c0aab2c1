"""When a sharding is valid (spec: dialect, 4). Functions return what is wrong, or None, and need no MLIR context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding, symbol
from sdy.dialect.verification.axis_lists import check_axis_list, check_order, check_sub_axes
from sdy.dialect.verification.types import NO_TYPE, TypeInfo, TypeKind


@lru_cache(maxsize=1 << 14)
def check_sharding(sharding: TensorSharding, mesh: Mesh | None, info: TypeInfo) -> str | None:
    """Whether `sharding` on `mesh` fits a value of that type. Manual axes are left to `manual_axis_in`."""
    if mesh is None:
        return f"has a sharding on the unknown mesh {symbol(str(sharding.mesh_or_ref))}"
    if mesh.is_maximal:
        return _check_bare(sharding, "a sharding on a single device")
    if info.kind is TypeKind.NONE and sharding.is_fully_replicated:
        return _check_bare(sharding, "the sharding of no value")
    if info.kind is TypeKind.TUPLE:
        return "has a sharding for a tuple of several elements or none"
    if info.kind is TypeKind.UNSHAPED:
        return _check_bare(sharding, "the sharding of a value without a shape")
    if info.kind is TypeKind.UNRANKED:
        return "has a sharding for a value without a rank"
    if sharding.rank != len(info.shape):
        return f"has a sharding of rank {sharding.rank} for a value of rank {len(info.shape)}"
    return _check_axes(sharding, mesh)


@lru_cache(maxsize=1 << 14)
def check_operand(sharding: TensorSharding, mesh: Mesh) -> str | None:
    """Whether the axes of an operand's sharding exist and do not overlap, so that it can be computed with.

    The whole sharding is checked where it stands, but that may be later.
    """
    axes = tuple(sharding.axis_refs())
    for axis in axes:
        if axis.name not in mesh.axis_sizes:
            return f"has an operand with axis {axis}, which the mesh does not have"
    problem = check_sub_axes(axes, mesh)
    return None if problem is None else f"has an operand that {problem}"


def check_shardings(
    shardings: Sequence[TensorSharding], meshes: Sequence[Mesh | None], infos: Sequence[TypeInfo]
) -> str | None:
    """Whether a list of shardings fits a list of types; `meshes` are those of the shardings (section 4.4)."""
    if not infos and len(shardings) == 1:
        mesh = meshes[0]
        if shardings[0].is_fully_replicated or (mesh is not None and mesh.is_maximal):
            return check_sharding(shardings[0], mesh, NO_TYPE)
    if len(shardings) != len(infos):
        return f"has {len(shardings)} shardings for {len(infos)} values"
    for number, (sharding, mesh, info) in enumerate(zip(shardings, meshes, infos, strict=True)):
        problem = check_sharding(sharding, mesh, info)
        if problem is not None:
            return problem if len(infos) == 1 else f"{problem} (value number {number})"
    return None


def manual_axis_in(sharding: TensorSharding, names: Iterable[str]) -> AxisRef | None:
    """An axis of `sharding` that is one of the manual axes `names`, or a part of one (section 4.3)."""
    manual = set(names)
    return next((axis for axis in sharding.axis_refs() if axis.name in manual), None)


def _check_bare(sharding: TensorSharding, what: str) -> str | None:
    if sharding.rank or sharding.replicated or sharding.unreduced:
        return f"has {what}, which can have neither dimensions nor axes, as {sharding}"
    return None


def _check_axes(sharding: TensorSharding, mesh: Mesh) -> str | None:
    seen: set[AxisRef] = set()
    for dim in sharding.dims:
        problem = _check_priority(dim) or check_axis_list(dim.axes, mesh, seen)
        if problem is not None:
            return problem
    return (
        check_order(sharding.replicated, mesh, "replicated")
        or check_axis_list(sharding.replicated, mesh, seen)
        or check_order(sharding.unreduced, mesh, "unreduced")
        or check_axis_list(sharding.unreduced, mesh, seen)
        or check_sub_axes(tuple(sharding.axis_refs()), mesh)
    )


def _check_priority(dim: DimensionSharding) -> str | None:
    if dim.priority is None:
        return None
    if dim.priority < 0:
        return f"has the negative priority {dim.priority}"
    if dim.is_closed and not dim.axes:
        return "has a priority on a closed dimension without axes"
    return None
