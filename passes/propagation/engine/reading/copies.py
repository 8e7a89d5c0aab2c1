"""Computations whose bodies are clones of others: their numbers follow from those of the others, without the IR.

A program in which every function calls another one twice has computations without number, but few that differ.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from sdy.dialect.data_flow import EDGE, is_data_flow_op
from sdy.mlir import address, ir
from sdy.passes.computations import COMPUTATION
from sdy.passes.propagation.engine.reading.structure import Structure
from sdy.passes.propagation.engine.type_info import TypeInfo

_TIED_ELSEWHERE = frozenset({"sdy.sharding_group", "sdy.func_data_flow_edge", "func.call", "func.func"})
"""Ops that say something about values or functions outside of the body that they are in."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A computation whose body is a clone of that of `source`, one before it.

    `ops` are those in the body, `results` the values that they define, `arguments` those of all blocks. The numbers of
    the source's are less by the shifts; what is in a body uses nothing else.
    """

    source: int
    op: int
    ops: range
    results: range
    arguments: range
    op_shift: int
    result_shift: int
    argument_shift: int


def distinct_ops(module: ir.Operation, kinds: Mapping[int, int]) -> tuple[list[ir.Operation], dict[int, int]]:
    """The ops below `module`, parents first, without the bodies of computations of a kind that was there before.

    Returns these computations, too, by their positions, each with the position of the first of its kind.
    """
    found: list[ir.Operation] = []
    first: dict[int, int] = {}
    copied: dict[int, int] = {}
    advance, skip = ir.WalkResult.ADVANCE, ir.WalkResult.SKIP

    def visit(op: ir.Operation) -> ir.WalkResult:
        position = len(found)
        found.append(op)
        if op.name != COMPUTATION or not len(op.results):
            return advance
        kind = kinds.get(address(op.results[0]))
        if kind is None:
            return advance
        source = first.setdefault(kind, position)
        if source == position:
            return advance
        copied[position] = source
        return skip

    module.walk(visit, ir.WalkOrder.PRE_ORDER)
    # The first one is the module.
    return found[1:], {position - 1: source - 1 for position, source in copied.items()}


def is_copied_well(core: Structure, source: int) -> bool:
    """Whether all in the body of a computation is found in its copies where it is expected.

    That is so if all arguments and results of computations have edges, and nothing else has a list of shardings.
    """
    with_edges = {core.operands[op][0] for op in range(source, core.ends[source]) if core.names[op] == EDGE}
    owners = list(core.arguments[source])
    for op in range(source + 1, core.ends[source]):
        if core.names[op] == COMPUTATION:
            owners += [*core.arguments.get(op, ()), *core.results[op]]
        elif len(core.results[op]) > 1 or is_data_flow_op(core.names[op]) or core.names[op] in _TIED_ELSEWHERE:
            return False
    return all(core.num_uses[owner] == 1 and owner in with_edges for owner in owners)


class Expansion:
    """Adds the bodies of copies to the lists of a snapshot that has been read without them.

    `whole` are the lists with them, `copies` what was added, `own` the new numbers of the ops that were there, and
    `value_of` those of the values.
    """

    def __init__(self, core: Structure, copied: Mapping[int, int]) -> None:
        self.whole = Structure()
        self.copies: list[Copy] = []
        self._core, self._copied = core, copied
        self._ops: list[int] = []
        """The new number of each op, then their number; `_results` and `_arguments` likewise count those before."""
        self._results: list[int] = []
        self._arguments: list[int] = []
        self._count()
        self._first_argument = self._results[-1]
        self.value_of = self._find_values()
        self._with_regions: list[int] = []
        self._of_arguments: tuple[list[TypeInfo], list[int]] = [], []
        """The types of block arguments and how often they are used."""
        for op in range(len(core.names)):
            self._add(op)
            if op in copied:
                self._copy(op, copied[op])
        self._add_arguments()
        self.own = self._ops[:-1]

    def _count(self) -> None:
        core, counts = self._core, (self._ops, self._results, self._arguments)
        ops = results = arguments = 0
        for op, of_op in enumerate(core.results):
            for counted, count in zip(counts, (ops, results, arguments), strict=True):
                counted.append(count)
            ops, results, arguments = ops + 1, results + len(of_op), arguments + len(core.arguments.get(op, ()))
            source = self._copied.get(op)
            if source is not None:
                end = core.ends[source]
                ops += self._ops[end] - self._ops[source] - 1
                results += self._results[end] - self._results[source] - len(core.results[source])
                arguments += self._arguments[end] - self._arguments[source]
        for counted, count in zip(counts, (ops, results, arguments), strict=True):
            counted.append(count)

    def _find_values(self) -> list[int]:
        core, found = self._core, [0] * len(self._core.types)
        for op, results in enumerate(core.results):
            for index, value in enumerate(results):
                found[value] = self._results[op] + index
        for op, arguments in core.arguments.items():
            for index, value in enumerate(arguments):
                found[value] = self._first_argument + self._arguments[op] + index
        return found

    def _add(self, op: int) -> None:
        """Adds an op that has been read."""
        core, whole, number_of, value_of = self._core, self.whole, self._ops, self.value_of
        results, number = core.results[op], number_of[op]
        whole.names.append(core.names[op])
        whole.attributes.append(core.attributes[op])
        whole.parents.append(-1 if core.parents[op] < 0 else number_of[core.parents[op]])
        whole.ends.append(number_of[core.ends[op]])
        whole.operands.append([value_of[value] for value in core.operands[op]])
        whole.results.append(range(self._results[op], self._results[op] + len(results)))
        whole.types += core.types[results.start : results.stop]
        whole.num_uses += core.num_uses[results.start : results.stop]
        whole.definers += [number] * len(results)
        if op in core.regions:
            arguments, (types, num_uses) = core.arguments[op], self._of_arguments
            self._with_regions.append(number)
            whole.regions[number] = [[number_of[member] for member in members] for members in core.regions[op]]
            whole.arguments[number] = [value_of[value] for value in arguments]
            whole.holders += [number] * len(arguments)
            types += [core.types[value] for value in arguments]
            num_uses += [core.num_uses[value] for value in arguments]

    def _copy(self, op: int, source: int) -> None:
        """Adds the body of `op`, which is that of `source`."""
        core, whole, end = self._core, self.whole, self._core.ends[source]
        number, original, original_end = self._ops[op], self._ops[source], self._ops[end]
        results = range(self._results[source] + len(core.results[source]), self._results[end])
        arguments = range(self._arguments[source], self._arguments[end])
        shift, argument_shift = number - original, self._arguments[op] - self._arguments[source]
        result_shift = self._results[op] + len(core.results[op]) - results.start
        self._copy_ops(slice(original + 1, original_end), shift, result_shift, argument_shift)
        whole.types += whole.types[results.start : results.stop]
        whole.num_uses += whole.num_uses[results.start : results.stop]
        whole.definers += [definer + shift for definer in whole.definers[results.start : results.stop]]
        for of_arguments in self._of_arguments:
            of_arguments += of_arguments[arguments.start : arguments.stop]
        whole.holders += [holder + shift for holder in whole.holders[arguments.start : arguments.stop]]
        first = self._first_argument + argument_shift
        self.copies.append(
            Copy(
                original,
                number,
                range(number + 1, original_end + shift),
                range(results.start + result_shift, results.stop + result_shift),
                range(arguments.start + first, arguments.stop + first),
                shift,
                result_shift,
                argument_shift,
            )
        )

    def _copy_ops(self, ops: slice, shift: int, result_shift: int, argument_shift: int) -> None:
        whole, first_argument = self.whole, self._first_argument
        whole.names += whole.names[ops]
        whole.attributes += [None] * (ops.stop - ops.start)
        whole.parents += [parent + shift for parent in whole.parents[ops]]
        whole.ends += [end + shift for end in whole.ends[ops]]
        whole.results += [
            range(results.start + result_shift, results.stop + result_shift) for results in whole.results[ops]
        ]
        whole.operands += [
            [value + (result_shift if value < first_argument else argument_shift) for value in operands]
            for operands in whole.operands[ops]
        ]
        # The computation itself has a region, too.
        start, stop = (bisect_left(self._with_regions, op) for op in (ops.start - 1, ops.stop))
        for holder in self._with_regions[start:stop]:
            self._with_regions.append(holder + shift)
            whole.regions[holder + shift] = [[op + shift for op in members] for members in whole.regions[holder]]
            whole.arguments[holder + shift] = [value + argument_shift for value in whole.arguments[holder]]

    def _add_arguments(self) -> None:
        types, num_uses = self._of_arguments
        self.whole.types += types
        self.whole.num_uses += num_uses
        self.whole.definers += [-1] * len(types)
