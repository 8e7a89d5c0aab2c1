"""Sweeps over a snapshot: visits ops and function results until nothing changes (spec: propagation, 7 to 9)."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.op_properties import is_terminator
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir.effects import is_effect_free
from sdy.passes.propagation.engine.groups import ShardingGroups
from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.visit import Updates, Visit, VisitCache
from sdy.passes.propagation.engine.visits import Boundary, OpProfile, Visits
from sdy.passes.propagation.engine.worklist import ReaderIndex, UseCounts, Worklist
from sdy.passes.propagation.strategies.strategy import FactorStrategy

Observer = Callable[[int, tuple[int, ...], Visit, tuple[int, ...]], None]
"""Is told of each visit that changes something: the op, its slots, the visit, and the shardings it saw there."""


class Driver:
    """Visits the ops of a snapshot, sweep by sweep."""

    def __init__(
        self,
        store: ShardingStore,
        visits: Visits,
        cache: VisitCache,
        groups: ShardingGroups,
        observer: Observer | None = None,
    ) -> None:
        self._store, self._snapshot, self._visits, self._groups = store, store.snapshot, visits, groups
        self._has_groups, self._observer = bool(groups), observer
        self._choices = [cache.of(profile) for profile in visits.profiles]
        """By profile."""
        self._reader_index = ReaderIndex(store, [position >= 0 for position in visits.profile_of])
        self._readers = _readers(store, visits)
        self._uses = UseCounts(store.snapshot)
        depends_on_uses = [*(profile.depends_on_uses for profile in visits.profiles), False]
        self._depends_on_uses = [op for op, position in enumerate(visits.profile_of) if depends_on_uses[position]]
        count = len(store.snapshot.ops)
        self._visit_of: list[Visit | None] = [None] * count
        """Visit of each op in this sweep; None if nothing can change."""
        self._last_visit_of: list[Visit | None] = [None] * count
        """Last visit of each op."""
        self._worklist = Worklist(count)
        self._needs_visit = self._worklist.needs_visit
        """1 where it may change something to visit the op once more in the way of last time."""
        self._level: int | None = None
        self._only_user_visit_of: list[Visit | None] = []
        self._is_dead = bytearray(count)
        self._terminators: dict[str, bool] = {}
        """By name, whether ops are terminators."""
        self.erased: list[int] = []
        """The ops that died, users first; what is nested in them is not listed."""
        for op, uses in enumerate(self._uses.of_op):
            if not uses:
                self._test_dead(op)

    def is_alive(self, op: int) -> bool:
        return self._uses.is_alive(op)

    def set(self, slot: int, number: int) -> None:
        """Puts a sharding into a slot without notifying anyone."""
        needs_visit = self._needs_visit
        for changed in self._store.write(slot, number):
            for reader in self._readers[changed]:
                needs_visit[reader] = 1

    # Sweeps --------------------------------------------------------------------------------------

    def sweep(self, strategy: FactorStrategy, level: int | None) -> None:
        """Visits all ops at an op-priority level, or with everything allowed."""
        self._start(strategy, level)
        visit_of, is_dead, needs_visit = self._visit_of, self._is_dead, self._needs_visit
        slots, boundaries, current = self._visits.slots, self._visits.boundaries, self._store.current
        worklist = self._worklist
        while (op := worklist.pop()) >= 0:
            if is_dead[op]:
                self._erase(op)
                needs_visit[op] = 0
                continue
            visit = visit_of[op]
            if visit is None:
                continue
            numbers = tuple([current[slot] for slot in slots[op]])
            if op in boundaries:
                numbers = (*numbers[:-1], boundaries[op].at_sources(numbers[-1]))
            updates = visit.memo.get(numbers)
            if updates is None:
                updates = visit.updates(numbers)
            if updates:
                self._apply(op, visit, numbers, updates)
            else:
                needs_visit[op] = 0

    def _start(self, strategy: FactorStrategy, level: int | None) -> None:
        """Put all ops on the stack if they need a visit of another kind than before."""
        self._level = level
        self._worklist.start()
        profile_of = self._visits.profile_of
        # Position -1, where nothing is propagated, is the last one.
        by_profile = [*[choice.at(strategy, level) for choice in self._choices], None]
        self._visit_of = visit_of = [by_profile[position] for position in profile_of]
        if level == 0:
            self._only_user_visit_of = by_profile
            shared = [choice.at(strategy, level, is_only_user=False) for choice in self._choices]
            for op in self._depends_on_uses:
                if not self._uses.is_only_user(op):
                    visit_of[op] = shared[profile_of[op]]
        last_visit_of, needs_visit = self._last_visit_of, self._needs_visit
        for op, visit in enumerate(visit_of):
            if visit is not None and visit is not last_visit_of[op]:
                last_visit_of[op] = visit
                needs_visit[op] = 1

    def _apply(self, op: int, visit: Visit, numbers: tuple[int, ...], updates: Updates) -> None:
        """Writes the outcome of a visit and notifies the ops that see it."""
        slots, boundary = self._visits.slots[op], self._visits.boundaries.get(op)
        if boundary is None and not self._has_groups:
            self._apply_here(op, slots, updates)
        else:
            self._apply_there(op, slots, updates, boundary)
        if self._observer is not None:
            self._observer(op, slots, visit, numbers)

    def _apply_here(self, op: int, slots: tuple[int, ...], updates: Updates) -> None:
        """Write a change that an op and its neighbours see in the same way, with no other readers."""
        store, readers, needs_visit = self._store, self._readers, self._needs_visit
        lists, nowhere, current, changed = store.lists, store.nowhere, store.current, store.changed
        for index, number in updates:
            slot = slots[index]
            if slot in lists:
                self.set(slot, number)
            elif slot != nowhere:
                # As `set` does, which takes longer.
                current[slot] = number
                changed[slot] = None
                for reader in readers[slot]:
                    needs_visit[reader] = 1
            else:
                continue
            self._notify(slot, op)

    def _apply_there(self, op: int, slots: tuple[int, ...], updates: Updates, boundary: Boundary | None) -> None:
        """Write a change that differs across a boundary, or that other members of groups see."""
        for index, number in updates:
            slot = slots[index]
            if boundary is not None and index == len(slots) - 1:
                self.set(slot, boundary.at_edge(number))
            else:
                self.set(slot, number)
            if slot != self._store.nowhere:
                self._notify(slot, op)
            for member in self._groups.others(slot):  # they get what the sources of an edge see
                self.set(self._store.slot_of[member], number)
                self._notify(member, op)

    def _notify(self, value: int, by: int) -> None:
        """Puts the ops that see a change of `value`, except the one that makes it, on top of the stack.

        Ops on the stack keep their positions.
        """
        index, worklist = self._reader_index, self._worklist
        is_plain = index.is_plain[value]
        listed = self._readers[value] if is_plain else index.of(value)
        added = worklist.without_stacked(listed, but=by)
        if is_plain and len(added) > 1:
            added = [op for op in index.of(value) if op in added]
        if added:
            worklist.push(added)

    # Dead ops ------------------------------------------------------------------------------------

    def _test_dead(self, op: int) -> None:
        """Mark `op`, whose results are all unused, as dead, unless it has effects."""
        name, operation = self._snapshot.names[op], self._snapshot.ops[op]
        ends_block = self._terminators.get(name)
        if ends_block is None:
            ends_block = self._terminators[name] = is_terminator(operation)
        if not ends_block and is_effect_free(operation):
            self._is_dead[op] = self._needs_visit[op] = 1

    def _erase(self, root: int) -> None:
        """Erase an op, unless it is gone already, and its nested ops, innermost and last first."""
        if not self._uses.is_alive(root):
            return
        operands, definers = self._snapshot.operands, self._snapshot.definers
        self.erased.append(root)
        for op in reversed(range(root, self._snapshot.ends[root])):
            if not self._uses.is_alive(op):
                continue
            for value in operands[op]:
                if definers[value] >= 0 and self._uses.has_few_users(value):
                    self._worklist.push(self._worklist.without_stacked([definers[value]]))
            self._uses.erase(op)
            self._is_dead[op] = 1
            for value in operands[op]:
                if definers[value] >= 0 and not self._uses.of_op[definers[value]]:
                    self._test_dead(definers[value])
                for user in self._uses.users(value):
                    self._update_visit(user)

    def _update_visit(self, op: int) -> None:
        """Choose the kind of visit again for an op whose operands have fewer uses than before."""
        position = self._visits.profile_of[op]
        if self._level != 0 or position < 0 or not self._visits.profiles[position].depends_on_uses:
            return
        visit = self._only_user_visit_of[position]
        if visit is not self._visit_of[op] and self._uses.is_only_user(op):
            self._visit_of[op] = self._last_visit_of[op] = visit
            self._needs_visit[op] = 1


def _readers(store: ShardingStore, visits: Visits) -> list[list[int]]:
    """The ops that read each slot, each once."""
    readers: list[list[int]] = [[] for _ in store.current]
    for op, slots in enumerate(visits.slots):
        for slot in slots:
            listed = readers[slot]
            if not listed or listed[-1] != op:
                listed.append(op)
    return readers


class FunctionResults:
    """The main function's results of static shape, each tied to the value that is returned for it.

    Raises `DiagnosticError` if the module has no main function.
    """

    def __init__(
        self,
        store: ShardingStore,
        driver: Driver,
        cache: VisitCache,
        groups: ShardingGroups,
        observer: Observer | None = None,
    ) -> None:
        self._store, self._driver, self._groups, self._observer = store, driver, groups, observer
        snapshot = store.snapshot
        self._main = snapshot.main_function
        self._pairs: list[tuple[int, int]] = []
        self._visits: dict[FactorStrategy, list[Visit | None]] = {strategy: [] for strategy in FactorStrategy}
        for value, result in zip(snapshot.returned(self._main), store.function_results[self._main], strict=False):
            shape = snapshot.types[value].shape
            if shape is not None:
                self._pairs.append((store.slot_of[value], result))
                choice = cache.of(OpProfile(ShardingRule.identity(shape), has_rule=False))
                for strategy, chosen in self._visits.items():
                    chosen.append(choice.at(strategy))

    def synchronise(self, strategy: FactorStrategy) -> None:
        """Propagate between returned values and results, both ways, without notifications."""
        current, driver = self._store.current, self._driver
        for slots, visit in zip(self._pairs, self._visits[strategy], strict=True):
            if visit is None:
                continue
            numbers = (current[slots[0]], current[slots[1]])
            updates = visit.updates(numbers)
            for index, number in updates:
                driver.set(slots[index], number)
                if index == 0:
                    for member in self._groups.others(slots[0]):
                        driver.set(self._store.slot_of[member], number)
            if updates and self._observer is not None:
                self._observer(self._main, slots, visit, numbers)
