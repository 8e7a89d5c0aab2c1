"""What values are called when numbers count up over the whole module, or ops without results have numbers, too.

Upstream's printer knows these ways as ``--mlir-print-unique-ssa-ids`` and ``--mlir-print-value-users``, which the
bindings do not pass on. Names are given here in the order in which upstream gives them: a region at a time, the last
one first, and only then the regions inside of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sdy.dialect.program_values import printed_names
from sdy.mlir import ir
from sdy.mlir.walk import identity, pre_order

_NUMBERED = re.compile(r"%\d+(#\d+)?")
_ARGUMENT = re.compile(r"%arg\d+")
_CONFLICT = re.compile(r"_\d+$")


@dataclass(slots=True)
class _Counters:
    """The next numbers: of values, of arguments of entry blocks, of names that are taken."""

    value: int = 0
    argument: int = 0
    conflict: int = 0

    def copy(self) -> _Counters:
        return _Counters(self.value, self.argument, self.conflict)


@dataclass(slots=True)
class _Scope:
    """The names that are taken in a region and around it."""

    around: _Scope | None = None
    names: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        return name in self.names or (self.around is not None and self.around.has(name))


class ValueNames:
    """The names of the values of a module, and the numbers of its ops without results.

    Ops are told apart by their position in the module, parents first. `of_op` is what the results of an op are called
    together, or the number of one without results; `of_argument` are the names of block arguments, by the op around,
    the region, the block, and their number.
    """

    def __init__(self, module: ir.Operation, *, are_unique: bool, ops_have_numbers: bool) -> None:
        self.of_op: dict[int, str] = {}
        self.of_argument: dict[tuple[int, int, int, int], str] = {}
        ops = pre_order(module)
        self._position = {identity(op): position for position, op in enumerate(ops)}
        self._state = printed_names(module)
        self._are_unique, self._ops_have_numbers = are_unique, ops_have_numbers
        self._counters = _Counters()
        self._scope = _Scope()
        self._name_all(module)
        self._share_loop_arguments(ops)

    def _name_all(self, module: ir.Operation) -> None:
        pending = [(module, number, self._counters.copy(), self._scope) for number in range(len(module.regions))]
        self._name_op(module)
        while pending:
            owner, number, counters, scope = pending.pop()
            self._counters = self._counters if self._are_unique else counters
            self._scope = _Scope(scope)
            region = owner.regions[number]
            for position, block in enumerate(region.blocks):
                self._name_block(owner, number, position, block)
            for op in (each.operation for block in region.blocks for each in block.operations):
                pending += [(op, each, self._counters.copy(), self._scope) for each in range(len(op.regions))]

    def _name_block(self, owner: ir.Operation, region: int, block_number: int, block: ir.Block) -> None:
        for argument in block.arguments:
            shown = argument.get_name(self._state)
            if _ARGUMENT.fullmatch(shown):
                name = self._free(f"arg{self._counters.argument}")
                self._counters.argument += 1
            else:
                name = self._given_or_next(shown)
            self.of_argument[self._position[identity(owner)], region, block_number, argument.arg_number] = name
        for op in block.operations:
            self._name_op(op.operation)

    def _name_op(self, op: ir.Operation) -> None:
        if len(op.results):
            self.of_op[self._position[identity(op)]] = self._given_or_next(
                op.results[0].get_name(self._state).partition("#")[0]
            )
        elif self._ops_have_numbers:
            self.of_op[self._position[identity(op)]] = self._next()

    def _given_or_next(self, shown: str) -> str:
        """The name that an op gives a value, which `shown` has with a number if it is taken; or else a number."""
        return self._next() if _NUMBERED.fullmatch(shown) else self._free(_CONFLICT.sub("", shown[1:]))

    def _next(self) -> str:
        self._counters.value += 1
        return str(self._counters.value - 1)

    def _free(self, name: str) -> str:
        found = name
        while self._scope.has(found):
            found = f"{name}_{self._counters.conflict}"
            self._counters.conflict += 1
        self._scope.names.add(found)
        return found

    def _share_loop_arguments(self, ops: list[ir.Operation]) -> None:
        """The two regions of a loop are printed with one list of arguments, which is that of the body."""
        for position, op in enumerate(ops):
            if op.name == "stablehlo.while":
                for number in range(len(op.operands)):
                    self.of_argument[position, 0, 0, number] = self.of_argument[position, 1, 0, number]
