"""A module read into plain lists (design: Propagation).

Ops and values are numbered; all queries of propagation read lists of small integers. The IR must not change while a
snapshot is in use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain

from sdy.dialect.data_flow import DataFlowOp, interface, is_data_flow_op
from sdy.dialect.data_flow import Use as DataFlowUse
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import callee_name, is_return, main_function, symbol_name
from sdy.mlir.per_context import PerContext
from sdy.mlir.search import ops_with

Use = tuple[int, int]
"""(op, operand number)"""


@dataclass(slots=True)
class Structure:
    """Lists of a snapshot (see there); `argument_owners` has the op that each block argument belongs to."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    operands: list[list[int]] = field(default_factory=list)
    results: list[range] = field(default_factory=list)
    regions: dict[int, list[list[int]]] = field(default_factory=dict)
    arguments: dict[int, list[int]] = field(default_factory=dict)
    types: list[TypeInfo] = field(default_factory=list)
    definers: list[int] = field(default_factory=list)
    users: list[list[int]] = field(default_factory=list)
    argument_owners: list[int] = field(default_factory=list)


class StructureReader:
    """Reads the structure of the ops in a module.

    `ops` has them in pre-order, `blocks` those of each op with regions, `numbers` those of the values by hash, and
    `branching` the regions with more than one block.
    """

    def __init__(self, module: ir.Operation, infos: dict[int, TypeInfo]) -> None:
        self.structure = Structure()
        self.ops: list[ir.Operation] = []
        self.blocks: dict[int, list[ir.Block]] = {}
        # Values are told apart by their address.
        self._hashes: list[int] = []
        self.branching: list[ir.Region] = []
        self._infos = infos
        for block in module.regions[0].blocks:
            self._read_block(block, [])
        self._find_parents()
        self._find_ends()
        # Whole lists are read at once, which is a good deal faster than op by op.
        self.structure.names = [op.name for op in self.ops]
        self._read_results()
        self._read_arguments()
        self.numbers: dict[int, int] = dict(zip(self._hashes, range(len(self._hashes)), strict=True))
        self._read_operands()

    def _read_block(self, block: ir.Block, members: list[int]) -> None:
        """Add the ops of a block, and the ops nested in them, to the list; `members` gets the numbers of its own."""
        ops = self.ops
        for view in block.operations:
            op = view.operation
            number = len(ops)
            members.append(number)
            ops.append(op)
            regions = op.regions
            if len(regions):
                self._read_regions(number, regions)

    def _read_regions(self, op: int, regions: Sequence[ir.Region]) -> None:
        self.blocks[op], self.structure.regions[op] = found, members_of = [], [[] for _ in range(len(regions))]
        for place, members in enumerate(members_of):
            # An iterator takes longer.
            blocks = regions[place].blocks
            listed = [blocks[0]] if len(blocks) == 1 else list(blocks)
            found += listed
            if len(listed) > 1:
                self.branching.append(regions[place])
            for block in listed:
                self._read_block(block, members)

    def _find_parents(self) -> None:
        self.structure.parents = parents = [-1] * len(self.ops)
        for op, regions in self.structure.regions.items():
            for member in chain.from_iterable(regions):
                parents[member] = op

    def _find_ends(self) -> None:
        regions = self.structure.regions
        self.structure.ends = ends = list(range(1, len(self.ops) + 1))
        for op in reversed(regions):
            last = max((members[-1] for members in regions[op] if members), default=op)
            ends[op] = ends[last]

    def _read_results(self) -> None:
        structure, hashes, infos = self.structure, self._hashes, self._infos
        types, results = structure.types, structure.results
        start = 0
        for op in self.ops:
            found = op.results
            count = len(found)
            if count == 1:
                value = found[0]
                hashes.append(address(value))
                type_ = value.type
                types.append(infos.get(address(type_)) or info_of(type_, infos))
            elif count:
                hashes += map(address, found)
                types += [info_of(type_, infos) for type_ in found.types]
            results.append(range(start, start + count))
            start += count
        structure.definers += [number for number, values in enumerate(results) for _ in values]

    def _read_arguments(self) -> None:
        structure, hashes, infos = self.structure, self._hashes, self._infos
        types = structure.types
        for op, blocks in self.blocks.items():
            start = len(types)
            for block in blocks:
                arguments = block.arguments
                for place in range(len(arguments)):
                    value = arguments[place]
                    hashes.append(address(value))
                    type_ = value.type
                    types.append(infos.get(address(type_)) or info_of(type_, infos))
            structure.arguments[op] = added = list(range(start, len(types)))
            structure.argument_owners += [op] * len(added)
        structure.definers += [-1] * len(structure.argument_owners)

    def _read_operands(self) -> None:
        structure, numbers = self.structure, self.numbers
        rows = structure.operands
        for op in self.ops:
            values = op.operands
            # An iterator takes longer.
            rows.append([numbers[address(values[place])] for place in range(len(values))])
        structure.users = users = [[] for _ in structure.types]
        for user, row in enumerate(rows):
            for value in row:
                users[value].append(user)


