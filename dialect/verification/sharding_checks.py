"""Checks of axes, types, shardings and unreduced axes, without MLIR where they can be (spec: dialect, 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache

from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.values.axes import AxisRef, any_overlap, difference, quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding, axis_set, symbol
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir


def check_axis_list(axis_list: Sequence[AxisRef], mesh: Mesh, seen: set[AxisRef]) -> str | None:
    """Check that axes exist, occur once, and are merged. Related lists share the set `seen`."""
    previous: AxisRef | None = None
    for axis in axis_list:
        if axis.name not in mesh.axis_sizes:
            return f"uses axis {quote(axis.name)}, which the mesh does not have"
        if axis in seen:
            return f"uses axis {axis} twice"
        seen.add(axis)
        if previous is not None and previous.can_merge(axis):
            return f"has the consecutive sub-axes {previous} and {axis}, which must be written as one"
        previous = axis
    return None


def check_axis_lists(lists: Iterable[Sequence[AxisRef]], mesh: Mesh) -> str | None:
    """Run `check_axis_list` for related lists."""
    seen: set[AxisRef] = set()
    for axis_list in lists:
        problem = check_axis_list(axis_list, mesh, seen)
        if problem is not None:
            return problem
    return None


def check_order(axis_list: Sequence[AxisRef], mesh: Mesh, what: str) -> str | None:
    """Return whether the axes are sorted in mesh order.

    Axes that the mesh lacks are left to `check_axis_list`.
    """
    keys = [mesh.order_key(axis) for axis in axis_list if axis.name in mesh.axis_sizes]
    return f"has {what} axes that are not in the order of the mesh" if keys != sorted(keys) else None


def check_sub_axes(axis_list: Sequence[AxisRef], mesh: Mesh) -> str | None:
    """Return whether each sub-axis is a part of its axis, and no two of the axes in use overlap."""
    names = {axis.name: None for axis in axis_list if axis.sub_axis is not None}
    for name in names:
        parts = [axis for axis in axis_list if axis.name == name]
        if any(axis.sub_axis is None for axis in parts):
            return f"uses axis {quote(name)} as well as a sub-axis of it"
        problem = _check_parts(sorted(parts, key=lambda axis: axis.name_key), mesh.axis_sizes[name])
        if problem is not None:
            return problem
    return None


def _check_parts(parts: Sequence[AxisRef], full_size: int) -> str | None:
    """Checks the sub-axes of one axis, sorted."""
    end = 1
    for axis in parts:
        assert axis.sub_axis is not None
        pre, size = axis.sub_axis.pre_size, axis.sub_axis.size
        if pre < 1 or size <= 1:
            return f"has sub-axis {axis} with a pre-size below 1 or a size below 2"
        if full_size % (pre * size):
            return f"has sub-axis {axis}, which does not divide its axis of size {full_size}"
        if size == full_size:
            return f"has sub-axis {axis}, which is its whole axis"
        if pre < end:
            return f"has sub-axis {axis}, which overlaps another one"
        end = pre * size
    return None


class TypeKind(Enum):
    """The kinds that a sharding tells apart."""

    NONE = 0
    """There is no value, as for an op without results."""
    TUPLE = 1
    """A tuple of other than one element."""
    UNSHAPED = 2
    UNRANKED = 3
    RANKED = 4


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """The kind of a type and, if it is ranked, its shape."""

    kind: TypeKind
    shape: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        """Rank of the type; 0 if it has none."""
        return len(self.shape)


NO_TYPE = TypeInfo(TypeKind.NONE)


def type_info(type_: ir.Type) -> TypeInfo:
    """The info of `type_`; a tuple of one element counts as that element (spec: dialect, 4)."""
    if isinstance(type_, ir.TupleType):
        if type_.num_types != 1:
            return TypeInfo(TypeKind.TUPLE)
        type_ = type_.get_type(0)
    type_ = sharded_type(type_)
    if not isinstance(type_, ir.ShapedType):
        return TypeInfo(TypeKind.UNSHAPED)
    return TypeInfo(TypeKind.RANKED, tuple(type_.shape)) if type_.has_rank else TypeInfo(TypeKind.UNRANKED)


@lru_cache(maxsize=1 << 14)
def check_sharding(sharding: TensorSharding, mesh: Mesh | None, info: TypeInfo) -> str | None:
    """Return whether `sharding` on `mesh` fits a value of that type. Manual axes are left to `manual_axis_in`."""
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
    """Check that the axes of an operand's sharding exist and do not overlap, so that computations can use them.

    The full check runs at the sharding's own op, possibly later.
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
    """Return whether a list of shardings fits a list of types; `meshes` are those of the shardings (section 4.4)."""
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
    """Return an axis of `sharding` that is a manual axis in `names`, or a part of one (section 4.3)."""
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


@dataclass(frozen=True, slots=True)
class Change:
    """Permission for axes to become unreduced or cease to be, optionally restricted to one reduction."""

    allowed: bool
    reduction: Reduction | None = None


NEVER = Change(False)
ANY = Change(True)


def only(reduction: Reduction) -> Change:
    """Allowed for shardings with that reduction."""
    return Change(True, reduction)


def check_unreduced(
    sources: Sequence[TensorSharding],
    results: Sequence[TensorSharding],
    meshes: Sequence[Mesh],
    introduce: Change,
    remove: Change,
) -> str | None:
    """Return the error of the unreduced axes of `results`, given those of the operands; None if there is none.

    `meshes` are those of all the shardings; nothing is checked if they differ.
    """
    if any(mesh != meshes[0] for mesh in meshes[1:]):
        return None
    sizes = meshes[0].axis_sizes
    before = [axis for sharding in sources for axis in sharding.unreduced]
    after = [axis for sharding in results for axis in sharding.unreduced]
    return (
        _check_change(difference(after, before, sizes), results, introduce, "makes axes unreduced")
        or _check_change(difference(before, after, sizes), sources, remove, "reduces axes")
        or _check_kept(sources, results)
    )


def _check_change(
    changed: Sequence[AxisRef], shardings: Sequence[TensorSharding], change: Change, what: str
) -> str | None:
    if not changed:
        return None
    if not change.allowed:
        return f"{what}, which it cannot: {axis_set(changed)}"
    for sharding in shardings:
        wrong = change.reduction is not None and sharding.reduction is not change.reduction
        if wrong and change.reduction is not None and any_overlap(sharding.unreduced, changed):
            return f"{what} by {sharding.reduction.keyword}, expected {change.reduction.keyword}: {axis_set(changed)}"
    return None


def _check_kept(sources: Sequence[TensorSharding], results: Sequence[TensorSharding]) -> str | None:
    for result in results:
        for source in sources:
            if result.reduction is not source.reduction and any_overlap(result.unreduced, source.unreduced):
                return (
                    f"has axes that are unreduced by {source.reduction.keyword} in an operand and by "
                    f"{result.reduction.keyword} in a result"
                )
    return None
