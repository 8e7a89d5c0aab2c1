"""mpmd-generate-sdy-meshes-from-topology: Give each mesh of the topology a mesh of its own.

    sdy.mesh @mesh = <["m1_x"=2, "m2_x"=4]>
    func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m1_x"}]>})
        attributes {topology = #mpmd.topology<<"m1" : <["m1_x"=2]>>, <"m2" : <["m2_x"=4]>>>}
==> sdy.mesh @m1 = <["m1_x"=2]>
    sdy.mesh @m2 = <["m2_x"=4]>
    func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m1, [{"m1_x"}]>}) ...

The name of an axis begins with that of its mesh and an underscore. Replicated shardings go to `@empty_mesh`.
"""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.mpmd.values import NamedMesh, Topology
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import funcs, module_body, symbol_name, top_level
from sdy.passes.mpmd.common.fragments import TOPOLOGY, is_mpmd_function, topology_of
from sdy.passes.registry import UNCHANGED, pass_

_EMPTY = "empty_mesh"


@pass_("mpmd-generate-sdy-meshes-from-topology")
def generate_sdy_meshes_from_topology(module: ir.Operation) -> object:
    """Spec: mpmd, 8."""
    functions = [func for func in funcs(module) if is_mpmd_function(func)]
    topology = topology_of(functions[0]) if functions else None
    if topology is None:
        return UNCHANGED
    known = MeshTable(module)
    kept = [name for name, mesh in known.by_name.items() if mesh.is_empty or mesh.is_maximal]
    for each in topology.meshes:
        if each.name in known.by_name and each.name not in kept:
            raise DiagnosticError(module, f"has a mesh @{each.name} with the name of a mesh of the topology")
    empty = next((name for name in kept if known.by_name[name].is_empty), _EMPTY)
    chosen: set[str] = set()

    def moved(sharding: TensorSharding) -> TensorSharding:
        mesh = known.of(sharding)
        if mesh is not None and mesh.is_maximal:
            return sharding
        name = _mesh_of(module, sharding, topology)
        chosen.add(name or empty)
        return sharding.with_mesh(name or empty)

    transform_shardings(module, moved)
    for op in top_level(module):
        if op.name == "sdy.mesh" and symbol_name(op) not in kept:
            op.erase()
    new = [each for each in topology.meshes if each.name not in kept]
    if empty in chosen and empty not in kept:
        new.insert(0, NamedMesh(empty, Mesh()))
        extended = Topology((*topology.meshes, NamedMesh(empty, Mesh())))
        functions[0].attributes[TOPOLOGY] = attributes.attr_of(extended)
    for each in reversed(new):
        where = ir.InsertionPoint.at_block_begin(module_body(module))
        builders.mesh(each.name, each.mesh, loc=module.location, ip=where)
    return None


def _mesh_of(module: ir.Operation, sharding: TensorSharding, topology: Topology) -> str | None:
    """Return the mesh with the axes of a sharding; None without axes."""
    listed = (*sharding.dim_axes, sharding.replicated, sharding.unreduced)
    names = dict.fromkeys(axis.name for axes in listed for axis in axes)
    meshes = {name.partition("_")[0] if "_" in name else None for name in names}
    if not meshes:
        return None
    (mesh, *others) = meshes
    if others or mesh is None or topology.find(mesh) is None:
        message = f"has a sharding {sharding} whose axes do not all begin with the name of one mesh and an underscore"
        raise DiagnosticError(module, message)
    return mesh