@dataclass(frozen=True, slots=True, eq=False)
class TypeInfo:
    """Facts about a type. They compare by identity, so that they can replace the type in a key.

    `shape` is None for an unshaped type, and for one with an unknown dimension or rank.
    """

    rank: int
    shape: tuple[int, ...] | None
    is_scalar: bool = False
    is_rejected: bool = False
    """True if propagation rejects modules with a result of this type (spec: propagation, 1.2)."""

    @staticmethod
    def of(type_: ir.Type) -> TypeInfo:
        type_ = sharded_type(type_)
        if isinstance(type_, ir.ShapedType):
            if not type_.has_rank:
                return TypeInfo(0, None, is_rejected=True)
            if not type_.has_static_shape:
                return TypeInfo(type_.rank, None, is_rejected=True)
            return TypeInfo(type_.rank, tuple(type_.shape), is_scalar=type_.rank == 0)
        return TypeInfo(0, None, is_rejected=isinstance(type_, ir.TupleType))


type_infos: PerContext[dict[int, TypeInfo]] = PerContext(dict)
"""Facts about the types of a context, by their address."""


def info_of(type_: ir.Type, infos: dict[int, TypeInfo]) -> TypeInfo:
    """Return the info of a type, from `infos` of its context."""
    info = infos.get(address(type_))
    if info is None:
        info = infos[address(type_)] = TypeInfo.of(type_)
    return info


