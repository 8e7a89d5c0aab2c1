"""The user's axis names for programs that JAX has lowered without them (spec: interchange, 10)."""

from __future__ import annotations

import jax
from jax.sharding import NamedSharding

import sdy
from sdy.dialect import builders
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols
from sdy.programs.given_modules import with_own_shardings


def mesh_of(lowered: jax.stages.Lowered) -> Mesh | None:
    """Return the mesh of the `NamedSharding`s of a `jax.stages.Lowered`; None for several meshes, and for none."""
    compile_args = getattr(getattr(lowered, "_lowering", None), "compile_args", {})
    lists = (compile_args.get(name) or () for name in ("in_shardings", "out_shardings", "intermediate_shardings"))
    shapes = {
        tuple(sharding.mesh.shape.items())
        for each in lists
        if isinstance(each, list | tuple)
        for sharding in each
        if isinstance(sharding, NamedSharding)
    }
    if len(shapes) != 1:
        return None
    return Mesh(tuple(MeshAxis(str(name), size) for name, size in shapes.pop()))


def with_axes_of(text: str, mesh: Mesh | None, filename: str) -> str:
    """A module lowered for GSPMD with its shardings imported, if its tiles are cut along the axes of `mesh`.

    Other modules stay unchanged.
    """
    if mesh is None:
        return text
    given = sdy.parse(text, filename)
    module = with_own_shardings(given)
    if module is given:
        return text
    with module.context, ir.Location.unknown():
        start = ir.InsertionPoint.at_block_begin(module.body)
        own = builders.mesh("mesh", mesh, loc=ir.Location.unknown(), ip=start)
        name = ModuleSymbols(module.operation).insert(own)
    try:
        sdy.run(module, "xla-sdy-round-trip-dedup-meshes")
    except DiagnosticError:  # something is manual along a part of an axis
        return text
    meshes = MeshTable(module.operation).by_name
    if name not in meshes or any(other.axes for each, other in meshes.items() if each != name):
        return text
    return module.operation.get_asm(enable_debug_info=True)
