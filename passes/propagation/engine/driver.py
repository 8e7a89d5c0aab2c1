"""Sweeps over a snapshot: visits ops and function results until nothing changes (spec: propagation, 7 to 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain

from sdy.dialect.builders import sharding_constraint
from sdy.dialect.data_flow import owning_op
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.mlir.effects import is_effect_free
from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.propagation.engine.strategy import FactorStrategy
from sdy.passes.propagation.engine.visit import Updates, Visit, VisitCache
from sdy.passes.propagation.engine.visits import Boundary, OpProfile, Visits


class Worklist:
    """The stack of ops of MLIR's greedy driver (spec: propagation, 9).

    A sweep starts with all ops on the stack, the first of the module on top. Later pushes go on top; an op on the stack
    keeps its position. Ops that need no visit are skipped.

    Attributes:
      needs_visit: 1 for ops where a visit may change something; 0 for those that have had no sharded tensor, which need
        none whatever the kind of visit, and 2 for all others.
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

    def __iter__(self) -> Iterator[int]:
        """Take the ops that need a visit off the stack until none is left."""
        stack, is_stacked, needs_visit = self._stack, self._is_stacked, self.needs_visit
        find, count = needs_visit.find, len(needs_visit)
        while True:
            while stack:
                op = stack.pop()
                is_stacked[op] = 0
                if needs_visit[op] == 1:
                    yield op
            op = find(1, self._first)
            if op < 0:
                self._first = count
                return
            self._first = op + 1
            yield op

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
        self.of_value = [*map(len, snapshot.users)]
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
        users = dict.fromkeys(self._snapshot.users[value])
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
        users = self._snapshot.users[value]
        if len(users) > 1 and self._order_matters(set(users)):
            uses = self._snapshot.uses(value)
        elif self._indirect.isdisjoint(users):
            listed += users
            return
        else:
            uses = self._snapshot.uses_in_order(value)
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
        """1 where it may change something to visit the op once more in the way of last time (see `Worklist`)."""
        self._level: int | None = None
        self._only_user_visit_of: list[Visit | None] = []
        self._is_dead = bytearray(count)
        self._terminators: dict[str, bool] = {}
        """By name, whether ops are terminators."""
        self.erased: list[int] = []
        """The ops that died, users first; what is nested in them is not listed."""
        sharded = [slot for slot, number in enumerate(store.current) if store.table.is_sharded[number]]
        # Sources may be sharded along axes that the edge of a boundary does not have.
        for op in (*visits.boundaries, *chain.from_iterable(self._readers[slot] for slot in sharded)):
            self._needs_visit[op] = 2
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
        observer = self._observer
        # A generator takes less time than a call for each op.
        for op in self._worklist:
            if is_dead[op]:
                self._erase(op)
                needs_visit[op] = 2
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
            if not updates:
                needs_visit[op] = 2
                continue
            if op in boundaries or self._has_groups:
                self._apply_there(op, slots[op], updates, boundaries.get(op))
            else:
                self._apply_here(op, slots[op], updates)
            if observer is not None:
                observer(op, slots[op], visit, numbers)

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
                if needs_visit[op]:
                    needs_visit[op] = 1

    def _apply_here(self, op: int, slots: tuple[int, ...], updates: Updates) -> None:
        """Write a change that an op and its neighbours see in the same way, with no other readers, and notify them."""
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
        """Write a change that differs across a boundary, or that other members of groups see, and notify them."""
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


GROUP = "sdy.sharding_group"


class ShardingGroups:
    """The groups of a module: values that share a sharding slot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._groups: dict[int, list[int]] = {}
        for members in _members(snapshot).values():
            for member in members:
                self._groups[member] = members

    def __bool__(self) -> bool:
        return bool(self._groups)

    def others(self, slot: int) -> list[int]:
        """Return the other members, in order, of the group that contains the value with that slot's number."""
        members = self._groups.get(slot)
        return [member for member in members if member != slot] if members else []


def _members(snapshot: Snapshot) -> dict[int, list[int]]:
    """The values of each group, by id."""
    groups: dict[int, list[int]] = {}
    group_of: dict[int, int] = {}
    for number in snapshot.named(GROUP):
        op = snapshot.ops[number]
        value, group = snapshot.operands[number][0], ir.IntegerAttr(op.attributes["group_id"]).value
        if group_of.setdefault(value, group) != group:
            raise DiagnosticError(op, f"expected a value to be in one group, but this one is in {group_of[value]}, too")
        members = groups.setdefault(group, [])
        if value not in members:
            members.append(value)
    return dict(sorted(groups.items()))


def synchronise_groups(snapshot: Snapshot) -> bool:
    """Gives the members of each group the same sharding; returns whether the IR changed.

    Members with different shardings are replaced by open constraints, which propagation fills. Raises `DiagnosticError`
    where a value is in two groups.
    """
    groups = _members(snapshot)
    for members in groups.values():
        _synchronise([snapshot.value(member) for member in members])
    return bool(groups)


def _synchronise(members: list[ir.Value]) -> None:
    shardings = [get_sharding(member) for member in members]
    if len(members) > 1:
        shardings = [sharding for sharding in shardings if sharding is not None and not _says_nothing(sharding)]
    common = next(iter(shardings), None)
    if common is None:
        return
    if all(sharding == common for sharding in shardings):
        for member in members:
            set_sharding(member, common)
        return
    warning(owning_op(members[0]), "the values of a sharding group have different shardings; they are left open")
    for member in members:
        _constrain(member, TensorSharding.open(common.mesh_or_ref, common.rank))


def _says_nothing(sharding: TensorSharding) -> bool:
    return all(not dim.axes and not dim.is_closed for dim in sharding.dims)


def _constrain(member: ir.Value, sharding: TensorSharding) -> None:
    """Puts a constraint right behind the definition of `member`, for all its users."""
    op = owning_op(member)
    assert op is not None
    if isinstance(member, ir.BlockArgument):
        place = ir.InsertionPoint.at_block_begin(member.owner)
    else:
        place = ir.InsertionPoint.after(op)
    constraint = sharding_constraint(member, sharding, loc=op.location, ip=place)
    member.replace_all_uses_except(constraint, [constraint.owner.operation])