class Snapshot:
    """Ops in pre-order, without the module itself; values: first all results, then all block arguments.

    Per op: `ops`, `names`, `parents` (-1 at the top), `ends` (number behind the last nested op), `operands` and
    `results` (values). Only for ops with regions: `arguments`, those of the blocks, and `regions`, the ops directly in
    each of them. Per value: `types`, `users` (in order, once for each use), and `definers`, the op whose result it is,
    or -1 for a block argument. `branching` lists the regions that have more than one block.
    """

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self._infos = type_infos.of(module.context)
        read = StructureReader(module, self._infos)
        self.ops: list[ir.Operation] = read.ops
        self.branching: list[ir.Region] = read.branching
        self._blocks: dict[int, list[ir.Block]] = read.blocks
        self._numbers: dict[int, int] = read.numbers
        structure = read.structure
        self.names: list[str] = structure.names
        self.parents: list[int] = structure.parents
        self.ends: list[int] = structure.ends
        self.operands: list[list[int]] = structure.operands
        self.results: list[range] = structure.results
        self.regions: dict[int, list[list[int]]] = structure.regions
        self.arguments: dict[int, list[int]] = structure.arguments
        self.types: list[TypeInfo] = structure.types
        self.definers: list[int] = structure.definers
        self.users: list[list[int]] = structure.users
        self._argument_owners: list[int] = structure.argument_owners
        self._uses: dict[int, list[Use]] = {}

    # Values --------------------------------------------------------------------------------------

    def type_info(self, type_: ir.Type) -> TypeInfo:
        """Return the info of a type."""
        return info_of(type_, self._infos)

    def uses(self, value: int) -> list[Use]:
        """The uses of a value in use-list order: the latest use first, as a rule. This looks into the IR."""
        found = self._uses.get(value)
        if found is None:
            found = self.uses_in_order(value)
            if len(found) > 1:
                found = self._in_list_order(found, self.value(value))
            self._uses[value] = found
        return found

    def uses_in_order(self, value: int) -> list[Use]:
        """The uses of a value in the order of the using ops."""
        users = dict.fromkeys(self.users[value])
        return [(user, place) for user in users for place, used in enumerate(self.operands[user]) if used == value]

    def _in_list_order(self, uses: Sequence[Use], value: ir.Value) -> list[Use]:
        left = list(uses)
        ordered: list[Use] = []
        for use in value.uses:
            owner, place = use.owner, use.operand_number
            # Ops compare by address, but their hashes say what they look like, which changes. So they are compared with
            # those that are left, beginning with the last and the first: mostly the list is in reverse or in order.
            for position in chain((-1, 0), range(1, len(left) - 1)):
                if left[position][1] == place and self.ops[left[position][0]] == owner:
                    ordered.append(left.pop(position))
                    break
        return ordered

    # Structure -----------------------------------------------------------------------------------

    def post_order_key(self, op: int) -> tuple[int, int]:
        """Sorts ops so that nested ones come before their parents."""
        return (self.ends[op], -op)

    def terminators(self, op: int) -> list[int]:
        """The last op of each region of `op`."""
        return [members[-1] for members in self.regions.get(op, ()) if members]

    def find(self, op: ir.Operation, candidates: Iterable[int]) -> int:
        """Return the number of `op` among the candidates."""
        return next(number for number in candidates if self.ops[number] == op)

    def with_attribute(self, name: str) -> dict[int, ir.Attribute]:
        """Return the sharding, or the rule, of each op that has one. In a program few ops have."""
        return {number: stored[name] for number, stored in self._marked.items() if name in stored}

    @cached_property
    def _marked(self) -> dict[int, ir.OpAttributeMap]:
        """The attributes of ops with a sharding or a rule."""
        found: dict[int, ir.OpAttributeMap] = {}
        for op in ops_with(self.module, SHARDING, SHARDING_RULE):
            results = op.results
            if len(results):
                number = self.definers[self.number_of(results[0])]
            else:
                number = self.find(op, (each for each, values in enumerate(self.results) if not values))
            found[number] = op.attributes
        return found

    def value(self, number: int) -> ir.Value:
        """The value with that number."""
        holder = self.holder_of(number)
        if self.definers[number] >= 0:
            return self.ops[holder].results[number - self.results[holder].start]
        place = number - self.arguments[holder][0]
        for block in self._blocks[holder]:
            if place < len(block.arguments):
                return block.arguments[place]
            place -= len(block.arguments)
        raise IndexError(number)

    def number_of(self, value: ir.Value) -> int:
        """The number of a value."""
        return self._numbers[address(value)]

    def holder_of(self, value: int) -> int:
        """Return the op that has `value` as a result, or as an argument of its regions."""
        definer = self.definers[value]
        return self._argument_owners[value - len(self.types)] if definer < 0 else definer

    def entry_arguments(self, op: int) -> list[int]:
        """The arguments of the entry block of a function; none for a declaration."""
        blocks = self.ops[op].regions[0].blocks
        return self.arguments[op][: len(blocks[0].arguments)] if len(blocks) else []

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for op, name in enumerate(self.names):
            found[name].append(op)
        return dict(found)

    @property
    def distinct_names(self) -> Iterable[str]:
        """The names of all ops, each once."""
        return self._by_name

    def named(self, *names: str) -> list[int]:
        """The ops of these names, in order."""
        listed = [self._by_name[name] for name in names if name in self._by_name]
        return listed[0] if len(listed) == 1 else sorted(chain.from_iterable(listed))

    @cached_property
    def data_flow_names(self) -> frozenset[str]:
        """The names of the ops that have data-flow edges."""
        return frozenset(filter(is_data_flow_op, self._by_name))

    @cached_property
    def data_flow_ops(self) -> dict[int, DataFlowInfo]:
        """The ops that have data-flow edges."""
        return {op: DataFlowInfo(self, op) for op in self.named(*self.data_flow_names)}

    def owner_of_use(self, op: int, user: int, position: int) -> int | None:
        """Return the owner whose edge a change of a data-flow op's used value visits, None if there is none."""
        return self.data_flow_ops[op].owner_of_use(self, user, position)

    # Functions -----------------------------------------------------------------------------------

    @cached_property
    def functions(self) -> dict[str, int]:
        """The functions at the top level, by name."""
        at_top = (number for number in self.named("func.func") if self.parents[number] < 0)
        return {symbol_name(self.ops[number]): number for number in at_top}

    @cached_property
    def main_function(self) -> int:
        """Raises `DiagnosticError` if there is none."""
        return self.find(main_function(self.module), self.functions.values())

    def callee(self, call: int) -> int | None:
        """The function that a `func.call` calls."""
        return self.functions.get(callee_name(self.ops[call]))

    def returned(self, function: int) -> list[int]:
        """The values that a function returns; none for a declaration."""
        regions = self.regions.get(function, [])
        members = regions[0] if regions else []
        exit_ = next((op for op in reversed(members) if self.names[op] == "func.return"), None)
        if exit_ is None and members and is_return(self.ops[members[-1]]):
            exit_ = members[-1]
        return [] if exit_ is None else self.operands[exit_]

    @cached_property
    def callers(self) -> dict[int, list[int]]:
        """The `func.call` ops of each function, in the order in which MLIR lists symbol uses (section 7.1)."""
        found: dict[int, list[int]] = {}
        for top, parent in enumerate(self.parents):
            if parent >= 0:
                continue
            pending = list(self.regions.get(top, []))
            while pending:
                for op in pending.pop():
                    if self.names[op] == "func.call":
                        callee = self.callee(op)
                        if callee is not None:
                            found.setdefault(callee, []).append(op)
                    pending += self.regions.get(op, [])
        return found


