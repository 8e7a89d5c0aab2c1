"""sdy-translate-foreign-boundaries: arguments and results have shardings that the mesh of the program has.

    sdy.mesh @mesh = <["x"=4]>
    sdy.mesh @other = <["x"=4], device_ids=[3, 2, 1, 0]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>})
==> module attributes {sdy.given_parameters_shardings =
        [#sdy.sharding<mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{"x"}]>], ...} {
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})

A region that is manual on all axes is manual on those of one mesh. What JAX hands over on a mesh with another order of
devices, or with axes that divide the devices otherwise, comes into the program as the nearest sharding of its mesh, and
results leave it so; XLA moves the data between the two. Propagation has decided how results are sharded of which
nothing was said. What is unreduced along axes that the mesh has not is reduced in the program.
"""

from __future__ import annotations

from dataclasses import replace

from sdy.dialect.mesh_translation import on_mesh, translate
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    result_shardings,
    set_arg_sharding,
    set_result_sharding,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function
from sdy.passes.executable.records import devices, store_given
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-translate-foreign-boundaries")
def translate_foreign_boundaries(module: ir.Operation) -> object:
    mesh, meshes = Mesh(devices(module).axes), MeshTable(module)
    others = [each for each in meshes.by_name.values() if each.size == mesh.size and each != mesh]
    if all(_divides_alike(each, mesh) for each in others):
        return UNCHANGED
    main = main_function(module)
    name = next((name for name, each in meshes.by_name.items() if each == mesh), None)
    if name is None:
        raise DiagnosticError(module, f"has no mesh {mesh}, that of its devices")
    given = []
    for shardings, put in ((arg_shardings(main), set_arg_sharding), (result_shardings(main), set_result_sharding)):
        foreign = [_foreign(one, meshes, mesh) for one in shardings]
        for number, sharding in enumerate(foreign):
            if sharding is not None:
                put(main, number, _nearest(sharding, mesh).with_mesh(name))
        given.append(tuple(foreign))
    _settle_results(main, name)
    store_given(module, *given)
    return None


def _settle_results(main: ir.Operation, mesh: str) -> None:
    """Results that nothing has reached are whole: what arguments are sharded by now is not for them."""
    types = main.attributes["function_type"].value.results
    for number, (type_, sharding) in enumerate(zip(types, result_shardings(main), strict=True)):
        if sharding is None and isinstance(type_, ir.RankedTensorType):
            set_result_sharding(main, number, TensorSharding.closed(mesh, type_.rank))


def _divides_alike(mesh: Mesh, other: Mesh) -> bool:
    """Whether each axis of `mesh` is one or several axes, or a part of one, of `other`."""
    sharding = TensorSharding.from_axes(mesh, [[axis] for axis in mesh.atomic_axes(())])
    return on_mesh(sharding, mesh, other) is not None


def _foreign(sharding: TensorSharding | None, meshes: MeshTable, mesh: Mesh) -> TensorSharding | None:
    """The sharding, inlined, if `mesh` has it not."""
    own = None if sharding is None else meshes.of(sharding)
    if sharding is None or own is None or own.size != mesh.size or on_mesh(sharding, own, mesh) is not None:
        return None
    return sharding.with_mesh(own)


def _nearest(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    """The sharding with the same shards, whichever device has them, or with whole dimensions if there is none."""
    own = sharding.mesh_or_ref
    assert isinstance(own, Mesh)
    ordered = replace(own, device_ids=())
    return TensorSharding.from_axes(mesh, [translate(dim, ordered, mesh) or () for dim in sharding.dim_axes])
