"""How many bytes a device holds while a program runs, and what it costs to hold more for a while.

An estimate of what XLA's buffers take, on the low side: values that an op on single elements makes for one user are
taken to be computed where they are used, arguments of the program are not counted, a loop variable that the body writes
to is one buffer. The order of ops is that of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import address, ir
from sdy.mlir.tensor_types import is_tensor
from sdy.passes.partitioning.facts.layout import Layouts
from sdy.stablehlo.idioms.loop_variables import WHILE, loop_body, unchanged_variables

_VIEWS = frozenset({"stablehlo.optimization_barrier", "stablehlo.reshape", "sdy.all_slice", "sdy.reshard"})
"""Ops whose results are taken to be their operands."""

_MADE_IN_PLACE = frozenset(
    {"stablehlo.broadcast_in_dim", "stablehlo.iota", "stablehlo.slice", "stablehlo.dynamic_slice"}
)
"""Ops that are taken to be computed where their only user is."""

_WRITES = "stablehlo.dynamic_update_slice"


@dataclass(frozen=True)
class Span:
    """So many `bytes` more from op `first` to op `last` of a block, both included; fewer if negative."""

    block: ir.Block
    first: int
    last: int
    bytes: float


@dataclass
class _Timeline:
    """What is held at each op of a block: its own values, and besides what the op holds inside."""

    numbers: dict[ir.Operation, int]
    held: np.ndarray
    inside: np.ndarray
    parent: tuple[ir.Block, int] | None = None
    children: dict[int, list[ir.Block]] = field(default_factory=dict)

    @property
    def peak(self) -> float:
        return float((self.held + self.inside).max(initial=0.0))


class LiveBytes:
    """The bytes that a device holds at each op of a function."""

    def __init__(self, func: ir.Operation, layouts: Layouts) -> None:
        self._layouts = layouts
        self._changed_by: dict[int, set[int]] = {}
        self._blocks: dict[ir.Block, _Timeline] = {}
        self._main = func.regions[0].blocks[0]
        self._read(self._main, None)

    @property
    def peak(self) -> float:
        """The most that is held at any time."""
        return self._blocks[self._main].peak

    def number(self, op: ir.Operation, block: ir.Block) -> int:
        """Where in `block` the op stands that is, or holds, `op`."""
        while op.block != block:
            op = op.block.owner.operation
        return self._blocks[block].numbers[op]

    def last_use(self, values: Iterable[ir.Value], block: ir.Block) -> int:
        """The last op of `block` that uses one of the values, or a view of one."""
        return max((self.number(user, block) for value in values for user in self._users(value)), default=0)

    def span(self, value: ir.OpResult, size: float) -> Span:
        """While the result of an op is held."""
        block = value.owner.operation.block
        return Span(block, self.number(value.owner.operation, block), self.last_use([value], block), size)

    def size(self, value: ir.Value) -> float:
        if not is_tensor(value.type) or not value.type.has_static_shape:
            return 0.0
        return self._layouts.of(value.type, get_sharding(value)).local_bytes

    def peak_with(self, spans: Sequence[Span]) -> float:
        """The peak if more is held."""
        self._add(spans, 1)
        peak = self.peak
        self._add(spans, -1)
        return peak

    def hold(self, spans: Sequence[Span]) -> None:
        """More is held from now on."""
        self._add(spans, 1)

    def _add(self, spans: Sequence[Span], sign: int) -> None:
        for span in spans:
            self._blocks[span.block].held[span.first : span.last + 1] += sign * span.bytes
            self._tell(span.block)

    def _tell(self, block: ir.Block) -> None:
        """Tells the ops around a block what they hold inside."""
        parent = self._blocks[block].parent
        while parent is not None:
            block, number = parent
            around = self._blocks[block]
            around.inside[number] = max(self._blocks[child].peak for child in around.children[number])
            parent = around.parent

    # Reading -----------------------------------------------------------------------------------------

    def _read(self, block: ir.Block, parent: tuple[ir.Block, int] | None) -> None:
        ops = [view.operation for view in block.operations]
        count = len(ops)
        numbers = {op: number for number, op in enumerate(ops)}
        mine = self._blocks[block] = _Timeline(numbers, np.zeros(count), np.zeros(count), parent)
        changes = np.zeros(count + 1)
        for number, op in enumerate(ops):
            for region in op.regions:
                for child in region.blocks:
                    self._read(child, (block, number))
                    mine.children.setdefault(number, []).append(child)
            if number in mine.children:
                mine.inside[number] = max(self._blocks[child].peak for child in mine.children[number])
            for value, first in self._made(op, number):
                changes[first] += self.size(value)
                changes[max(first, self.last_use([value], block)) + 1] -= self.size(value)
        mine.held = changes.cumsum()[:count]

    def _made(self, op: ir.Operation, number: int) -> list[tuple[ir.Value, int]]:
        """The results that take memory of their own, with the op from which on they do."""
        if op.name in _VIEWS or op.name == _WRITES or is_constant(op):
            return []
        if op.name == WHILE:
            changed = self._changed(op)
            return [(result, number) for position, result in enumerate(op.results) if position in changed]
        made = list(op.results)
        if (is_elementwise(op) or op.name in _MADE_IN_PLACE) and len(made) == 1 and len([*made[0].uses]) <= 1:
            return []
        return [(value, number) for value in made]

    def _changed(self, loop: ir.Operation) -> set[int]:
        """The numbers of the variables that the body of a loop changes."""
        key = address(loop.results[0]) if len(loop.results) else 0
        found = self._changed_by.get(key)
        if found is None:
            unchanged = unchanged_variables(loop)
            variables = enumerate(loop_body(loop).arguments)
            found = self._changed_by[key] = {number for number, variable in variables if variable not in unchanged}
        return found

    def _users(self, value: ir.Value) -> list[ir.Operation]:
        """The ops that use a value or what is the same buffer."""
        found: list[ir.Operation] = []
        pending = [value]
        while pending:
            for use in pending.pop().uses:
                user = use.owner.operation
                found.append(user)
                if user.name in _VIEWS:
                    pending.append(user.results[use.operand_number] if len(user.results) > 1 else user.results[0])
                elif user.name == _WRITES and use.operand_number == 0:
                    pending.append(user.results[0])
                elif user.name == WHILE and use.operand_number not in self._changed(user):
                    pending.append(user.results[use.operand_number])
        return found
