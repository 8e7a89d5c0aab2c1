"""Which ops are visited again when a sharding changes, and in which order (spec: propagation, 8)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.passes.computations import COMPUTATION
from sdy.passes.propagation.engine.sharding_store import ShardingStore


class ReaderIndex:
    """For each slot the ops to put on the stack, in order; the last one will be visited first.

    Only ops that `is_visited` says something can happen at are listed. The lists are made when first asked for, which
    takes long where several ops use a value, since their order is that of the use-list in the IR.

    `is_plain[slot]` is 1 where the listed ops are, in some order, those that read the slot.
    """

    def __init__(self, store: ShardingStore, is_visited: list[bool]) -> None:
        self._store, self._snapshot, self._is_visited = store, store.snapshot, is_visited
        self._other_targets: dict[int, Sequence[int]] = {}
        self._flow_op_of_user: dict[int, int] = {}
        for info in store.snapshot.own_data_flow_ops.values():
            for owner in info.owners:
                if owner in store.edges and info.other_targets[owner]:
                    self._other_targets[store.edges[owner]] = info.other_targets[owner]
        snapshot, flow_op_of_user = store.snapshot, self._flow_op_of_user
        for op in snapshot.named(*snapshot.data_flow_names):
            if snapshot.names[op] == COMPUTATION:
                flow_op_of_user[op] = flow_op_of_user[snapshot.ends[op] - 1] = op
            else:
                for user in (op, *snapshot.terminators(op)):
                    flow_op_of_user[user] = op
        self._indirect = set(self._flow_op_of_user)
        """The users whose operands flow elsewhere, so that not they are notified but others."""
        self._indirect.update(snapshot.named("func.return", "func.call"))
        self._lists: dict[int, tuple[int, ...]] = {}
        self.is_plain = self._find_plain()

    def _find_plain(self) -> bytearray:
        """What makes the difference are slots that several values share, and users whose operands flow elsewhere."""
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
        """Return the ops to notify of a change of `slot`, which is that of a value."""
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
        """List what reads `value`, or what it becomes across calls. Functions that call each other end in `seen`."""
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
        """Whether several ops may be listed for these; their order takes long to find out."""
        return not users.isdisjoint(self._indirect) or sum(self._is_visited[user] for user in users) > 1

    def _add_readers(self, user: int, position: int, listed: list[int], seen: set[int]) -> None:
        """List what reads the value that an operand of an indirect user becomes."""
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
