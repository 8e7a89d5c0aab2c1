"""sdy-inline-meshes: writes each mesh into the shardings that name it and erases the mesh symbols.

    sdy.mesh @mesh = <["a"=2]>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
==> %0 = sdy.sharding_constraint %arg0 <mesh<["a"=2]>, [{"a"}]> : tensor<8xf32>
"""

from __future__ import annotations

from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import top_level
from sdy.dialect.meshes import MeshTable
from sdy.dialect.search import ops_with
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.sharding_walk import transform_shardings
from sdy.dialect.stablehlo_meshes import stablehlo_mesh
from sdy.mlir import ir, stablehlo
from sdy.passes.registry import pass_


@pass_("sdy-inline-meshes", on="builtin.module")
def inline_meshes(module: ir.Operation) -> None:
    """Spec: import-passes, 6.1."""
    meshes = MeshTable(module)

    def inlined(sharding: TensorSharding) -> TensorSharding:
        mesh = meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(module, f"unknown mesh: @{sharding.mesh_or_ref}")
        return sharding.with_mesh(mesh)

    transform_shardings(module, inlined)
    for op in ops_with(module, "replica_groups"):
        _inline_replica_groups(op, meshes)
    for op in top_level(module):
        if op.name == "sdy.mesh":
            op.erase()


def _inline_replica_groups(op: ir.Operation, meshes: MeshTable) -> None:
    groups = op.attributes["replica_groups"]
    if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(groups):
        return
    groups = stablehlo.ReplicaGroupMeshAxesAttr(groups)
    mesh = groups.mesh
    if stablehlo.MeshAttr.isinstance(mesh):
        return
    name = ir.FlatSymbolRefAttr(mesh).value
    resolved = meshes.resolve(name)
    if resolved is None:
        raise DiagnosticError(op, f"unknown mesh: @{name}")
    op.attributes["replica_groups"] = stablehlo.ReplicaGroupMeshAxesAttr.get(stablehlo_mesh(resolved), groups.axes)
