"""Replica groups along axes of a mesh that goes, as matrices of devices (spec: interchange, 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir, stablehlo
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_with

_GROUPS = "replica_groups"


def make_groups_dense(module: ir.Operation) -> None:
    """Replaces replica groups along axes of meshes by the devices of each group.

    Raises `DiagnosticError` at an op whose mesh there is not.
    """
    meshes = MeshTable(module)
    for op in ops_with(module, _GROUPS):
        stored = op.attributes[_GROUPS]
        if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(stored):
            continue
        groups = stablehlo.ReplicaGroupMeshAxesAttr(stored)
        mesh = _mesh(groups.mesh, meshes)
        if mesh is None:
            raise DiagnosticError(op, "has replica groups along axes of an unknown mesh")
        ids = mesh.replica_groups([_axis(axis) for axis in groups.axes])
        dense: Any = np.ascontiguousarray(ids, dtype=np.int64)
        op.attributes[_GROUPS] = ir.DenseIntElementsAttr.get(dense)


def _mesh(attribute: ir.Attribute, meshes: MeshTable) -> Mesh | None:
    if not stablehlo.MeshAttr.isinstance(attribute):
        return meshes.resolve(ir.FlatSymbolRefAttr(attribute).value)
    axes = map(stablehlo.MeshAxisAttr, stablehlo.MeshAttr(attribute).axes)
    return Mesh(tuple(MeshAxis(axis.name, axis.size) for axis in axes))


def _axis(attribute: ir.Attribute) -> AxisRef:
    axis = stablehlo.AxisRefAttr(attribute)
    part = axis.sub_axis_info
    if part is None:
        return AxisRef(axis.name)
    info = stablehlo.SubAxisInfoAttr(part)
    return AxisRef.sub(axis.name, info.pre_size, info.size)
