"""The shardings of all values while a module is propagated, by number (spec: propagation, 3.2).

A *slot* is a place that holds one sharding. The slot of a value has the value's number; behind them come the slots of
function results, and last one that is always empty, for values that cannot have a sharding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue
from sdy.dialect.shardings.value_shardings import inherent_sharding_name, set_op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.computations import COMPUTATION
from sdy.passes.propagation.engine.holders import FunctionHolder, Holder, ListHolder
from sdy.passes.propagation.engine.reading.copies import Copy
from sdy.passes.propagation.engine.sharding_table import NO_SHARDING, ShardingTable
from sdy.passes.propagation.engine.snapshot import DataFlowInfo, Snapshot
from sdy.passes.propagation.engine.type_info import TypeInfo

EDGE = "sdy.data_flow_edge"


class ShardingStore:
    """Reads the shardings of a snapshot, keeps them, and writes those that changed back to the IR.

    `current[slot]` is the number of a sharding in `table`; `slot_of[value]` is the slot of the sharding of a value;
    `function_results[function]` are the slots of the results of a function; `edges[owner]` is the
    `sdy.data_flow_edge` op of an owner that has one.
    """

    def __init__(self, snapshot: Snapshot, table: ShardingTable) -> None:
        self.snapshot, self.table = snapshot, table
        self.slot_of: list[int] = list(range(len(snapshot.types)))
        self.current: list[int] = [NO_SHARDING] * len(snapshot.types)
        self.types: list[TypeInfo] = list(snapshot.types)
        self.function_results: dict[int, range] = {}
        self.edges: dict[int, int] = {}
        self.lists: dict[int, ListHolder] = {}
        """The list that a slot is an entry of; for a single result of an op, which is a list of one, none is made."""
        self.changed: dict[int, None] = {}
        """The slots that are to be written back, in the order of their first change."""
        self._holders: dict[int, Holder] = {}
        self._numbers: dict[ir.Attribute, int] = {}
        self._read_results()
        self._read_functions()
        self.nowhere = len(self.current)
        self.current.append(NO_SHARDING)
        self._read_regions()

    # Reading -------------------------------------------------------------------------------------

    def _number(self, attr: ir.Attribute) -> int:
        """The number of the sharding of a `TensorSharding` attribute."""
        number = self._numbers.get(attr)
        if number is None:
            number = self._numbers[attr] = self.table.number(attributes.value_of(attr))
        return number

    def _number_of_single(self, attr: ir.Attribute) -> int:
        """The number of the only sharding of a `ShardingPerValue` attribute."""
        number = self._numbers.get(attr)
        if number is None:
            number = self._numbers[attr] = self.table.number(attributes.value_of(attr).shardings[0])
        return number

    def _read_results(self) -> None:
        snapshot, current = self.snapshot, self.current
        names, results, data_flow_names = snapshot.names, snapshot.results, snapshot.data_flow_names
        for number, stored in enumerate(snapshot.attributes):
            values = results[number]
            if not values or names[number] in data_flow_names:
                continue
            if len(values) > 1:
                self._add_list(ListHolder(values, partial(set_op_shardings, snapshot.ops[number])))
                if stored is not None and SHARDING in stored:
                    shardings = attributes.value_of(stored[SHARDING]).shardings
                    current[values.start : values.stop] = map(self.table.number, shardings)
                continue
            if stored is None:
                continue
            inherent = inherent_sharding_name(names[number])
            if inherent is not None:
                if inherent in stored:
                    current[values.start] = self._number(stored[inherent])
            elif SHARDING in stored:
                current[values.start] = self._number_of_single(stored[SHARDING])

    def _add_list(self, holder: ListHolder) -> None:
        for slot in holder.slots:
            self.lists[slot] = self._holders[slot] = holder

    def _read_functions(self) -> None:
        snapshot = self.snapshot
        for number, name in enumerate(snapshot.names):
            if name != "func.func":
                continue
            op = snapshot.ops[number]
            result_types = [snapshot.type_info(type_) for type_ in op.attributes["function_type"].value.results]
            slots = range(len(self.current), len(self.current) + len(result_types))
            self.current += [NO_SHARDING] * len(slots)
            self.types += result_types
            self.function_results[number] = slots
            self._read_function(op, "arg_attrs", snapshot.entry_arguments(number))
            self._read_function(op, "res_attrs", slots)

    def _read_function(self, op: ir.Operation, name: str, slots: Sequence[int]) -> None:
        self._holders.update(dict.fromkeys(slots, FunctionHolder(op, name, slots)))
        if slots and name in op.attributes:
            for slot, entry in zip(slots, op.attributes[name], strict=True):
                if SHARDING in entry:
                    self.current[slot] = self._number(entry[SHARDING])

    def _read_regions(self) -> None:
        snapshot = self.snapshot
        edge_of = {snapshot.operands[op][0]: op for op, name in enumerate(snapshot.names) if name == EDGE}
        for info in snapshot.own_data_flow_ops.values():
            self._read_data_flow_op(info, edge_of)
        for copy in snapshot.copies:
            self._copy(copy, edge_of)
        for op, arguments in snapshot.arguments.items():
            name = snapshot.names[op]
            if name in snapshot.data_flow_names:
                continue
            holders = [self.nowhere] * len(arguments)
            if name == "func.func":
                holders[: len(snapshot.entry_arguments(op))] = snapshot.entry_arguments(op)
            elif name == "stablehlo.async_start":
                holders = [self.slot_of[operand] for operand in snapshot.operands[op]]
            for value, slot in zip(arguments, holders, strict=True):
                self.slot_of[value] = slot

    def _read_data_flow_op(self, info: DataFlowInfo, edge_of: dict[int, int]) -> None:
        snapshot, flow, arguments, edges = self.snapshot, info.flow, info.block_arg_owners, self.edges
        for owner in info.owners:
            edge = edge_of.get(owner)
            if edge is not None and snapshot.num_uses[owner] == 1:
                edges[owner] = edge
        if arguments:
            self._read_owners(arguments, flow.block_arg_shardings())
            if not all(owner in edges for owner in arguments):
                normalise = self._normalise_arguments(info) if flow.has_boundary() else None
                self._add_list(ListHolder(arguments, flow.set_block_arg_shardings, normalise))
        if info.result_owners:
            self._read_owners(info.result_owners, flow.result_shardings())
            if not all(owner in edges for owner in info.result_owners):
                self._add_list(ListHolder(info.result_owners, flow.set_result_shardings))
        for target, owner in info.owner_of.items():
            edge = edges.get(owner)
            self.slot_of[target] = owner if edge is None else snapshot.results[edge].start

    def _copy(self, copy: Copy, edge_of: dict[int, int]) -> None:
        """Takes over the shardings in the body that `copy` is a copy of; all owners in it have edges."""
        snapshot, current = self.snapshot, self.current
        for values, shift in ((copy.results, copy.result_shift), (copy.arguments, copy.argument_shift)):
            current[values.start : values.stop] = current[values.start - shift : values.stop - shift]
        for op in copy.ops:
            if snapshot.names[op] == COMPUTATION:
                for owner in (*snapshot.arguments[op], *snapshot.results[op]):
                    self.edges[owner] = edge = edge_of[owner]
                    self.slot_of[owner] = snapshot.results[edge].start

    def _normalise_arguments(self, info: DataFlowInfo) -> Callable[[int, TensorSharding], TensorSharding]:
        def normalise(position: int, sharding: TensorSharding) -> TensorSharding:
            owner = self.snapshot.value(info.block_arg_owners[position])
            return info.flow.at_edge(owner, info.flow.at_sources(owner, sharding))

        return normalise

    def _read_owners(self, slots: Sequence[int], shardings: Sequence[TensorSharding] | None) -> None:
        """Owners that all have edges need no holder: nothing is written to them."""
        if shardings:
            for slot, sharding in zip(slots, shardings, strict=True):
                self.current[slot] = self.table.number(sharding)

    # Writing -------------------------------------------------------------------------------------

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
