"""Worklist: ops that are visited when a sharding changes, and their order (spec: propagation, 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.snapshot import Snapshot


class Worklist:
    """The stack of ops of MLIR's greedy driver (spec: propagation, 9).

    A sweep starts with all ops on the stack, the first of the module on top. Later pushes go on top; an op on the stack
    keeps its position. Ops that need no visit are skipped.

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
        """Return the ops in `ops`, except `but`, that are not on the stack."""
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
        """Return whether each operand of `op` that is not a scalar has one use."""
        return self._shared.isdisjoint(self._snapshot.operands[op])

    def has_few_users(self, value: int) -> bool:
        """Return whether at most two ops use `value`."""
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


class ReaderIndex:
    """For each slot the ops to push, in order; the last one will be visited first.

    Only ops with `is_visited` are listed, since others cannot change. The lists are made on demand, which takes long
    where several ops use a value, since their order is that of the use-list in the IR.

    `is_plain[slot]` is 1 where the listed ops are the readers of the slot, in any order.
    """

    def __init__(self, store: ShardingStore, is_visited: list[bool]) -> None:
        self._store, self._snapshot, self._is_visited = store, store.snapshot, is_visited
        self._other_targets: dict[int, Sequence[int]] = {}
        self._flow_op_of_user: dict[int, int] = {}
        for op, info in store.snapshot.data_flow_ops.items():
            self._flow_op_of_user.update(dict.fromkeys((op, *store.snapshot.terminators(op)), op))
            for owner in info.owners:
                if owner in store.edges and info.other_targets[owner]:
                    self._other_targets[store.edges[owner]] = info.other_targets[owner]
        self._indirect = set(self._flow_op_of_user)
        """The users whose operands flow elsewhere, so that not they are notified but others."""
        self._indirect.update(store.snapshot.named("func.return", "func.call"))
        self._lists: dict[int, tuple[int, ...]] = {}
        self.is_plain = self._find_plain()

    def _find_plain(self) -> bytearray:
        """Find the plain slots: no other value shares them, and no user or owner passes notifications on."""
        snapshot, slot_of = self._snapshot, self._store.slot_of
        is_plain = bytearray(b"\1" * len(self._store.current))
        for value, slot in enumerate(slot_of):
            if value != slot:
                is_plain[slot] = is_plain[value] = 0
        for op in self._indirect:
            for value in snapshot.operands[op]:
                is_plain[value] = 0
        for op in self._other_targets:
            is_plain[snapshot.results[op].start] = 0
        return is_plain

    def of(self, slot: int) -> tuple[int, ...]:
        """Return the ops to notify of a change of `slot`, a value's slot."""
        found = self._lists.get(slot)
        if found is None:
            listed: list[int] = []
            seen: set[int] = set()
            definer = self._snapshot.definers[slot]
            for target in self._other_targets.get(definer, ()):
                self._add_users(target, listed, seen)
            if definer >= 0:
                listed.append(definer)
            self._add_users(slot, listed, seen)
            is_visited = self._is_visited
            found = self._lists[slot] = tuple([op for op in dict.fromkeys(listed) if is_visited[op]])
        return found

    def _add_users(self, value: int, listed: list[int], seen: set[int]) -> None:
        """List the readers of `value`, also across calls. Recursion ends at functions in `seen`."""
        if value in seen:
            return
        seen.add(value)
        uses = self._snapshot.uses_in_order[value]
        if len(uses) > 1 and self._order_matters({user for user, _ in uses}):
            uses = self._snapshot.uses(value)
        for user, position in uses:
            if user in self._indirect:
                self._add_readers(user, position, listed, seen)
            else:
                listed.append(user)

    def _order_matters(self, users: set[int]) -> bool:
        """Return whether several ops may be listed for these; finding their order takes long."""
        return not users.isdisjoint(self._indirect) or sum(self._is_visited[user] for user in users) > 1

    def _add_readers(self, user: int, position: int, listed: list[int], seen: set[int]) -> None:
        """List the readers of the value that an operand of an indirect user becomes."""
        snapshot = self._snapshot
        edge = self._edge_of_use(user, position)
        if edge is not None:
            listed.append(edge)
        elif snapshot.names[user] == "func.return":
            for call in snapshot.callers.get(snapshot.parents[user], ()):
                self._add_users(snapshot.results[call][position], listed, seen)
        elif snapshot.names[user] == "func.call":
            callee = snapshot.callee(user)
            arguments = [] if callee is None else snapshot.entry_arguments(callee)
            if arguments:
                self._add_users(arguments[position], listed, seen)

    def _edge_of_use(self, user: int, position: int) -> int | None:
        op = self._flow_op_of_user.get(user)
        owner = None if op is None else self._snapshot.owner_of_use(op, user, position)
        return None if owner is None else self._store.edges.get(owner)
