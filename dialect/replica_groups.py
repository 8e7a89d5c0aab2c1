"""Replica groups of collectives that are given as axes of a mesh instead of as device ids."""

from __future__ import annotations

import numpy as np

from sdy.dialect.definition.attributes import value_of
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import MeshRef
from sdy.mlir import ir, stablehlo

FEW_DEVICES = 64
"""With more of them replica groups are written as axes, which take no more room for many devices than for few."""


def mesh_axes(groups: ir.Attribute) -> tuple[MeshRef, AxisList] | None:
    """The mesh and the axes of replica groups; None if they are device ids."""
    if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(groups):
        return None
    found = stablehlo.ReplicaGroupMeshAxesAttr(groups)
    return _mesh(found.mesh), tuple(map(_axis, found.axes))


def axis_attribute(axis: AxisRef) -> ir.Attribute:
    """`axis` as replica groups refer to it."""
    if axis.sub_axis is None:
        return stablehlo.AxisRefAttr.get(axis.name)
    info = stablehlo.SubAxisInfoAttr.get(axis.sub_axis.pre_size, axis.sub_axis.size)
    return stablehlo.AxisRefAttr.get(axis.name, info)


def _mesh(attr: ir.Attribute) -> MeshRef:
    if isinstance(attr, ir.FlatSymbolRefAttr):
        return attr.value
    if not stablehlo.MeshAttr.isinstance(attr):
        return value_of(attr)
    mesh = stablehlo.MeshAttr(attr)
    axes = tuple(MeshAxis(axis.name, axis.size) for axis in map(stablehlo.MeshAxisAttr, mesh.axes))
    return Mesh(axes, () if mesh.device_ids is None else tuple(np.array(mesh.device_ids).tolist()))


def _axis(attr: ir.Attribute) -> AxisRef:
    ref = stablehlo.AxisRefAttr(attr)
    if ref.sub_axis_info is None:
        return AxisRef(ref.name)
    info = stablehlo.SubAxisInfoAttr(ref.sub_axis_info)
    return AxisRef.sub(ref.name, info.pre_size, info.size)
