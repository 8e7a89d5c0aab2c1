"""Replica groups along axes of a mesh that goes, as matrices of devices (spec: interchange, 6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sdy.dialect.replica_groups import mesh_axes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError

GROUPS = "replica_groups"


def make_groups_dense(module: ir.Operation, ops: Iterable[ir.Operation]) -> None:
    """Replaces replica groups along axes of meshes, of those of `ops` that have any, by the devices of each group.

    Raises `DiagnosticError` at an op whose mesh there is not.
    """
    meshes = MeshTable(module)
    for op in ops:
        found = mesh_axes(op.attributes[GROUPS]) if GROUPS in op.attributes else None
        if found is None:
            continue
        mesh = meshes.resolve(found[0])
        if mesh is None:
            raise DiagnosticError(op, "has replica groups along axes of an unknown mesh")
        dense: Any = np.ascontiguousarray(mesh.replica_groups(found[1]), dtype=np.int64)
        op.attributes[GROUPS] = ir.DenseIntElementsAttr.get(dense)
