"""Computations whose bodies are clones of others: their numbers follow from those of the others, without the IR.

A program in which every function calls another one twice has computations without number, but few that differ.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sdy.dialect.data_flow import EDGE, is_data_flow_op
from sdy.mlir import address, ir
from sdy.passes.computations import COMPUTATION
from sdy.passes.propagation.engine.reading.structure import Structure, TypeInfo

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


def is_exact_clone(core: Structure, source: int) -> bool:
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


class _Counts(NamedTuple):
    """Numbers of ops, of their results and of block arguments."""

    ops: int = 0
    results: int = 0
    arguments: int = 0

    def plus(self, other: _Counts) -> _Counts:
        return _Counts(self.ops + other.ops, self.results + other.results, self.arguments + other.arguments)

    def minus(self, other: _Counts) -> _Counts:
        return _Counts(self.ops - other.ops, self.results - other.results, self.arguments - other.arguments)


class Expansion:
    """Adds the bodies of copies to the lists of a snapshot that has been read without them.

    `whole` are the lists with them, `copies` what was added, `own` the new numbers of the ops that were there, and
    `value_of` those of the values.
    """

    def __init__(self, core: Structure, copied: Mapping[int, int]) -> None:
        self.whole = Structure()
        self.copies: list[Copy] = []
        self._core, self._copied = core, copied
        self._before: list[_Counts] = []
        """What comes before each op, bodies of copies included; then the counts of all."""
        self._count()
        self._first_argument = self._before[-1].results
        self.own = [each.ops for each in self._before[:-1]]
        self.value_of = self._find_values()
        self._with_regions: list[int] = []
        self._of_arguments: tuple[list[TypeInfo], list[int]] = [], []
        """The types of block arguments and how often they are used."""
        for op in range(len(core.names)):
            self._add(op)
            if op in copied:
                self._copy(op, copied[op])
        types, num_uses = self._of_arguments
        self.whole.types += types
        self.whole.num_uses += num_uses
        self.whole.definers += [-1] * len(types)

    def _count(self) -> None:
        core, counts = self._core, _Counts()
        for op, results in enumerate(core.results):
            self._before.append(counts)
            counts = counts.plus(_Counts(1, len(results), len(core.arguments.get(op, ()))))
            source = self._copied.get(op)
            if source is not None:
                counts = counts.plus(self._before[core.ends[source]].minus(self._at_body(source)))
        self._before.append(counts)

    def _at_body(self, op: int) -> _Counts:
        """What comes before the body of an op: all before the op, the op and its results."""
        return self._before[op].plus(_Counts(1, len(self._core.results[op])))

    def _find_values(self) -> list[int]:
        core, found = self._core, [0] * len(self._core.types)
        for op, results in enumerate(core.results):
            for index, value in enumerate(results):
                found[value] = self._before[op].results + index
        for op, arguments in core.arguments.items():
            for index, value in enumerate(arguments):
                found[value] = self._first_argument + self._before[op].arguments + index
        return found

    def _add(self, op: int) -> None:
        """Adds an op that has been read."""
        core, whole, number_of, value_of = self._core, self.whole, self.own, self.value_of
        results, (number, first, _) = core.results[op], self._before[op]
        whole.names.append(core.names[op])
        whole.attributes.append(core.attributes[op])
        whole.parents.append(-1 if core.parents[op] < 0 else number_of[core.parents[op]])
        whole.ends.append(self._before[core.ends[op]].ops)
        whole.operands.append([value_of[value] for value in core.operands[op]])
        whole.results.append(range(first, first + len(results)))
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
        whole, start, stop = self.whole, self._at_body(source), self._before[self._core.ends[source]]
        shift = self._at_body(op).minus(start)
        ops, results, arguments = map(slice, start, stop)
        self._copy_ops(ops, shift)
        whole.types += whole.types[results]
        whole.num_uses += whole.num_uses[results]
        whole.definers += [definer + shift.ops for definer in whole.definers[results]]
        for of_arguments in self._of_arguments:
            of_arguments += of_arguments[arguments]
        whole.holders += [holder + shift.ops for holder in whole.holders[arguments]]
        new_ops, new_results, new_arguments = map(range, start.plus(shift), stop.plus(shift))
        first = self._first_argument
        new_arguments = range(new_arguments.start + first, new_arguments.stop + first)
        at = start.ops - 1
        self.copies.append(Copy(at, at + shift.ops, new_ops, new_results, new_arguments, *shift))

    def _copy_ops(self, ops: slice, shift: _Counts) -> None:
        whole, first_argument = self.whole, self._first_argument
        by, results_by, arguments_by = shift
        whole.names += whole.names[ops]
        whole.attributes += [None] * (ops.stop - ops.start)
        whole.parents += [parent + by for parent in whole.parents[ops]]
        whole.ends += [end + by for end in whole.ends[ops]]
        whole.results += [
            range(results.start + results_by, results.stop + results_by) for results in whole.results[ops]
        ]
        whole.operands += [
            [value + (results_by if value < first_argument else arguments_by) for value in operands]
            for operands in whole.operands[ops]
        ]
        # The computation itself has a region, too.
        start, stop = (bisect_left(self._with_regions, op) for op in (ops.start - 1, ops.stop))
        for holder in self._with_regions[start:stop]:
            self._with_regions.append(holder + by)
            whole.regions[holder + by] = [[op + by for op in members] for members in whole.regions[holder]]
            whole.arguments[holder + by] = [value + arguments_by for value in whole.arguments[holder]]
