"""When lists of axes are well-formed (spec: dialect, 4.1 and 4.2). All functions return what is wrong, or None."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.values.axes import AxisRef, quote
from sdy.dialect.values.mesh import Mesh


def check_axis_list(axis_list: Sequence[AxisRef], mesh: Mesh, seen: set[AxisRef]) -> str | None:
    """Known axes, none twice, no neighbours that could be one. Lists that belong together share the set `seen`."""
    previous: AxisRef | None = None
    for axis in axis_list:
        if axis.name not in mesh.axis_sizes:
            return f"uses axis {quote(axis.name)}, which the mesh does not have"
        if axis in seen:
            return f"uses axis {axis} twice"
        seen.add(axis)
        if previous is not None and previous.can_merge(axis):
            return f"has the consecutive sub-axes {previous} and {axis}, which are to be written as one"
        previous = axis
    return None


def check_axis_lists(lists: Iterable[Sequence[AxisRef]], mesh: Mesh) -> str | None:
    """`check_axis_list` for lists that belong together."""
    seen: set[AxisRef] = set()
    for axis_list in lists:
        problem = check_axis_list(axis_list, mesh, seen)
        if problem is not None:
            return problem
    return None


def check_order(axis_list: Sequence[AxisRef], mesh: Mesh, what: str) -> str | None:
    """Whether the axes are sorted in mesh order; those that the mesh does not have are left to `check_axis_list`."""
    keys = [mesh.order_key(axis) for axis in axis_list if axis.name in mesh.axis_sizes]
    return f"has {what} axes that are not in the order of the mesh" if keys != sorted(keys) else None


def check_sub_axes(axis_list: Sequence[AxisRef], mesh: Mesh) -> str | None:
    """Whether each sub-axis is a part of its axis, and no two of the axes in use overlap."""
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
            return f"has sub-axis {axis}, which is all of its axis"
        if pre < end:
            return f"has sub-axis {axis}, which overlaps another one"
        end = pre * size
    return None
