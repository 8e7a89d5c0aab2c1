"""Programs for an XLA that is set to propagate and partition as GSPMD (spec: interchange, 10).

With `jax_use_shardy_partitioner=False` XLA does not know the ops of the dialect, only sharding text and conversions to
one device and back. Programs that JAX has lowered so get the axis names of the user's mesh back.
"""

from __future__ import annotations

import jax
from jax.extend.mlir import ir as jax_ir
from jax.sharding import NamedSharding

import sdy
from sdy.dialect import builders
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import ModuleSymbols, funcs, symbol_name
from sdy.mlir.search import ops_with
from sdy.programs.given_modules import with_own_shardings

_TEXT = "mhlo.sharding"


def in_gspmd_form(module: jax_ir.Module) -> jax_ir.Module:
    """Return the wrapped `module` with sharding text in place of sdy, in the same MLIR context."""
    own = sdy.parse(str(module.operation.get_asm(enable_debug_info=True)))
    sdy.run(own, "xla-sdy-stablehlo-export-pipeline")
    for func in funcs(own.operation):
        if symbol_name(func) != "main":
            _remove_texts(func)
    text = own.operation.get_asm(enable_debug_info=True)
    with module.context:
        return jax_ir.Module.parse(text)


def _remove_texts(func: ir.Operation) -> None:
    """Remove sharding texts where all axes are manual, except on device numbers and calls with effects.

    That of a loop would not survive rewrites.
    """
    for op in ops_with(func, _TEXT):
        if not _needs_text(op):
            del op.attributes[_TEXT]
    for entries in ("arg_attrs", "res_attrs"):
        if entries in func.attributes:
            del func.attributes[entries]


def _needs_text(op: ir.Operation) -> bool:
    return op.name == "stablehlo.partition_id" or (op.name == "stablehlo.custom_call" and not is_effect_free(op))


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
