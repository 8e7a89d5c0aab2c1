"""Copies of a program with a plan in them, and the mesh that plans are for."""

from __future__ import annotations

import itertools

from sdy.dialect import builders
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_survey import shardings_in
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import module_body, symbol_name, top_level
from sdy.mlir.walk import pre_order
from sdy.passes.auto.annotating import Annotations, write
from sdy.passes.auto.callees import constrain_callees
from sdy.passes.auto.dead_code import erase_unused
from sdy.passes.auto.op_numbers import forget_numbers
from sdy.passes.manager import run_nested
from sdy.passes.registry import step

MESH = "mesh"
"""The name of a mesh that the program has not declared."""


def mesh_of_program(module: ir.Operation) -> tuple[str, Mesh] | None:
    """The mesh that a program is written for.

    Raises `DiagnosticError` where there are several that are used, or inlined ones.
    """
    meshes = MeshTable(module)
    used = {sharding.mesh_or_ref for sharding in shardings_in(module)}
    if any(isinstance(mesh, Mesh) for mesh in used):
        raise DiagnosticError(module, "has shardings with inlined meshes; run 'sdy-lift-inlined-meshes' first")
    found = {mesh: ref for ref in sorted(map(str, used)) if (mesh := meshes.resolve(ref)) is not None and mesh.axes}
    if len(found) > 1:
        raise DiagnosticError(
            module, f"uses the meshes {', '.join(sorted(found.values()))}, and is planned for one only"
        )
    if found:
        mesh, name = next(iter(found.items()))
        return name, mesh
    return meshes.global_mesh()


def without_calls(module: ir.Operation) -> ir.Operation:
    """A copy of a module in which all calls are inlined that can be; what functions say of their values stays.

    What no result is made of is gone.
    """
    copy = module.clone().operation
    constrain_callees(copy)
    run_nested(copy, [step("inline")])
    erase_unused(copy)
    return copy


def written(module: ir.Operation, program: ir.Operation, said: Annotations, amount: str, mesh: Mesh) -> ir.Operation:
    """A copy of `program` with a plan for `mesh` in it; it is `module`, or that without calls."""
    known = mesh_of_program(module)
    copy = program.clone().operation
    name = _new_name(copy) if known is None else known[0]
    write(copy, name, said, amount)
    forget_numbers(pre_order(copy))
    if known is None:
        with ir.Location.unknown(copy.context):
            builders.mesh(name, mesh, ip=ir.InsertionPoint.at_block_begin(module_body(copy)))
    return copy


def _new_name(module: ir.Operation) -> str:
    """A name for a mesh that no symbol of the module has."""
    taken = {symbol_name(op) for op in top_level(module) if "sym_name" in op.attributes}
    return next(name for number in itertools.count() if (name := f"{MESH}_{number}" if number else MESH) not in taken)
