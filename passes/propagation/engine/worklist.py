"""What a sweep still has to visit, and how often values are used while dead ops disappear."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from sdy.passes.propagation.engine.snapshot import Snapshot


class Worklist:
    """The stack of ops of MLIR's greedy driver (spec: propagation, 9).

    A sweep starts with all ops on the stack, the first of the module on top. Ops that are put on top later come before
    these; one that is on the stack already keeps its place. Ops that need no visit are passed over.

    Attributes:
      needs_visit: 1 for ops where a visit may change something.
    """

    def __init__(self, count: int) -> None:
        self.needs_visit = bytearray(count)
        self._first = count
        """All ops from this one on are on the stack since the start of the sweep."""
        self._stack: list[int] = []
        """The ops that were put on top since then."""
        self._is_stacked = bytearray(count)

    def start(self) -> None:
        """Put all ops on the stack."""
        self._first = 0

    def pop(self) -> int:
        """Take the next op that needs a visit off the stack; -1 if none is left."""
        while self._stack:
            op = self._stack.pop()
            self._is_stacked[op] = 0
            if self.needs_visit[op]:
                return op
        op = self.needs_visit.find(1, self._first)
        self._first = len(self.needs_visit) if op < 0 else op + 1
        return op

    def without_stacked(self, ops: Iterable[int], but: int = -1) -> list[int]:
        """Return those of `ops`, `but` one, that are not on the stack."""
        first, is_stacked = self._first, self._is_stacked
        return [op for op in ops if op < first and op != but and not is_stacked[op]]

    def push(self, ops: list[int]) -> None:
        """Put ops that are not on the stack on top, the last one uppermost."""
        for op in ops:
            self._is_stacked[op] = 1
        self._stack += ops


class UseCounts:
    """Numbers of uses by ops that are alive: per value, and summed over the results of each op."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.of_value = list(snapshot.num_uses)
        before = [0, *accumulate(self.of_value)]
        self.of_op = [before[results.stop] - before[results.start] for results in snapshot.results]
        self._is_alive = bytearray(b"\1" * len(snapshot.ops))
        self._shared = {
            value
            for value, (count, info) in enumerate(zip(self.of_value, snapshot.types, strict=True))
            if count != 1 and not info.is_scalar
        }

    def is_alive(self, op: int) -> bool:
        return self._is_alive[op] == 1

    def is_only_user(self, op: int) -> bool:
        """Whether each operand of `op` that is not a scalar has one use."""
        return self._shared.isdisjoint(self._snapshot.operands[op])

    def has_few_users(self, value: int) -> bool:
        """Whether at most two ops use `value`."""
        return len(self.users(value)) <= 2

    def users(self, value: int) -> list[int]:
        """The ops that use `value`, each once, in order."""
        users = dict.fromkeys(user for user, _ in self._snapshot.uses_in_order[value])
        return [user for user in users if self._is_alive[user]]

    def erase(self, op: int) -> None:
        """Drops `op` and its uses."""
        self._is_alive[op] = 0
        for value in self._snapshot.operands[op]:
            self.of_value[value] -= 1
            if self.of_value[value] == 1:
                self._shared.discard(value)
            definer = self._snapshot.definers[value]
            if definer >= 0:
                self.of_op[definer] -= 1
