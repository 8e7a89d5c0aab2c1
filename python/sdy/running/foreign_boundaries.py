"""Arguments and results whose shardings the mesh of a program has not.

A region that is manual on all axes is manual on those of one mesh. What JAX hands over on a mesh with another order of
devices, or with axes that divide the devices otherwise, comes into the program as the nearest sharding of its mesh, and
results leave it so; XLA moves the data between the two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sdy
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, result_shardings, set_arg_sharding, set_result_sharding
from sdy.mesh_translation import on_mesh, translate
from sdy.mlir import ir

_PROPAGATION = "sdy-propagation-pipeline{avoid-export-for-partitioning=true}"

Shardings = tuple[TensorSharding | None, ...]
"""Of arguments or results, inlined; None for those whose sharding is that of the program."""


def bring_home(module: Any, main: Any, mesh: Mesh) -> tuple[Shardings, Shardings]:
    """Gives arguments and results of `main` shardings that `mesh` has; returns those that they had instead.

    Propagation decides first how results are sharded of which nothing is said. What is unreduced along axes that `mesh`
    has not is reduced in the program.
    """
    meshes = MeshTable(module)
    others = [each for each in meshes.by_name.values() if each.size == mesh.size and each != mesh]
    if all(_divides_alike(each, mesh) for each in others):
        return (), ()
    sdy.run(module, _PROPAGATION)
    name = next(name for name, each in MeshTable(module).by_name.items() if each == mesh)
    given = []
    for shardings, put in ((arg_shardings(main), set_arg_sharding), (result_shardings(main), set_result_sharding)):
        foreign = [_foreign(one, meshes, mesh) for one in shardings]
        for number, sharding in enumerate(foreign):
            if sharding is not None:
                put(main, number, _nearest(sharding, mesh).with_mesh(name))
        given.append(tuple(foreign))
    _settle_results(main, name)
    return given[0], given[1]


def _settle_results(main: Any, mesh: str) -> None:
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
