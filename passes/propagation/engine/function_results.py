"""The results of the main function: what is returned and what the function declares agree (spec: propagation, 10)."""

from __future__ import annotations

from sdy.dialect.values.rule import ShardingRule
from sdy.passes.propagation.engine.driver import Driver, Observer
from sdy.passes.propagation.engine.groups import ShardingGroups
from sdy.passes.propagation.engine.op_priorities import OpProfile
from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.visit import Visit
from sdy.passes.propagation.engine.visit_cache import VisitCache
from sdy.passes.propagation.strategies.strategy import FactorStrategy


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
        """Propagates between returned values and results, both ways. Nothing is notified."""
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
