"""The shardings of all values by number during propagation, and where the IR has them (spec: propagation, 3.2).

A *slot* holds one sharding. The slot of a value has the value's number; behind them come the slots of function results,
and last an empty one, for values that cannot have a sharding.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import Protocol

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.propagation.engine.snapshot import DataFlowInfo, Snapshot, TypeInfo

NO_SHARDING = 0
"""The number of a missing sharding."""


class ShardingTable:
    """Gives every distinct sharding a number, in order of first appearance. Several threads may share a table.

    `mesh_of` maps the mesh reference of a sharding to its mesh; it raises where there is none.
    """

    def __init__(self, mesh_of: Callable[[MeshRef], Mesh]) -> None:
        self._mesh_of = mesh_of
        self._meshes: dict[MeshRef, Mesh] = {}
        self._common: dict[tuple[MeshRef, ...], MeshRef | None] = {}
        self._numbers: dict[TensorSharding, int] = {}
        self._lock = Lock()
        self._open: dict[tuple[MeshRef, int], int] = {}
        self.shardings: list[TensorSharding | None] = [None]
        self.is_sharded: list[bool] = [False]
        """True for shardings with an axis in some dimension, by number."""

    def number(self, sharding: TensorSharding | None) -> int:
        if sharding is None:
            return NO_SHARDING
        number = self._numbers.get(sharding)
        return self._add(sharding) if number is None else number

    def _add(self, sharding: TensorSharding) -> int:
        with self._lock:
            number = self._numbers.get(sharding)
            if number is None:
                number = len(self.shardings)
                self.shardings.append(sharding)
                self.is_sharded.append(not sharding.is_fully_replicated)
                self._numbers[sharding] = number
        return number

    def open(self, mesh: MeshRef, rank: int) -> int:
        """The number of the fully open sharding."""
        key = (mesh, rank)
        number = self._open.get(key)
        if number is None:
            number = self._open[key] = self.number(TensorSharding.open(mesh, rank))
        return number

    def closed(self, number: int) -> int:
        """The number of a sharding with all dimensions closed."""
        sharding = self.shardings[number]
        return NO_SHARDING if sharding is None else self.number(sharding.close())

    def blocked(self, number: int) -> AxisList:
        """The replicated, then the unreduced axes."""
        sharding = self.shardings[number]
        return () if sharding is None else sharding.replicated + sharding.unreduced

    def mesh(self, ref: MeshRef) -> Mesh:
        mesh = self._meshes.get(ref)
        if mesh is None:
            mesh = self._meshes[ref] = self._mesh_of(ref)
        return mesh

    def common_mesh(self, numbers: Iterable[int]) -> MeshRef | None:
        """Return the mesh of a visit of tensors with these shardings, None if there is none (section 6.1)."""
        refs = tuple(dict.fromkeys(s.mesh_or_ref for n in numbers if (s := self.shardings[n]) is not None))
        if refs not in self._common:
            self._common[refs] = self._find_common_mesh(refs)
        return self._common[refs]

    def _find_common_mesh(self, refs: tuple[MeshRef, ...]) -> MeshRef | None:
        found: MeshRef | None = None
        for ref in refs:
            if found is None or self.mesh(found).is_empty:
                found = ref
            elif not self.mesh(ref).is_empty and self.mesh(ref) != self.mesh(found):
                return None
        return None if found is None or self.mesh(found).is_maximal else found


EDGE = "sdy.data_flow_edge"


class ShardingSlots:
    """Reads the slots of a snapshot.

    `numbers[slot]` is the number of the IR's sharding in `table`; `slot_of[value]` is the slot of the sharding of a
    value; `function_results[function]` are the slots of the results of a function; `edges[owner]` is the
    `sdy.data_flow_edge` op of an owner, if it has one.
    """

    def __init__(self, snapshot: Snapshot, table: ShardingTable) -> None:
        self._snapshot, self._table = snapshot, table
        self.slot_of: list[int] = list(range(len(snapshot.types)))
        self.numbers: list[int] = [NO_SHARDING] * len(snapshot.types)
        self.types: list[TypeInfo] = list(snapshot.types)
        self.function_results: dict[int, range] = {}
        self.edges: dict[int, int] = {}
        self.lists: dict[int, ListHolder] = {}
        """The list that a slot is an entry of; for a single result of an op, which is a list of one, none is made."""
        self.sharding_attr_slots: dict[int, Holder] = {}
        """Holder that writes a slot back: for ops of several results, owners, and functions."""
        self.written: dict[int, None] = {}
        """The slots whose sharding is the only one of an op's `sdy.sharding`."""
        self._known: dict[ir.Attribute, int] = {}
        self._read_results()
        self._read_functions()
        self.nowhere = len(self.numbers)
        self.numbers.append(NO_SHARDING)
        self._read_regions()

    def _number(self, attr: ir.Attribute) -> int:
        """The number of the sharding of a `TensorSharding` attribute."""
        number = self._known.get(attr)
        if number is None:
            number = self._known[attr] = self._table.number(attributes.value_of(attr))
        return number

    def _number_of_single(self, attr: ir.Attribute) -> int:
        """The number of the only sharding of a `ShardingPerValue` attribute."""
        number = self._known.get(attr)
        if number is None:
            number = self._known[attr] = self._table.number(attributes.value_of(attr).shardings[0])
        return number

    def _read_results(self) -> None:
        snapshot, numbers = self._snapshot, self.numbers
        names, results, data_flow_names = snapshot.names, snapshot.results, snapshot.data_flow_names
        for number, values in enumerate(results):
            if len(values) > 1 and names[number] not in data_flow_names:
                self._add_list(ListHolder(values, partial(set_op_shardings, snapshot.ops[number])))
        for number in snapshot.named(*INHERENT_SHARDINGS):
            stored, inherent = snapshot.ops[number].attributes, INHERENT_SHARDINGS[names[number]]
            if inherent in stored:
                numbers[results[number].start] = self._number(stored[inherent])
        for number, attr in snapshot.with_attribute(SHARDING).items():
            values, name = results[number], names[number]
            if len(values) == 1 and name not in data_flow_names and name not in INHERENT_SHARDINGS:
                numbers[values.start] = self._number_of_single(attr)
                self.written[values.start] = None
            elif len(values) > 1 and name not in data_flow_names:
                numbers[values.start : values.stop] = map(self._table.number, attributes.value_of(attr).shardings)

    def _add_list(self, holder: ListHolder) -> None:
        for slot in holder.slots:
            self.lists[slot] = self.sharding_attr_slots[slot] = holder

    def _read_functions(self) -> None:
        snapshot = self._snapshot
        for number in snapshot.named("func.func"):
            op = snapshot.ops[number]
            result_types = [snapshot.type_info(type_) for type_ in op.attributes["function_type"].value.results]
            slots = range(len(self.numbers), len(self.numbers) + len(result_types))
            self.numbers += [NO_SHARDING] * len(slots)
            self.types += result_types
            self.function_results[number] = slots
            self._read_function(op, "arg_attrs", snapshot.entry_arguments(number))
            self._read_function(op, "res_attrs", slots)

    def _read_function(self, op: ir.Operation, name: str, slots: Sequence[int]) -> None:
        self.sharding_attr_slots.update(dict.fromkeys(slots, FunctionHolder(op, name, slots)))
        if slots and name in op.attributes:
            for slot, entry in zip(slots, op.attributes[name], strict=True):
                if SHARDING in entry:
                    self.numbers[slot] = self._number(entry[SHARDING])

    def _read_regions(self) -> None:
        snapshot = self._snapshot
        edge_of = {snapshot.operands[op][0]: op for op in snapshot.named(EDGE)}
        for info in snapshot.data_flow_ops.values():
            self._read_data_flow_op(info, edge_of)
        for op, arguments in snapshot.arguments.items():
            name = snapshot.names[op]
            if name in snapshot.data_flow_names:
                continue
            argument_slots = [self.nowhere] * len(arguments)
            if name == "func.func":
                argument_slots[: len(snapshot.entry_arguments(op))] = snapshot.entry_arguments(op)
            elif name == "stablehlo.async_start":
                argument_slots = [self.slot_of[operand] for operand in snapshot.operands[op]]
            for value, slot in zip(arguments, argument_slots, strict=True):
                self.slot_of[value] = slot

    def _read_data_flow_op(self, info: DataFlowInfo, edge_of: dict[int, int]) -> None:
        snapshot, flow, arguments, edges = self._snapshot, info.flow, info.block_arg_owners, self.edges
        for owner in info.owners:
            edge = edge_of.get(owner)
            if edge is not None and len(snapshot.users[owner]) == 1:
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

    def _normalise_arguments(self, info: DataFlowInfo) -> Callable[[int, TensorSharding], TensorSharding]:
        def normalise(position: int, sharding: TensorSharding) -> TensorSharding:
            owner = self._snapshot.value(info.block_arg_owners[position])
            return info.flow.at_edge(owner, info.flow.at_sources(owner, sharding))

        return normalise

    def _read_owners(self, slots: Sequence[int], shardings: Sequence[TensorSharding] | None) -> None:
        """Owners that all have edges need no holder, since nothing is written to them."""
        if shardings:
            for slot, sharding in zip(slots, shardings, strict=True):
                self.numbers[slot] = self._table.number(sharding)


