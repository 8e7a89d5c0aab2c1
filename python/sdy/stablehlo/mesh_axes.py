"""Sizes of the mesh axes that a group of processes is given by."""

from __future__ import annotations

from typing import Any

from sdy.mlir import ir, stablehlo
from sdy.stablehlo.op_facts import OpFacts


def axis_sizes(op: OpFacts, groups: Any) -> list[int] | None:
    """The sizes of the axes that span a group; None where the mesh is not written in the attribute."""
    try:
        mesh = stablehlo.MeshAttr(groups.mesh)
    except (ValueError, TypeError):
        return None
    sizes = {axis.name: axis.size for axis in map(stablehlo.MeshAxisAttr, mesh.axes)}
    found: list[int] = []
    for attribute in groups.axes:
        axis = stablehlo.AxisRefAttr(attribute)
        info = axis.sub_axis_info
        if axis.name not in sizes:
            raise op.error("replica_groups", f"the mesh of its groups has no axis '{axis.name}'")
        found.append(_sub_axis_size(info) if info is not None else sizes[axis.name])
    return found


def _sub_axis_size(info: Any) -> int:
    if isinstance(info, ir.Attribute) and not hasattr(info, "size"):
        info = stablehlo.SubAxisInfoAttr(info)
    return info.size
