"""Meshes in StableHLO's own words, as they are written into replica groups along axes."""

from __future__ import annotations

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir, stablehlo


def stablehlo_mesh(mesh: Mesh) -> ir.Attribute:
    """`mesh` as ``#stablehlo.mesh``, with its device ids."""
    mesh_axes = ir.ArrayAttr.get([stablehlo.MeshAxisAttr.get(axis.name, axis.size) for axis in mesh.axes])
    if not mesh.device_ids:
        return stablehlo.MeshAttr.get(mesh_axes)
    i64 = ir.IntegerType.get_signless(64)
    ids = [ir.IntegerAttr.get(i64, device) for device in mesh.device_ids]
    return stablehlo.MeshAttr.get(mesh_axes, ir.DenseElementsAttr.get(ids, ir.RankedTensorType.get([len(ids)], i64)))
