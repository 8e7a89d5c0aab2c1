"""Last touches to a local module: what the passes keep for a next pass goes, so that nothing of sdy is left."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.meshes import MeshTable
from sdy.dialect.replica_groups import mesh_axes
from sdy.dialect.walk import post_order
from sdy.inlining import inline
from sdy.mlir import ir


def finish(module: Any) -> None:
    """Inlines named computations, writes replica groups as device numbers, and removes meshes and sdy attributes.

    Raises `DiagnosticError` at an sdy op that no pass has lowered.
    """
    meshes = MeshTable(module)
    for op in post_order(module.operation):
        if op.name == "sdy.mesh":
            op.erase()
        elif op.name == "sdy.named_computation":
            inline(op)
        elif op.name.startswith("sdy.") and op.name != "sdy.return":
            raise DiagnosticError(op, "is still there after partitioning")
        else:
            _make_groups_dense(op, meshes)
            remove_sdy_attributes(op)


def _make_groups_dense(op: Any, meshes: MeshTable) -> None:
    """Replica groups given as axes of a mesh symbol, as user programs may have them, become dense."""
    if "replica_groups" not in op.attributes:
        return
    named = mesh_axes(op.attributes["replica_groups"])
    if named is None:
        return
    mesh = meshes.resolve(named[0])
    if mesh is None:
        raise DiagnosticError(op, f"refers to an unknown mesh @{named[0]}")
    groups = np.ascontiguousarray(mesh.replica_groups(named[1]))
    op.attributes["replica_groups"] = ir.DenseIntElementsAttr.get(groups)


def remove_sdy_attributes(op: Any) -> None:
    """Removes the attributes of the dialect from an op, and from the arguments and results of a function."""
    for name in [name for name in op.attributes if name.startswith("sdy.")]:
        del op.attributes[name]
    for key in ("arg_attrs", "res_attrs"):
        if key in op.attributes:
            op.attributes[key] = ir.ArrayAttr.get([_without_sdy(entry) for entry in op.attributes[key]])


def _without_sdy(entry: Any) -> Any:
    entry = ir.DictAttr(entry)
    return ir.DictAttr.get({item.name: item.attr for item in entry if not item.name.startswith("sdy.")})
