"""Order of meshes in chains of transfers, and of the ops of a function's block (spec: mpmd, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cmp_to_key

from sdy.dialect.mpmd import mpmd_builders
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body
from sdy.mlir.greedy import Rewriter
from sdy.mlir.rewriting import before, terminator
from sdy.mlir.walk import in_textual_order, pre_order
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


class Dependencies:
    """Order constraints among the ops of a function's block, by data flow and by added edges."""

    def __init__(self, func: ir.Operation) -> None:
        """Read the block; it may not change until it is sorted."""
        self._end = terminator(body(func))
        self.ops = [view.operation for view in body(func).operations][:-1]
        self._makers: dict[ir.Value, int] = {
            result: number for number, op in enumerate(self.ops) for result in op.results
        }
        self._needs: list[set[int]] = [set(self._used(op)) for op in self.ops]
        self._before = [0] * len(self.ops)
        """For each op those that it depends on, directly or not, as bits."""
        for number, needs in enumerate(self._needs):
            self._before[number] = self._closure(needs)

    def _used(self, op: ir.Operation) -> Iterator[int]:
        """Return the numbers of the ops that make values used by an op or in its regions."""
        for each in pre_order(op) if len(op.regions) else [op]:
            for operand in each.operands:
                if operand in self._makers:
                    yield self._makers[operand]

    def _closure(self, needs: set[int]) -> int:
        bits = 0
        for number in needs:
            bits |= self._before[number] | (1 << number)
        return bits

    def is_before(self, first: int, second: int) -> bool:
        """Return whether the op of the second number depends on that of the first, directly or not."""
        return bool(self._before[second] >> first & 1)

    def path(self, first: int, second: int) -> list[int]:
        """Return a path of ops from the first to the second, each of which needs the previous one."""
        found = [second]
        while found[-1] != first:
            found.append(next(each for each in self._needs[found[-1]] if each == first or self.is_before(first, each)))
        return found[::-1]

    def add(self, first: int, second: int) -> None:
        """Let the second op depend on the first; the first may not depend on the second."""
        self._needs[second].add(first)
        new = self._before[first] | (1 << first)
        for number, bits in enumerate(self._before):
            if number == second or bits >> second & 1:
                self._before[number] = bits | new

    def sort(self) -> bool:
        """Move the ops so that each follows its dependencies.

        In rounds over the unplaced ops, each op whose dependencies are placed comes next. If there is none, the first
        op comes next.

        Returns:
          Whether all dependencies hold.
        """
        left, placed, is_sorted = list(range(len(self.ops))), set[int](), True
        order: list[int] = []
        while left:
            waiting = []
            for number in left:
                if self._needs[number] <= placed:
                    placed.add(number)
                    order.append(number)
                else:
                    waiting.append(number)
            if len(waiting) == len(left):
                is_sorted = False
                placed.add(waiting[0])
                order.append(waiting.pop(0))
            left = waiting
        if order != sorted(order):
            for number in order:
                self.ops[number].move_before(self._end)
        return is_sorted
