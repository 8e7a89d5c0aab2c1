"""Order of meshes in chains of transfers (spec: mpmd, 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cmp_to_key

from sdy.dialect.mpmd import mpmd_builders
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.greedy import Rewriter
from sdy.mlir.rewriting import before
from sdy.mlir.walk import in_textual_order
from sdy.passes.mpmd.common.fragments import mesh_tensor_of

_NUMBER = re.compile(r"\d+$")


def mesh_number(name: str) -> int | None:
    """Return the number at the end of a mesh's name, None without one."""
    found = _NUMBER.search(name)
    return None if found is None else int(found[0])


def compare_in_chain(left: str, right: str) -> int:
    """Order meshes by the numbers at the end of their names if both have one, else by text.

    Returns:
      A negative number if `left` comes first, 0 if both are equal, else a positive one.
    """
    numbers = mesh_number(left), mesh_number(right)
    if numbers[0] is not None and numbers[1] is not None:
        return numbers[0] - numbers[1]
    return (left > right) - (left < right)


chain_key = cmp_to_key(compare_in_chain)
"""Key by which meshes are sorted into a chain."""


def in_chain_order(names: list[str]) -> list[str]:
    """Return mesh names in the order of a chain; equal ones keep their order.

    A value used on several meshes goes from one to the next in this order.
    """
    return sorted(names, key=chain_key)


def transfer_in_chain(source: ir.Value, assigns: Sequence[ir.Operation], rewriter: Rewriter) -> None:
    """Replace assigns to several meshes by transfers from one mesh to the next.

    Args:
      source: the mesh tensor that all of them come from.
      assigns: in one block; those of one mesh stay in this order.
      rewriter: notified of changes.
    """
    where = before(in_textual_order(assigns, assigns[0].parent.operation)[0])
    head, links = source, list[tuple[ir.Operation, ir.Value]]()
    for assign in sorted(assigns, key=lambda each: chain_key(mesh_name_of_result(each))):
        type_ = assign.results[0].type
        if type_ != head.type:
            head = mpmd_builders.transfer(head, type_, loc=assign.location, ip=where)
            rewriter.created(head.owner.operation)
        links.append((assign, head))
    for assign, value in links:
        rewriter.replace(assign, [value])


def use_transfer(assign: ir.Operation, existing: ir.Operation, rewriter: Rewriter) -> None:
    """Replace an assign by an existing transfer, which moves in front of it if it comes later."""
    if assign.is_before_in_block(existing):
        existing.move_before(assign)
        rewriter.created(existing)
    rewriter.replace(assign, [existing.results[0]])


def mesh_name_of_result(op: ir.Operation) -> str:
    """The mesh of the only result of an op, such as an assign.

    Raises:
      DiagnosticError: the op makes no tensor on a mesh.
    """
    found = mesh_tensor_of(op.results[0]) if len(op.results) else None
    if found is None:
        raise DiagnosticError(op, "uses a value that was not assigned to a mesh before")
    return found.mesh_name
