"""Fragments made by passes for ops without a mesh."""

from __future__ import annotations

from collections.abc import Collection

from sdy.dialect.mpmd import mpmd_builders
from sdy.mlir import ir
from sdy.mlir.rewriting import before
from sdy.mlir.walk import pre_order
from sdy.passes.mpmd.common.calls import clone_with
from sdy.passes.mpmd.common.fragments import INFERRED_BY, block_of


def values_from_above(op: ir.Operation) -> list[ir.Value]:
    """Return the outer values used in the regions of `op`, each once."""
    inside: set[ir.Value] = set()
    found: dict[ir.Value, None] = {}
    for each in pre_order(op):
        inside.update(each.results)
        inside.update(argument for region in each.regions for block in region.blocks for argument in block.arguments)
    for each in pre_order(op)[1:]:
        found.update(dict.fromkeys(operand for operand in each.operands if operand not in inside))
    return list(found)


def operands_and_captured(op: ir.Operation) -> list[ir.Value]:
    """Return the values that an op needs, each once: its operands, then outer values of its regions."""
    return list(dict.fromkeys([*op.operands, *values_from_above(op)]))


def wrap_in_fragment(
    op: ir.Operation, mesh_name: str, inferred_by: str, types: Collection[ir.Type] | None = None
) -> ir.Operation:
    """Build an inferred fragment in front of an op that computes the op on a mesh; return it.

    The values that the op needs are assigned to the mesh in front of the fragment.

    Args:
      op: stays as it is.
      mesh_name: the mesh.
      inferred_by: name of who makes the fragment.
      types: those of the fragment's results, if they are not just the op's on the mesh.
    """
    where = {"loc": op.location, "ip": before(op)}
    needed = operands_and_captured(op)

    def on_mesh(value: ir.Value) -> ir.Type:
        return mpmd_builders.mesh_tensor(mesh_name, value.type)

    assigned = [mpmd_builders.assign(value, on_mesh(value), **where) for value in needed]
    results = list(map(on_mesh, op.results)) if types is None else list(types)
    fragment = mpmd_builders.fragment(mesh_name, [], assigned, results, **where)
    fragment.attributes[INFERRED_BY] = ir.ArrayAttr.get([ir.StringAttr.get(inferred_by)])
    block = block_of(fragment)
    end = block.operations[0].operation
    clone = clone_with(op, dict(zip(needed, block.arguments, strict=True)), before(end))
    mpmd_builders.return_(list(clone.results), loc=op.location, ip=before(end))
    end.erase()
    return fragment
