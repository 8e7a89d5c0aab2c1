"""Which ops are visited again when a sharding changes, and in which order (spec: propagation, 8)."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.passes.propagation.sharding_store import ShardingStore


class Notifications:
    """For each slot the ops to put on the stack, in order; the last one will be visited first.

    Only ops that `is_visited` says something can happen at are listed. The lists are made when first asked for.
    """

    def __init__(self, store: ShardingStore, is_visited: list[bool]) -> None:
        self._store, self._snapshot, self._is_visited = store, store.snapshot, is_visited
        self._other_targets = {
            store.edges[owner]: info.other_targets[owner]
            for info in store.snapshot.data_flow_ops.values()
            for owner in info.owners
            if owner in store.edges
        }
        self._lists: dict[int, tuple[int, ...]] = {}

    def of(self, slot: int) -> tuple[int, ...]:
        """The ops to notify of a change of `slot`, which is that of a value."""
        found = self._lists.get(slot)
        if found is None:
            listed = dict.fromkeys(self._of_value(slot))
            found = self._lists[slot] = tuple(op for op in listed if self._is_visited[op])
        return found

    def _of_value(self, value: int) -> Iterator[int]:
        seen: set[int] = set()
        definer = self._snapshot.definers[value]
        for target in self._other_targets.get(definer, ()):
            yield from self._of_users(target, seen)
        if definer >= 0:
            yield definer
        yield from self._of_users(value, seen)

    def _of_users(self, value: int, seen: set[int]) -> Iterator[int]:
        """The ops that read `value`, or what it becomes across calls. Functions that call each other end in `seen`."""
        if value in seen:
            return
        seen.add(value)
        snapshot = self._snapshot
        for user, position in snapshot.uses(value):
            edge = self._edge_of_use(user, position)
            if edge is not None:
                yield edge
            elif snapshot.names[user] == "func.return":
                for call in snapshot.callers.get(snapshot.parents[user], ()):
                    yield from self._of_users(snapshot.results[call][position], seen)
            elif snapshot.names[user] == "func.call":
                callee = snapshot.callee(user)
                arguments = [] if callee is None else snapshot.entry_arguments(callee)
                if arguments:
                    yield from self._of_users(arguments[position], seen)
            else:
                yield user

    def _edge_of_use(self, user: int, position: int) -> int | None:
        snapshot = self._snapshot
        parent = snapshot.parents[user]
        flow_op = user
        if parent in snapshot.data_flow_ops and user in snapshot.terminators(parent):
            flow_op = parent
        info = snapshot.data_flow_ops.get(flow_op)
        owner = None if info is None else info.owner_of_use(user, position)
        return None if owner is None else self._store.edges.get(owner)
