"""A module read into plain lists (design: Propagation).

Ops and values are numbered; everything that propagation asks while it runs is answered from lists of small integers.
The IR must not change while a snapshot is in use.
"""

from __future__ import annotations

from functools import cached_property

from sdy.dialect.data_flow import DataFlowOp, interface, is_data_flow_op
from sdy.dialect.data_flow import Use as DataFlowUse
from sdy.dialect.functions import callee_name, symbol_name
from sdy.mlir import ir
from sdy.passes.propagation.type_info import TypeInfo

Use = tuple[int, int]
"""(op, operand number)"""


class Snapshot:
    """Ops in pre-order, without the module itself; values in the order of the ops that define or hold them.

    Per op: `ops`, `names`, `parents` (-1 at the top), `ends` (number behind the last nested op), `operands` and
    `results` (values); `arguments` and `regions` only for ops with regions: the block arguments, and the ops directly
    in each region. Per value: `values`, `types`, `uses` in use-list order (the latest use first, as a rule), and
    `definers`, the op whose result it is, or -1 for a block argument.
    """

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self.ops: list[ir.Operation] = []
        self.names: list[str] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        self.operands: list[list[int]] = []
        self.results: list[range] = []
        self.arguments: dict[int, list[int]] = {}
        self.regions: dict[int, list[list[int]]] = {}
        self.values: list[ir.Value] = []
        self.types: list[TypeInfo] = []
        self.uses: list[list[Use]] = []
        self.definers: list[int] = []
        self._argument_holders: dict[int, int] = {}
        for region in module.regions:
            self._read_region(region, -1)
        self._read_uses()

    # Reading -------------------------------------------------------------------------------------

    def _read_region(self, region: ir.Region, parent: int) -> list[int]:
        ops, names, parents, ends = self.ops, self.names, self.parents, self.ends
        operands, results, values, definers = self.operands, self.results, self.values, self.definers
        members: list[int] = []
        for block in region.blocks:
            if parent >= 0:
                arguments = self.arguments.setdefault(parent, [])
                numbers = range(len(values), len(values) + len(block.arguments))
                arguments.extend(numbers)
                self._argument_holders.update(dict.fromkeys(numbers, parent))
                values.extend(block.arguments)
                definers.extend([-1] * len(block.arguments))
            for view in block.operations:
                op = view.operation
                number = len(ops)
                members.append(number)
                ops.append(op)
                names.append(op.name)
                parents.append(parent)
                operands.append([-1] * len(op.operands))
                op_results = op.results
                count = len(op_results)
                start = len(values)
                results.append(range(start, start + count))
                if count == 1:
                    values.append(op_results[0])
                    definers.append(number)
                elif count:
                    values.extend(op_results)
                    definers.extend([number] * count)
                ends.append(number + 1)
                if len(op.regions):
                    self.arguments[number] = []
                    self.regions[number] = [self._read_region(nested, number) for nested in op.regions]
                    ends[number] = len(ops)
        return members

    def _read_uses(self) -> None:
        numbers = {op: number for number, op in enumerate(self.ops)}
        operands, types, all_uses = self.operands, self.types, self.uses
        infos: dict[ir.Type, TypeInfo] = {}
        for number, value in enumerate(self.values):
            type_ = value.type
            info = infos.get(type_)
            if info is None:
                info = infos[type_] = TypeInfo.of(type_)
            types.append(info)
            uses: list[Use] = []
            for use in value.uses:
                user, position = numbers[use.owner], use.operand_number
                operands[user][position] = number
                uses.append((user, position))
            all_uses.append(uses)

    # Structure -----------------------------------------------------------------------------------

    def terminators(self, op: int) -> list[int]:
        """The last op of each region of `op`."""
        return [members[-1] for members in self.regions[op] if members]

    def holder_of(self, value: int) -> int:
        """The op that `value` is a result of, or in a region of which it is an argument."""
        definer = self.definers[value]
        return self._argument_holders[value] if definer < 0 else definer

    def entry_arguments(self, op: int) -> list[int]:
        """The arguments of the entry block of a function; none for a declaration."""
        blocks = self.ops[op].regions[0].blocks
        return self.arguments[op][: len(blocks[0].arguments)] if len(blocks) else []

    @cached_property
    def op_numbers(self) -> dict[ir.Operation, int]:
        return {op: number for number, op in enumerate(self.ops)}

    @cached_property
    def data_flow_ops(self) -> dict[int, DataFlowInfo]:
        """The ops that have data-flow edges."""
        found = {}
        for number, name in enumerate(self.names):
            if is_data_flow_op(name):
                found[number] = DataFlowInfo(self, number)
        return found

    # Functions -----------------------------------------------------------------------------------

    @cached_property
    def functions(self) -> dict[str, int]:
        """The functions at the top level, by name."""
        return {
            symbol_name(self.ops[number]): number
            for number, name in enumerate(self.names)
            if name == "func.func" and self.parents[number] < 0
        }

    def callee(self, call: int) -> int | None:
        """The function that a `func.call` calls."""
        return self.functions.get(callee_name(self.ops[call]))

    def returned(self, function: int) -> list[int]:
        """The values that a function returns; none for a declaration."""
        regions = self.regions.get(function, [])
        members = regions[0] if regions else []
        exit_ = next((op for op in reversed(members) if self.names[op] == "func.return"), None)
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

    `owners` lists block-argument owners, then result owners. The mappings are by owner, `owner_of` by target.
    """

    def __init__(self, snapshot: Snapshot, op: int) -> None:
        flow = interface(snapshot.ops[op])
        assert flow is not None
        self.flow: DataFlowOp = flow
        arguments, results = snapshot.arguments.get(op, []), snapshot.results[op]
        numbers = {snapshot.values[value]: value for value in (*arguments, *results)}
        self.block_arg_owners = [numbers[owner] for owner in flow.block_arg_owners()]
        self.result_owners = [numbers[owner] for owner in flow.result_owners()]
        self.owners = self.block_arg_owners + self.result_owners
        self.owner_of = {number: numbers[flow.owner_of_target(value)] for value, number in numbers.items()}
        self.sources: dict[int, list[Use]] = {}
        self.other_targets: dict[int, list[int]] = {}
        for owner in self.owners:
            value = snapshot.values[owner]
            self.sources[owner] = [(snapshot.op_numbers[use.owner], use.operand_number) for use in flow.sources(value)]
            self.other_targets[owner] = [numbers[target] for target in flow.other_targets(value)]
        self._snapshot, self._numbers = snapshot, numbers

    def owner_of_use(self, user: int, position: int) -> int | None:
        """The owner whose edge is visited when the value used there changes, None if there is none."""
        owner = self.flow.owner_of_use(DataFlowUse(self._snapshot.ops[user], position))
        return None if owner is None else self._numbers.get(owner)
