"""Replica groups along axes of a mesh that goes, as matrices of devices (spec: interchange, 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdy.dialect.replica_groups import mesh_axes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_with

_GROUPS = "replica_groups"


def make_groups_dense(module: ir.Operation) -> None:
    """Replaces replica groups along axes of meshes by the devices of each group.

    Raises `DiagnosticError` at an op whose mesh there is not.
    """
    meshes = MeshTable(module)
    for op in ops_with(module, _GROUPS):
        found = mesh_axes(op.attributes[_GROUPS])
        if found is None:
            continue
        mesh = meshes.resolve(found[0])
        if mesh is None:
            raise DiagnosticError(op, "has replica groups along axes of an unknown mesh")
        dense: Any = np.ascontiguousarray(mesh.replica_groups(found[1]), dtype=np.int64)
        op.attributes[_GROUPS] = ir.DenseIntElementsAttr.get(dense)
