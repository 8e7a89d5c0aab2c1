"""Whether the axes of a collective turn its operand's sharding into its result's (spec: dialect, 7).

Pure functions on shardings; they return what is wrong, or None. `source` is the sharding of the operand, `out` that of
the result, both valid and of equal rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, any_overlap, gather, product, slice_
from sdy.dialect.values.lists import AllToAllParam
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding, axis_set
from sdy.dialect.verification.axis_lists import check_axis_list, check_axis_lists, check_order


def check_gather(source: TensorSharding, out: TensorSharding, lists: Sequence[AxisList], mesh: Mesh) -> str | None:
    """The axes of each list are the minor ones of their dimension, and are gone from the result."""
    return _check_dimensions(source, out, lists, mesh, gather)


def check_slice(source: TensorSharding, out: TensorSharding, lists: Sequence[AxisList], mesh: Mesh) -> str | None:
    """The axes of each list are added to their dimension."""
    return _check_dimensions(source, out, lists, mesh, slice_)


def _check_dimensions(
    source: TensorSharding,
    out: TensorSharding,
    lists: Sequence[AxisList],
    mesh: Mesh,
    change: Callable[[AxisList, AxisList, AxisSizes], AxisList | None],
) -> str | None:
    """Each dimension has the axes that `change` makes of those before; None if axes are to go that are not there."""
    problem = _check_lists(lists, out, mesh)
    if problem is not None:
        return problem
    for dim, (before, axes, after) in enumerate(zip(source.dim_axes, lists, out.dim_axes, strict=True)):
        changed = change(before, axes, mesh.axis_sizes)
        if changed is None:
            return f"removes {axis_set(axes)} from dimension {dim}, which is sharded on {axis_set(before)}"
        if changed != after:
            return _mismatch(dim, changed, after)
    return None


def check_all_to_all(
    source: TensorSharding, out: TensorSharding, params: Sequence[AllToAllParam], mesh: Mesh
) -> str | None:
    """Axes move between dimensions, of which none is used twice."""
    problem = _check_params(params, source.rank, mesh)
    if problem is not None:
        return problem
    expected = list(source.dim_axes)
    for param in params:
        left = gather(expected[param.src_dim], param.axes, mesh.axis_sizes)
        if left is None:
            before = axis_set(expected[param.src_dim])
            return f"removes {axis_set(param.axes)} from dimension {param.src_dim}, which is sharded on {before}"
        expected[param.src_dim] = left
        expected[param.tgt_dim] = slice_(expected[param.tgt_dim], param.axes, mesh.axis_sizes)
    for dim, (more, after) in enumerate(zip(expected, out.dim_axes, strict=True)):
        if more != after:
            return _mismatch(dim, more, after)
    return None


def check_permute(source: TensorSharding, out: TensorSharding, source_mesh: Mesh, mesh: Mesh) -> str | None:
    """The same axes in another order of devices, or as many shards of each dimension from other axes."""
    if source_mesh.axes != mesh.axes:
        return f"goes from mesh {source_mesh} to mesh {mesh}, which has other axes"
    if source.mesh_or_ref != out.mesh_or_ref and source_mesh.device_ids == mesh.device_ids:
        return "goes from one mesh to another with the same order of devices"
    for dim, (before, after) in enumerate(zip(source.dim_axes, out.dim_axes, strict=True)):
        shards = product(before, mesh.axis_sizes), product(after, mesh.axis_sizes)
        if before != after and shards[0] != shards[1]:
            return f"has {shards[0]} shards of dimension {dim} in its operand and {shards[1]} in its result"
    return None


def check_all_reduce(source: TensorSharding, out: TensorSharding, axis_list: AxisList, mesh: Mesh) -> str | None:
    """Only unreduced axes change, and the axes of the reduction are in use nowhere."""
    if not source.is_equivalent(out, ignore_unreduced=True):
        return f"has an operand sharded as {source} and a result sharded as {out}"
    return check_ordered(axis_list, mesh) or (
        _check_disjoint(axis_list, _flat(source.dim_axes), "shards a dimension of the operand")
        or _check_disjoint(axis_list, source.replicated, "is replicated on in the operand")
        or _check_disjoint(axis_list, out.unreduced, "is unreduced in the result")
    )


def check_sharded_to_unreduced(
    source: TensorSharding, out: TensorSharding, lists: Sequence[AxisList], mesh: Mesh
) -> str | None:
    """The axes leave their dimensions and become unreduced."""
    return check_gather(source, out, lists, mesh) or _check_became_unreduced(source, out, _flat(lists), mesh)


def check_replicated_to_unreduced(
    source: TensorSharding, out: TensorSharding, axis_list: AxisList, mesh: Mesh
) -> str | None:
    """The axes are not in use in the operand and become unreduced; the dimensions stay as they are."""
    if source.dims != out.dims:
        return f"changes how dimensions are sharded, from {source} to {out}"
    if not axis_list:
        return "has no axes"
    return check_ordered(axis_list, mesh) or (
        _check_disjoint(axis_list, _flat(source.dim_axes), "shards a dimension of the operand")
        or _check_disjoint(axis_list, source.unreduced, "is unreduced in the operand")
        or _check_became_unreduced(source, out, axis_list, mesh)
    )


def check_ordered(axis_list: AxisList, mesh: Mesh) -> str | None:
    """One list of axes, in mesh order."""
    return check_axis_list(axis_list, mesh, set()) or check_order(axis_list, mesh, "reduction")


def _check_lists(lists: Sequence[AxisList], out: TensorSharding, mesh: Mesh) -> str | None:
    problem = check_axis_lists(lists, mesh)
    if problem is None and len(lists) != out.rank:
        return f"has axes for {len(lists)} dimensions of a tensor of rank {out.rank}"
    return problem


def _check_params(params: Sequence[AllToAllParam], rank: int, mesh: Mesh) -> str | None:
    if not params:
        return "moves nothing"
    used: set[int] = set()
    seen: set[AxisRef] = set()
    for param in params:
        if not param.axes:
            return "has a move without axes"
        problem = check_axis_list(param.axes, mesh, seen)
        if problem is not None:
            return problem
        for dim in (param.src_dim, param.tgt_dim):
            if not 0 <= dim < rank:
                return f"moves axes from or to dimension {dim} of a tensor of rank {rank}"
            if dim in used:
                return f"moves axes from or to dimension {dim} twice"
            used.add(dim)
    sources = [param.src_dim for param in params]
    return "has moves that are not in the order of their source dimensions" if sources != sorted(sources) else None


def _check_disjoint(axis_list: AxisList, others: Sequence[AxisRef], what: str) -> str | None:
    for axis in axis_list:
        if any_overlap([axis], others):
            return f"has axis {axis}, which {what}"
    return None


def _check_became_unreduced(source: TensorSharding, out: TensorSharding, added: AxisList, mesh: Mesh) -> str | None:
    if source.unreduced and source.reduction is not out.reduction:
        return f"changes the reduction of unreduced axes from {source.reduction.keyword} to {out.reduction.keyword}"
    expected = mesh.sort_and_merge((*source.unreduced, *added))
    if out.unreduced != expected:
        return f"has a result with unreduced axes {axis_set(out.unreduced)}, expected {axis_set(expected)}"
    return None


def _flat(lists: Sequence[AxisList]) -> AxisList:
    return tuple(axis for axis_list in lists for axis in axis_list)


def _mismatch(dim: int, expected: AxisList, found: AxisList) -> str:
    return f"has dimension {dim} of its result sharded on {axis_set(found)}, expected {axis_set(expected)}"
