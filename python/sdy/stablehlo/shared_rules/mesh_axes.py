"""Sizes of the mesh axes that a group of processes is given by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sdy.mlir import ir, stablehlo
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.symbols import find_symbol

MeshReader = Callable[[ir.Operation], Mapping[str, int]]
"""Sizes of the axes of a mesh by their names."""

_readers: dict[str, MeshReader] = {}


def mesh_op(name: str) -> Callable[[MeshReader], MeshReader]:
    """Declares the decorated function to read ops of that name, which groups may refer to by their symbol."""

    def register(reader: MeshReader) -> MeshReader:
        _readers[name] = reader
        return reader

    return register


def axis_sizes(op: OpFacts, groups: stablehlo.ReplicaGroupMeshAxesAttr) -> list[int] | None:
    """The sizes of the axes that span a group; None where the mesh is not to be seen."""
    sizes = _mesh(op, groups.mesh)
    if sizes is None:
        return None
    found: list[int] = []
    for attribute in groups.axes:
        axis = stablehlo.AxisRefAttr(attribute)
        info = axis.sub_axis_info
        if axis.name not in sizes:
            raise op.error("replica_groups", f"the mesh of its groups has no axis '{axis.name}'")
        found.append(_sub_axis_size(info) if info is not None else sizes[axis.name])
    return found


def has_overlap(groups: stablehlo.ReplicaGroupMeshAxesAttr) -> bool:
    """Whether axes that span a group have a part in common, so that a process would be in it twice."""
    axes = [_extent(stablehlo.AxisRefAttr(attribute)) for attribute in groups.axes]
    return any(_overlap(first, second) for number, first in enumerate(axes) for second in axes[:number])


def _extent(axis: stablehlo.AxisRefAttr) -> tuple[str, int, int | None]:
    """Name of the axis, number of parts before it, and of those before what follows; None for a whole axis."""
    info = axis.sub_axis_info
    if info is None:
        return axis.name, 1, None
    info = _sub_axis(info)
    return axis.name, info.pre_size, info.pre_size * info.size


def _overlap(first: tuple[str, int, int | None], second: tuple[str, int, int | None]) -> bool:
    (name, start, end), (other, other_start, other_end) = first, second
    if name != other:
        return False
    return end is None or other_end is None or (start < other_end and other_start < end)


def _mesh(op: OpFacts, mesh: ir.Attribute) -> Mapping[str, int] | None:
    try:
        written = stablehlo.MeshAttr(mesh)
    except (ValueError, TypeError):
        declared = find_symbol(op, mesh)
        if declared is None:
            return None
        reader = _readers.get(declared.name)
        return None if reader is None else reader(declared)
    return {axis.name: axis.size for axis in map(stablehlo.MeshAxisAttr, written.axes)}


def _sub_axis_size(info: ir.Attribute) -> int:
    return _sub_axis(info).size


def _sub_axis(info: ir.Attribute) -> stablehlo.SubAxisInfoAttr:
    return info if isinstance(info, stablehlo.SubAxisInfoAttr) else stablehlo.SubAxisInfoAttr(info)