Current = Callable[[int], TensorSharding | None]
"""The sharding that is in a slot."""


class Holder(Protocol):
    """A place that keeps the shardings of some slots."""

    def store(self, current: Current) -> None:
        """Writes them to the IR."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ListHolder:
    """A list with one sharding for each of `slots`, present or absent as a whole.

    `normalise`, if given, converts what was written to slot number i.
    """

    slots: Sequence[int]
    put: Callable[[Sequence[TensorSharding]], None]
    normalise: Callable[[int, TensorSharding], TensorSharding] | None = None

    def store(self, current: Current) -> None:
        shardings = [current(slot) for slot in self.slots]
        self.put([sharding for sharding in shardings if sharding is not None])


@dataclass(frozen=True, slots=True, eq=False)
class FunctionHolder:
    """The attribute dictionaries of a function's arguments (`arg_attrs`) or results (`res_attrs`)."""

    op: ir.Operation
    name: str
    slots: Sequence[int]

    def store(self, current: Current) -> None:
        stored = self.op.attributes
        entries = list(stored[self.name]) if self.name in stored else [ir.DictAttr.get({})] * len(self.slots)
        for position, slot in enumerate(self.slots):
            sharding = current(slot)
            if sharding is None:
                continue
            attr, entry = attr_of(sharding), entries[position]
            if SHARDING not in entry or entry[SHARDING] != attr:
                kept = {named.name: named.attr for named in entry}
                entries[position] = ir.DictAttr.get({**kept, SHARDING: attr})
        stored[self.name] = ir.ArrayAttr.get(entries)


