"""sdy-inline-meshes: writes each mesh into the shardings that name it and erases the mesh symbols.

    sdy.mesh @mesh = <["a"=2]>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8xf32>
==> %0 = sdy.sharding_constraint %arg0 <mesh<["a"=2]>, [{"a"}]> : tensor<8xf32>
"""

from __future__ import annotations

from sdy.dialect.replica_groups import stablehlo_mesh
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_few_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import address, ir, stablehlo
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import top_level
from sdy.mlir.search import ops_with
from sdy.passes.registry import pass_

_GROUPS = "replica_groups"


@pass_("sdy-inline-meshes", on="builtin.module")
def inline_meshes(module: ir.Operation) -> None:
    """Spec: import-passes, 6.1."""
    meshes = MeshTable(module)

    def inlined(sharding: TensorSharding) -> TensorSharding:
        mesh = meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(module, f"unknown mesh: @{sharding.mesh_or_ref}")
        return sharding.with_mesh(mesh)

    transform_few_shardings(module, inlined)
    known: dict[int, ir.Attribute] = {}  # by the address of the old groups
    for op in ops_with(module, _GROUPS):
        groups = op.attributes[_GROUPS]
        if address(groups) not in known:
            known[address(groups)] = _inlined_groups(groups, op, meshes)
        op.attributes[_GROUPS] = known[address(groups)]
    for op in top_level(module):
        if op.name == "sdy.mesh":
            op.erase()


def _inlined_groups(attribute: ir.Attribute, op: ir.Operation, meshes: MeshTable) -> ir.Attribute:
    """The replica groups of `op` with the mesh that they name, if they do."""
    if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(attribute):
        return attribute
    groups = stablehlo.ReplicaGroupMeshAxesAttr(attribute)
    mesh = groups.mesh
    if stablehlo.MeshAttr.isinstance(mesh):
        return attribute
    name = ir.FlatSymbolRefAttr(mesh).value
    resolved = meshes.resolve(name)
    if resolved is None:
        raise DiagnosticError(op, f"unknown mesh: @{name}")
    return stablehlo.ReplicaGroupMeshAxesAttr.get(stablehlo_mesh(resolved), groups.axes)
