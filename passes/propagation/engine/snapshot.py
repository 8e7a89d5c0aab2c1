"""A module read into plain lists (design: Propagation).

Ops and values are numbered; everything that propagation asks while it runs is answered from lists of small integers.
The IR must not change while a snapshot is in use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from sdy.dialect.data_flow import DataFlowOp, interface, is_data_flow_op
from sdy.dialect.data_flow import Use as DataFlowUse
from sdy.mlir import address, ir
from sdy.mlir.functions import callee_name, is_return, main_function, symbol_name
from sdy.mlir.walk import pre_order
from sdy.passes.computations import COMPUTATION
from sdy.passes.propagation.engine.reading.copies import Copy, Expansion, distinct_ops, is_exact_clone
from sdy.passes.propagation.engine.reading.structure import Structure, StructureReader, TypeInfo, info_of, type_infos

Use = tuple[int, int]
"""(op, operand number)"""


class Snapshot:
    """Ops in pre-order, without the module itself; values: first all results, then all block arguments.

    Per op: `ops`, `names`, `attributes` (None where there are none, and in copies), `parents` (-1 at the top), `ends`
    (number behind the last nested op), `operands` and `results` (values). Only for ops with regions: `arguments`, those
    of the blocks, and `regions`, the ops directly in each of them. Per value: `types`, `num_uses`, and `definers`, the
    op whose result it is, or -1 for a block argument. `branching` lists the regions that have more than one block.

    `kinds` are those of `ClonedComputations`; what follows from them is not looked up in the IR. `copies` are the
    computations of which that is true, in order, `own` the ops that are not in their bodies.
    """

    def __init__(self, module: ir.Operation, kinds: Mapping[int, int] | None = None) -> None:
        self.module = module
        self._infos = type_infos.of(module.context)
        self.ops, read, copied = self._read(dict(kinds or {}))
        self.branching: list[ir.Region] = read.branching
        self._blocks: dict[int, list[ir.Block]] = read.blocks
        structure = read.structure
        self._numbers: dict[int, int] = read.numbers
        self.copies: list[Copy] = []
        self.own: Sequence[int] = range(len(self.ops))
        if copied:
            structure = self._expand(Expansion(structure, copied))
        self.names: list[str] = structure.names
        self.attributes: list[ir.OpAttributeMap | None] = structure.attributes
        self.parents: list[int] = structure.parents
        self.ends: list[int] = structure.ends
        self.operands: list[list[int]] = structure.operands
        self.results: list[range] = structure.results
        self.regions: dict[int, list[list[int]]] = structure.regions
        self.arguments: dict[int, list[int]] = structure.arguments
        self.types: list[TypeInfo] = structure.types
        self.definers: list[int] = structure.definers
        self.num_uses: list[int] = structure.num_uses
        self._argument_holders: list[int] = structure.holders
        self._uses: dict[int, list[Use]] = {}

    # Reading -------------------------------------------------------------------------------------

    def _read(self, kinds: dict[int, int]) -> tuple[list[ir.Operation], StructureReader, dict[int, int]]:
        """Reads the ops that are in no copies; returns them, and the copies with what each one is a copy of."""
        while True:
            # A walk is a good deal faster than to go through blocks, which look for the class of each op.
            ops, copied = distinct_ops(self.module, kinds) if kinds else (pre_order(self.module)[1:], {})
            read = StructureReader(self.module, ops, copied, self._infos)
            bad = {source for source in set(copied.values()) if not is_exact_clone(read.structure, source)}
            if not bad:
                return ops, read, copied
            gone = {kinds[address(ops[source].results[0])] for source in bad}
            kinds = {value: kind for value, kind in kinds.items() if kind not in gone}

    def _expand(self, expansion: Expansion) -> Structure:
        """Adds what is in copies."""
        whole, value_of = expansion.whole, expansion.value_of
        self.ops, self.copies = pre_order(self.module)[1:], expansion.copies
        assert len(self.ops) == len(whole.names)
        self.own = expansion.own
        self._blocks = {}
        self._numbers = {key: value_of[value] for key, value in self._numbers.items()}
        return whole

    def type_info(self, type_: ir.Type) -> TypeInfo:
        """What is known about a type."""
        return info_of(type_, self._infos)

    @cached_property
    def uses_in_order(self) -> list[list[Use]]:
        """The uses of each value in the order of the using ops."""
        uses: list[list[Use]] = [[] for _ in self.types]
        for user, row in enumerate(self.operands):
            for place, value in enumerate(row):
                uses[value].append((user, place))
        return uses

    def uses(self, value: int) -> list[Use]:
        """The uses of a value in use-list order: the latest use first, as a rule. This looks into the IR."""
        found = self._uses.get(value)
        if found is None:
            found = self.uses_in_order[value]
            if len(found) > 1:
                found = self._in_list_order(found, self.value(value))
            self._uses[value] = found
        return found

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
        """Which of the candidates `op` is."""
        return next(number for number in candidates if self.ops[number] == op)

    def value(self, number: int) -> ir.Value:
        """The value with that number."""
        holder = self.holder_of(number)
        if self.definers[number] >= 0:
            return self.ops[holder].results[number - self.results[holder].start]
        place = number - self.arguments[holder][0]
        for block in self._blocks_of(holder):
            if place < len(block.arguments):
                return block.arguments[place]
            place -= len(block.arguments)
        raise IndexError(number)

    def number_of(self, value: ir.Value) -> int:
        """The number of a value."""
        found = self._numbers.get(address(value))
        if found is None:
            # It is in a copy.
            self._numbers = {address(self.value(number)): number for number in range(len(self.types))}
            found = self._numbers[address(value)]
        return found

    def _blocks_of(self, op: int) -> list[ir.Block]:
        found = self._blocks.get(op)
        if found is None:
            found = self._blocks[op] = [block for region in self.ops[op].regions for block in region.blocks]
        return found

    def holder_of(self, value: int) -> int:
        """The op that `value` is a result of, or in a region of which it is an argument."""
        definer = self.definers[value]
        return self._argument_holders[value - len(self.types)] if definer < 0 else definer

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
        own = self.own_data_flow_ops
        return {op: own[op] if op in own else DataFlowInfo(self, op) for op in self.named(*self.data_flow_names)}

    @cached_property
    def own_data_flow_ops(self) -> dict[int, DataFlowInfo]:
        """Those that are in no copies."""
        own = set(self.own) if self.copies else self.own
        return {op: DataFlowInfo(self, op) for op in self.named(*self.data_flow_names) if op in own}

    def owner_of_use(self, op: int, user: int, position: int) -> int | None:
        """The owner whose edge is visited when a value used in or by a data-flow op changes, None if there is none."""
        if self.names[op] == COMPUTATION:
            return None if user == op else self.results[op][position]
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
            if target not in self.owner_of:
                self.owner_of[target] = number_of(flow.owner_of_target(snapshot.value(target)))

    def owner_of_use(self, snapshot: Snapshot, user: int, position: int) -> int | None:
        """The owner whose edge is visited when the value used there changes, None if there is none."""
        if self.flow.passes_through_body:
            return None if user == self._op else self.result_owners[position]
        owner = self.flow.owner_of_use(DataFlowUse(snapshot.ops[user], position))
        return None if owner is None else snapshot.number_of(owner)


def _possible_sources(snapshot: Snapshot, op: int) -> Iterator[int]:
    """The op and what is in it; then, for what waits for another op, those before it, the nearest first."""
    return chain((op, *snapshot.terminators(op)), range(op + 1, snapshot.ends[op]), range(op - 1, -1, -1))
