"""Last touches to a local module: what the passes keep for a next pass goes, so that nothing of sdy is left."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from sdy.dialect.axes import AxisRef
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.walk import post_order
from sdy.inlining import inline
from sdy.mlir import ir

_MESH_AXES = re.compile(r"^#stablehlo\.replica_group_mesh_axes<mesh = @([^,\s]+), axes = \[(.*)\]>$")
_AXIS = re.compile(r'#stablehlo\.axis_ref<name = "([^"]*)"(?:, sub_axis_info = \((\d+)\)(\d+))?>')


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
    found = _MESH_AXES.match(str(op.attributes["replica_groups"]))
    if not found:
        return
    mesh = meshes.resolve(found[1].strip('"'))
    if mesh is None:
        raise DiagnosticError(op, f"refers to an unknown mesh @{found[1]}")
    refs = [
        AxisRef.sub(name, int(pre), int(size)) if pre else AxisRef(name) for name, pre, size in _AXIS.findall(found[2])
    ]
    op.attributes["replica_groups"] = _dense(mesh, refs)


def _dense(mesh: Mesh, refs: list[AxisRef]) -> Any:
    return ir.DenseIntElementsAttr.get(np.ascontiguousarray(mesh.replica_groups(refs)))


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
