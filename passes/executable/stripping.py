"""Removal of the dialect from a program whose ops are all lowered."""

from __future__ import annotations

import numpy as np

from sdy.dialect.replica_groups import FEW_DEVICES, groups_along, mesh_axes
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import OUTPUTS, PARAMETERS
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import inline
from sdy.mlir.walk import post_order
from sdy.passes.executable import records

_KEPT = (
    PARAMETERS,
    OUTPUTS,
    records.DEVICES,
    records.MAIN_TYPE,
    records.INSPECTIONS,
    records.GIVEN_PARAMETERS,
    records.GIVEN_OUTPUTS,
)

_MODULE = "builtin.module"


def strip(module: ir.Operation) -> None:
    """Inline named computations, write replica groups as device numbers, and remove meshes and sdy attributes.

    Module attributes that describe the whole program stay.

    Raises:
      DiagnosticError: at an sdy op that no pass has lowered.
    """
    meshes = MeshTable(module)
    for op in post_order(module):
        name = op.name
        if name == "sdy.mesh":
            op.erase()
        elif name == "sdy.named_computation":
            inline(op)
        elif name.startswith("sdy.") and name != "sdy.return":
            raise DiagnosticError(op, "remains after partitioning")
        else:
            stored = op.attributes
            if not len(stored):
                continue
            if "replica_groups" in stored:
                _write_groups(op, meshes)
            remove_sdy_attributes(op, but=_KEPT if name == _MODULE and op == module else ())


def _write_groups(op: ir.Operation, meshes: MeshTable) -> None:
    """Replica groups along axes of a mesh symbol become device numbers, or axes of an inlined mesh."""
    named = mesh_axes(op.attributes["replica_groups"])
    if named is None:
        return
    mesh = meshes.resolve(named[0])
    if mesh is None:
        raise DiagnosticError(op, f"refers to an unknown mesh @{named[0]}")
    if mesh.size > FEW_DEVICES and not mesh.device_ids:
        op.attributes["replica_groups"] = groups_along(mesh, named[1])
        return
    groups = np.ascontiguousarray(mesh.replica_groups(named[1]))
    op.attributes["replica_groups"] = ir.DenseIntElementsAttr.get(groups)
