"""User priorities: axes of a lower priority wait, as replicated axes, for their turn (spec: propagation, 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import CLOSED, DimensionSharding, TensorSharding
from sdy.passes.propagation.engine.driver import Driver
from sdy.passes.propagation.engine.sharding_store import ShardingStore

Waiting = dict[int, list[tuple[int, TensorSharding]]]
"""By priority, 1 or more, in ascending order: slots, and the shardings that they had at first."""


def set_aside(store: ShardingStore, driver: Driver, mesh_of: Callable[[TensorSharding], Mesh]) -> Waiting:
    """Leaves only priority 0 in all shardings; dimensions of other priorities are emptied and closed."""
    waiting: Waiting = {}
    shardings = store.table.shardings
    prioritised = {number for number in set(store.current) if _has_priorities(shardings[number])}
    for slot in _slots(store) if prioritised else ():
        sharding = store.sharding(slot)
        if sharding is None or store.current[slot] not in prioritised:
            continue
        for priority in dict.fromkeys(dim.priority_or_default for dim in sharding.dims):
            if priority > 0:
                waiting.setdefault(priority, []).append((slot, sharding))
        driver.set(slot, store.table.number(_first_priority_only(sharding, mesh_of(sharding))))
    return dict(sorted(waiting.items()))


def _has_priorities(sharding: TensorSharding | None) -> bool:
    return sharding is not None and any(dim.priority is not None for dim in sharding.dims)


def bring_in(store: ShardingStore, driver: Driver, priority: int, waiting: Waiting) -> None:
    """Gives the dimensions of a priority their axes back, whatever the rest of the sharding has become."""
    for slot, original in waiting[priority]:
        current = store.sharding(slot)
        if current is not None and _is_there(store, driver, slot):
            driver.set(slot, store.table.number(_with_priority(current, original, priority)))


def _slots(store: ShardingStore) -> Iterator[int]:
    """All slots: of functions, their arguments and results; then op by op. Owners that have an edge are left out."""
    snapshot = store.snapshot
    for op, name in enumerate(snapshot.names):
        if name == "func.func":
            yield from snapshot.entry_arguments(op)
            yield from store.function_results[op]
        elif op in snapshot.data_flow_ops:
            yield from (owner for owner in snapshot.data_flow_ops[op].owners if owner not in store.edges)
        else:
            yield from snapshot.results[op]


def _is_there(store: ShardingStore, driver: Driver, slot: int) -> bool:
    """Whether the op that a slot belongs to is alive."""
    snapshot = store.snapshot
    if slot >= len(snapshot.types):
        return True
    return driver.is_alive(snapshot.holder_of(slot))


def _first_priority_only(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    dims = tuple(CLOSED if dim.priority_or_default else replace(dim, priority=None) for dim in sharding.dims)
    later = [axis for dim in sharding.dims if dim.priority_or_default for axis in dim.axes]
    if not later:
        return sharding.with_dims(dims)
    return sharding.with_dims(dims).with_replicated(sorted([*sharding.replicated, *later], key=mesh.order_key))


def _with_priority(current: TensorSharding, original: TensorSharding, priority: int) -> TensorSharding:
    back: list[DimensionSharding] = []
    for dim, first in zip(current.dims, original.dims, strict=True):
        back.append(replace(first, priority=None) if first.priority_or_default == priority else dim)
    taken = {axis for dim in original.dims if dim.priority_or_default == priority for axis in dim.axes}
    return current.with_dims(back).with_replicated(axis for axis in current.replicated if axis not in taken)
