"""Modules in a module: their functions are propagated through with the meshes of the outermost one."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import post_order


def check_nested_modules(module: ir.Operation, ops: Sequence[ir.Operation]) -> None:
    """Raises `DiagnosticError` at the first op, in one of `ops` that is a module, with an axis that `module` lacks."""
    meshes = MeshTable(module)
    for nested in ops:
        if nested.name == "builtin.module":
            for op in post_order(nested):
                _check_op(op, meshes)


def _check_op(op: ir.Operation, meshes: MeshTable) -> None:
    def check(sharding: TensorSharding) -> TensorSharding:
        ref, mesh = sharding.mesh_or_ref, meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(op, f"unknown mesh '@{ref}' in the outermost module")
        for axis in sharding.axis_refs():
            if axis.name not in mesh.axis_sizes:
                raise DiagnosticError(op, f"unknown axis '{axis.name}' in the mesh '@{ref}' of the outermost module")
        return sharding

    transform_shardings(op, check)
