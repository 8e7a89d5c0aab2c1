"""The named computations of a module that has been propagated through, read from propagation's lists of integers."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import text_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.computations import COMPUTATION, Computation, Shardings
from sdy.passes.propagation.engine.sharding_slots import EDGE
from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.sharding_table import NO_SHARDING


def propagated_computations(store: ShardingStore) -> list[Computation] | None:
    """See `PropagatedComputations`. The store must have been written back, and no op erased since it was made."""
    snapshot = store.snapshot
    if snapshot.named("func.call", "builtin.module"):
        return None
    ops = snapshot.named(COMPUTATION)
    return _PropagatedReader(store).all(ops) if all(snapshot.results[op] for op in ops) else None


class _PropagatedReader:
    """Reads them one by one, with shardings as numbers as long as possible."""

    def __init__(self, store: ShardingStore) -> None:
        self._store, self._snapshot = store, store.snapshot
        current, results = store.current, store.snapshot.results
        self._owners = {owner: current[results[edge].start] for owner, edge in store.edges.items()}
        """The shardings on the edges of owners; then also those of all arguments and results of computations."""
        self._lists: dict[tuple[int, ...], tuple[TensorSharding | None, ...]] = {}
        self._complete: dict[tuple[int, ...], Sequence[TensorSharding]] = {}

    def all(self, ops: list[int]) -> list[Computation]:
        snapshot, names = self._snapshot, self._names(ops)
        arguments, results, operands, ends = snapshot.arguments, snapshot.results, snapshot.operands, snapshot.ends
        ops = sorted(ops, key=snapshot.post_order_key)
        position_of = {op: position for position, op in enumerate(ops)}
        found = []
        for op in ops:
            inside, outside = self._shardings(arguments[op]), self._shardings(results[op])
            holder = position_of.get(self._around(op), -1)
            found.append(Computation(snapshot.ops[op], names[op], holder, inside, outside))
        owners = self._owners
        for op, each in zip(ops, found, strict=True):
            # The last op in a computation ends its body.
            returned = operands[ends[op] - 1]
            each.returned = self._list(
                tuple([owners[value] if value in owners else self._returned(value) for value in returned])
            )
        return found

    def _around(self, op: int) -> int:
        """The computation that `op` is in, -1 where there is none."""
        names, parents = self._snapshot.names, self._snapshot.parents
        op = parents[op]
        while op >= 0 and names[op] != COMPUTATION:
            op = parents[op]
        return op

    def _names(self, ops: list[int]) -> dict[int, str]:
        """What the computations are called; clones have the name of what they are clones of."""
        snapshot = self._snapshot
        read = {op: text_of((snapshot.attributes[op] or {})["name"]) for op in ops if snapshot.attributes[op]}
        for copy in snapshot.copies:
            for op in copy.ops:
                if snapshot.names[op] == COMPUTATION:
                    read[op] = read[op - copy.op_shift]
        return read

    def _list(self, numbers: tuple[int, ...]) -> tuple[TensorSharding | None, ...]:
        found = self._lists.get(numbers)
        if found is None:
            found = self._lists[numbers] = tuple([self._store.table.shardings[number] for number in numbers])
        return found

    def _shardings(self, owners: Sequence[int]) -> Shardings:
        """Those of the owners' edges; those of the owners where no edge has one."""
        known = self._owners
        numbers = tuple([known.get(owner, NO_SHARDING) for owner in owners])
        if not all(numbers):
            numbers = self._fill(numbers, owners)
            known.update(zip(owners, numbers, strict=True))
            if not any(numbers):
                return None
        found = self._complete.get(numbers)
        if found is None:
            found = self._complete[numbers] = [each for each in self._list(numbers) if each is not None]
        return found

    def _fill(self, numbers: tuple[int, ...], owners: Sequence[int]) -> tuple[int, ...]:
        """Where some edge has a sharding, the others count as fully open on its mesh."""
        table, types = self._store.table, self._snapshot.types
        given = table.shardings[next(filter(None, numbers), NO_SHARDING)]
        if given is None:
            return tuple([self._store.current[owner] for owner in owners])
        mesh, pairs = given.mesh_or_ref, zip(numbers, owners, strict=True)
        return tuple([number or table.open(mesh, types[owner].rank) for number, owner in pairs])

    def _returned(self, value: int) -> int:
        """The sharding of a value that a computation returns, and that is no owner."""
        store, snapshot = self._store, self._snapshot
        definer = snapshot.definers[value]
        if definer >= 0 and snapshot.names[definer] == EDGE:
            source = snapshot.operands[definer][0]
            if source in self._owners:
                return self._owners[source]
        if definer >= 0 and snapshot.names[definer] not in snapshot.data_flow_names:
            return store.current[value]
        return store.table.number(get_sharding(snapshot.value(value)))