class DataFlowInfo:
    """The edges of one data-flow op in numbers.

    `owners` lists block-argument owners, then result owners. `sources` and `other_targets` are by owner, `owner_of` by
    target.
    """

    def __init__(self, snapshot: Snapshot, op: int) -> None:
        flow = interface(snapshot.ops[op])
        assert flow is not None
        self.flow: DataFlowOp = flow
        self._op = op
        # The snapshot, which keeps this, is not kept: in a cycle it would outlive the pass.
        if flow.passes_through_body:
            self._read_body(snapshot, op)
        else:
            self._read_interface(snapshot, op)

    def _read_body(self, snapshot: Snapshot, op: int) -> None:
        arguments, results = list(snapshot.arguments[op]), list(snapshot.results[op])
        self.block_arg_owners, self.result_owners, self.owners = arguments, results, arguments + results
        self.owner_of = dict(zip(self.owners, self.owners, strict=True))
        self.other_targets: dict[int, Sequence[int]] = dict.fromkeys(self.owners, ())
        self.sources: dict[int, list[Use]] = {owner: [(op, index)] for index, owner in enumerate(arguments)}
        for terminator in snapshot.terminators(op):
            for index, owner in enumerate(results):
                self.sources[owner] = [(terminator, index)]

    def _read_interface(self, snapshot: Snapshot, op: int) -> None:
        flow, number_of = self.flow, snapshot.number_of
        argument_owners, result_owners = flow.block_arg_owners(), flow.result_owners()
        self.block_arg_owners, self.result_owners = [*map(number_of, argument_owners)], [*map(number_of, result_owners)]
        self.owners = self.block_arg_owners + self.result_owners
        self.owner_of, self.sources, self.other_targets = {}, {}, {}
        for owner, value in zip(self.owners, (*argument_owners, *result_owners), strict=True):
            self.sources[owner] = [
                (snapshot.find(use.owner, _possible_sources(snapshot, op)), use.operand_number)
                for use in flow.sources(value)
            ]
            self.other_targets[owner] = [number_of(target) for target in flow.other_targets(value)]
            self.owner_of |= dict.fromkeys((owner, *self.other_targets[owner]), owner)
        for target in (*snapshot.arguments.get(op, ()), *snapshot.results[op]):
            owner = None if target in self.owner_of else flow.owner_of_target(snapshot.value(target))
            if owner is not None:
                self.owner_of[target] = number_of(owner)

    def owner_of_use(self, snapshot: Snapshot, user: int, position: int) -> int | None:
        """Return the owner whose edge is visited when the value of that use changes, None if there is none."""
        if self.flow.passes_through_body:
            return None if user == self._op else self.result_owners[position]
        owner = self.flow.owner_of_use(DataFlowUse(snapshot.ops[user], position))
        return None if owner is None else snapshot.number_of(owner)


def _possible_sources(snapshot: Snapshot, op: int) -> Iterator[int]:
    """Return the op and the ops inside it; then, if it waits for another op, the ops before it, nearest first."""
    return chain((op, *snapshot.terminators(op)), range(op + 1, snapshot.ends[op]), range(op - 1, -1, -1))
