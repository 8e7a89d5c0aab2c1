"""Order of the ops of a function's block: dependencies, added dependencies, and sorting."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.rewriting import terminator
from sdy.mlir.walk import pre_order


class Dependencies:
    """Order constraints among the ops of a function's block, by data flow and by added edges."""

    def __init__(self, func: ir.Operation) -> None:
        """Read the block; it may not change until it is sorted."""
        self._end = terminator(body(func))
        self.ops = [view.operation for view in body(func).operations][:-1]
        self._makers: dict[ir.Value, int] = {
            result: number for number, op in enumerate(self.ops) for result in op.results
        }
        self._numbers = {id(op): number for number, op in enumerate(self.ops)}
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

    def number(self, op: ir.Operation) -> int:
        """The number of an op in the block; it has to be one of `ops`."""
        return self._numbers[id(op)]

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
