"""The shardings of all values while a module is propagated, by number (spec: propagation, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue
from sdy.dialect.shardings.value_shardings import inherent_sharding_name
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.propagation.engine.sharding_slots import Holder, ListHolder, ShardingSlots
from sdy.passes.propagation.engine.sharding_table import NO_SHARDING, ShardingTable
from sdy.passes.propagation.engine.snapshot import Snapshot


class ShardingStore:
    """Keeps the shardings of a snapshot, and writes those that changed back to the IR.

    `current[slot]` is the number of a sharding in `table`. What is said of slots otherwise is what was read (see
    `ShardingSlots`).
    """

    def __init__(self, snapshot: Snapshot, table: ShardingTable) -> None:
        slots = ShardingSlots(snapshot, table)
        self.snapshot, self.table = snapshot, table
        self.current, self.types, self.slot_of, self.nowhere = slots.numbers, slots.types, slots.slot_of, slots.nowhere
        self.function_results, self.edges, self.lists = slots.function_results, slots.edges, slots.lists
        self.changed: dict[int, None] = {}
        """The slots that are to be written back, in the order of their first change."""
        self._holders = slots.holders

    def sharding(self, slot: int) -> TensorSharding | None:
        return self.table.shardings[self.current[slot]]

    def write(self, slot: int, number: int) -> Sequence[int]:
        """Puts a sharding into a slot and returns the slots that this changes.

        Where the sharding is one of a list that does not exist yet, the other entries become fully open on its mesh.
        """
        if slot == self.nowhere:
            return ()
        before = self.current[slot]
        self.current[slot] = number
        self.changed[slot] = None
        holder = self.lists.get(slot)
        if holder is None:
            return (slot,)
        touched = [slot]
        if before == NO_SHARDING:
            touched += self._open_siblings(holder, slot)
        if holder.normalise is not None:
            touched += self._normalise(holder)
        return touched

    def _open_siblings(self, holder: ListHolder, slot: int) -> list[int]:
        sharding = self.sharding(slot)
        assert sharding is not None
        siblings = [sibling for sibling in holder.slots if sibling != slot]
        for sibling in siblings:
            self.current[sibling] = self.table.open(sharding.mesh_or_ref, self.types[sibling].rank)
        return siblings

    def _normalise(self, holder: ListHolder) -> list[int]:
        assert holder.normalise is not None
        changed = []
        for position, slot in enumerate(holder.slots):
            sharding = self.sharding(slot)
            assert sharding is not None
            number = self.table.number(holder.normalise(position, sharding))
            if number != self.current[slot]:
                self.current[slot] = number
                changed.append(slot)
        return changed

    def write_back(self) -> None:
        """Puts the shardings that changed since the last time into the IR."""
        ops, names, definers = self.snapshot.ops, self.snapshot.names, self.snapshot.definers
        holders: dict[Holder, None] = {}
        lists_of_one: dict[int, ir.Attribute] = {}
        singles: dict[int, ir.Attribute] = {}
        for slot in self.changed:
            holder = self._holders.get(slot)
            if holder is not None:
                holders[holder] = None
                continue
            number = self.current[slot]
            inherent = inherent_sharding_name(names[definers[slot]])
            if inherent is not None:
                attr = singles.get(number)
                if attr is None:
                    attr = singles[number] = attributes.attr_of(self.table.shardings[number])
                ops[definers[slot]].attributes[inherent] = attr
                continue
            attr = lists_of_one.get(number)
            if attr is None:
                sharding = self.table.shardings[number]
                assert sharding is not None
                attr = lists_of_one[number] = attributes.attr_of(ShardingPerValue((sharding,)))
            ops[definers[slot]].attributes[SHARDING] = attr
        for holder in holders:
            holder.store(self.sharding)
        self.changed.clear()
