"""Copies of a program with a plan in them, and the mesh that plans are for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import shardings_in
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import holds_its_regions_only, is_effect_free
from sdy.mlir.functions import body, funcs, has_body, main_function, module_body, symbol_name, top_level
from sdy.mlir.rewriting import terminator
from sdy.mlir.walk import pre_order
from sdy.passes.auto.annotating import Annotations, write
from sdy.passes.auto.search.reshard_prices import forget_numbers
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
    """Return a copy of a module with all possible calls inlined; the shardings of function boundaries stay.

    Ops that contribute to no result are erased.
    """
    copy = module.clone().operation
    constrain_callees(copy)
    run_nested(copy, [step("inline")])
    erase_unused(copy)
    return copy


def written(module: ir.Operation, program: ir.Operation, said: Annotations, amount: str, mesh: Mesh) -> ir.Operation:
    """Return a copy of `program` with a plan for `mesh`; `program` is `module`, or its copy without calls."""
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


def constrain_callees(module: ir.Operation) -> None:
    """Turns the shardings of all functions but the main one into constraints, which survive inlining."""
    main = main_function(module)
    for function in funcs(module):
        if function == main or not has_body(function):
            continue
        block = body(function)
        for argument, sharding in zip(list(block.arguments), arg_shardings(function), strict=True):
            if sharding is not None:
                _constrain_argument(argument, sharding, block)
        end = terminator(block)
        for place, sharding in enumerate(result_shardings(function)):
            if sharding is not None:
                at = ir.InsertionPoint(end)
                value = end.operands[place]
                end.operands[place] = builders.sharding_constraint(value, sharding, loc=end.location, ip=at)


def _constrain_argument(argument: ir.Value, sharding: TensorSharding, block: ir.Block) -> None:
    users = [(use.owner.operation, use.operand_number) for use in argument.uses]
    start = ir.InsertionPoint.at_block_begin(block)
    constrained = builders.sharding_constraint(argument, sharding, loc=argument.location, ip=start)
    for user, place in users:
        user.operands[place] = constrained


_SAY_ONLY = frozenset({"sdy.sharding_constraint", "sdy.sharding_group"})
"""Ops that compute nothing, and yet are kept where nobody uses them, for what they say of their operand."""


def erase_unused(module: ir.Operation) -> None:
    """Erase dead ops together with their annotations; annotations of other values stay."""
    for op in reversed(pre_order(module)):  # users come first, and what is nested in an op before it
        if not len(op.results) or op.name in _SAY_ONLY or not all(map(_only_says, _users(op))) or _has_effects(op):
            continue
        for user in list(_users(op)):
            _erase_with_users(user)
        op.erase()


def _only_says(op: ir.Operation) -> bool:
    return op.name in _SAY_ONLY and all(map(_only_says, _users(op)))


def _users(op: ir.Operation) -> Iterator[ir.Operation]:
    return (use.owner.operation for result in op.results for use in result.uses)


def _erase_with_users(op: ir.Operation) -> None:
    for user in list(_users(op)):
        _erase_with_users(user)
    op.erase()


def _has_effects(op: ir.Operation) -> bool:
    if not holds_its_regions_only(op.name):
        return not is_effect_free(op)
    nested = (one.operation for region in op.regions for block in region.blocks for one in block.operations)
    return any(one.name not in _SAY_ONLY and _has_effects(one) for one in nested)