class ShardingStore:
    """Keeps the shardings of a snapshot, and writes those that changed back to the IR.

    `current[slot]` is the number of a sharding in `table`. Other facts about slots are those that were read (see
    `ShardingSlots`).
    """

    def __init__(self, snapshot: Snapshot, table: ShardingTable) -> None:
        slots = ShardingSlots(snapshot, table)
        self.snapshot, self.table = snapshot, table
        self.current, self.types, self.slot_of, self.nowhere = slots.numbers, slots.types, slots.slot_of, slots.nowhere
        self.function_results, self.edges, self.lists = slots.function_results, slots.edges, slots.lists
        self.changed: dict[int, None] = {}
        """The slots that are to be written back, in the order of their first change."""
        self._sharding_attr_slots = slots.sharding_attr_slots
        self._written = slots.written

    def sharding(self, slot: int) -> TensorSharding | None:
        return self.table.shardings[self.current[slot]]

    def write(self, slot: int, number: int) -> Sequence[int]:
        """Puts a sharding into a slot and returns the slots that this changes.

        If the sharding starts a new list, the other entries become fully open on its mesh.
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

    def write_back(self, left_open: Container[int] | None = None) -> None:
        """Puts the shardings that changed since the last time into the IR.

        With `left_open`, those that are the only one of an op's `sdy.sharding` are closed, except in these slots.
        """
        ops, names, definers = self.snapshot.ops, self.snapshot.names, self.snapshot.definers
        closed: dict[int, int] = {}
        if left_open is not None:
            self.changed |= self._written
        written: dict[Holder, None] = {}
        lists_of_one: dict[int, ir.Attribute] = {}
        singles: dict[int, ir.Attribute] = {}
        for slot in self.changed:
            holder = self._sharding_attr_slots.get(slot)
            if holder is not None:
                written[holder] = None
                continue
            number = self.current[slot]
            inherent = INHERENT_SHARDINGS.get(names[definers[slot]])
            if inherent is not None:
                attr = singles.get(number)
                if attr is None:
                    attr = singles[number] = attributes.attr_of(self.table.shardings[number])
                ops[definers[slot]].attributes[inherent] = attr
                continue
            if left_open is not None and slot not in left_open:
                if number not in closed:
                    closed[number] = self.table.closed(number)
                number = closed[number]
            attr = lists_of_one.get(number)
            if attr is None:
                sharding = self.table.shardings[number]
                assert sharding is not None
                attr = lists_of_one[number] = attributes.attr_of(ShardingPerValue((sharding,)))
            ops[definers[slot]].attributes[SHARDING] = attr
        for holder in written:
            holder.store(self.sharding)
        self.changed.clear()
