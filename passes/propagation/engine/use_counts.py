"""How often values are used while dead ops disappear."""

from __future__ import annotations

from itertools import accumulate

from sdy.passes.propagation.engine.snapshot import Snapshot


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
