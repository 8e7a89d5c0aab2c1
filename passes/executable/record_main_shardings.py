"""sdy-record-main-shardings: Record how the arguments and results of @main are sharded, for the caller.

    func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
==> module attributes {sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>, ...}

sdy-convert-global-to-local records them where this pass has not run. By then a reversed dimension may have added a mesh
with another device order, which values without a sharding would refer to.

`embedded`: a program of JAX is one region that is manual on all axes of one mesh. An argument on a mesh with another
order or factorization of devices gets the nearest sharding on the program's mesh, and so do results; XLA moves the
data. Axes that the mesh does not have are reduced in the program.

    sdy.mesh @mesh = <["x"=4]>
    sdy.mesh @other = <["x"=4], device_ids=[3, 2, 1, 0]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>})
==> module attributes {sdy.given_parameters_shardings =
        [#sdy.sharding<mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{"x"}]>], ...} {
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
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
from sdy.dialect.shardings.value_shardings import RECORDED, store_main_shardings
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function
from sdy.passes.executable.records import devices, store_given
from sdy.passes.options import option
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class RecordMainShardingsOptions:
    """Options of sdy-record-main-shardings."""

    embedded: bool = option(False, "the boundary of a program of JAX has shardings on the mesh of the program")


@pass_("sdy-record-main-shardings", options=RecordMainShardingsOptions)
def record_main_shardings(module: ir.Operation, options: RecordMainShardingsOptions) -> None:
    if options.embedded:
        _translate_boundary(module)
    store_main_shardings(module)
    module.attributes[RECORDED] = ir.UnitAttr.get()


def _translate_boundary(module: ir.Operation) -> None:
    mesh, meshes = Mesh(devices(module).axes), MeshTable(module)
    others = [each for each in meshes.by_name.values() if each.size == mesh.size and each != mesh]
    if all(_divides_alike(each, mesh) for each in others):
        return
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
    return


def _settle_results(main: ir.Operation, mesh: str) -> None:
    """Replicates results that propagation has not reached, so that later changes of arguments do not shard them."""
    types = main.attributes["function_type"].value.results
    for number, (type_, sharding) in enumerate(zip(types, result_shardings(main), strict=True)):
        if sharding is None and isinstance(type_, ir.RankedTensorType):
            set_result_sharding(main, number, TensorSharding.closed(mesh, type_.rank))


def _divides_alike(mesh: Mesh, other: Mesh) -> bool:
    """Return whether each axis of `mesh` is one or more axes, or a part of one, of `other`."""
    sharding = TensorSharding.from_axes(mesh, [[axis] for axis in mesh.atomic_axes(())])
    return on_mesh(sharding, mesh, other) is not None


def _foreign(sharding: TensorSharding | None, meshes: MeshTable, mesh: Mesh) -> TensorSharding | None:
    """The sharding, inlined, if `mesh` has it not."""
    own = None if sharding is None else meshes.of(sharding)
    if sharding is None or own is None or own.size != mesh.size or on_mesh(sharding, own, mesh) is not None:
        return None
    return sharding.with_mesh(own)


def _nearest(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    """Return a sharding with the same shards, on any devices; with replicated dimensions if there is none."""
    own = sharding.mesh_or_ref
    assert isinstance(own, Mesh)
    ordered = replace(own, device_ids=())
    return TensorSharding.from_axes(mesh, [translate(dim, ordered, mesh) or () for dim in sharding.dim_axes])
