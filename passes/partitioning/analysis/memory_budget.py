"""Memory budget for values that devices keep in order to send less. All patterns share one budget.

The budget limits the bytes that a device holds at any time, as `LiveBytes` estimates them. Keeping a value is free
while the device holds less than at its peak; the rest may raise the peak up to the limit. Values are chosen by saving
per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import holder_in
from sdy.mlir.tensor_types import i64_attr, is_tensor
from sdy.mlir.walk import identity
from sdy.passes.options import KEPT_BYTES, KEPT_BYTES_HELP, option
from sdy.passes.pattern_sets import PatternOptions, Rewriter
from sdy.stablehlo.idioms.loops import WHILE, loop_body, unchanged_variables
from sdy.stablehlo.op_table import Memory, ops_in_memory

if TYPE_CHECKING:
    from sdy.passes.costs.liveness import Names

T = TypeVar("T")

LIMIT = "sdy.kept_bytes_limit"
"""Attribute of a function: bytes that a device may hold at any time.

The first pattern that asks sets it, whichever pass it belongs to; the last pass with such patterns removes it.
"""

SMALL = 1 << 20
"""Bytes that fill no device."""

_SHARE = 50
"""By default the peak may grow by one part in so many."""


@dataclass(frozen=True)
class KeptBytesOptions(PatternOptions):
    """Options of patterns that keep received values in memory."""

    kept_bytes: int = option(KEPT_BYTES, KEPT_BYTES_HELP)


@dataclass(frozen=True)
class Candidate(Generic[T]):
    """A value that could be kept for these spans, so that each device sends `saved` bytes less."""

    what: T
    saved: float
    spans: tuple[Span, ...]

    @property
    def kept(self) -> float:
        """Return the kept bytes, without subtracting values that they replace."""
        return sum(span.bytes for span in self.spans if span.bytes > 0)

    @property
    def worth(self) -> float:
        """Bytes that are saved for each byte that is kept."""
        return self.saved / self.kept if self.kept else self.saved


def affordable(
    rewriter: Rewriter[KeptBytesOptions],
    candidates: Sequence[Candidate[T]],
    live: LiveBytes,
    *,
    is_thrown_away: bool = False,
) -> list[T]:
    """Return the candidates that fit the budget of a function, most valuable first; free ones always fit.

    A value that the program rematerializes `is_thrown_away`: unless bytes are granted for keeping, it is kept only
    where that costs nothing.
    """
    granted = rewriter.options.kept_bytes
    limit = _limit(rewriter.func, live, granted)
    if is_thrown_away and granted < 0:
        limit = live.peak
    chosen: list[T] = []
    for each in sorted(candidates, key=lambda each: -each.worth):
        if live.peak_with(each.spans) <= max(limit, live.peak):
            live.hold(each.spans)
            chosen.append(each.what)
    return chosen


def _limit(func: ir.Operation, live: LiveBytes, granted: int) -> float:
    if LIMIT not in func.attributes:
        most = int(live.peak + (granted if granted >= 0 else live.peak / _SHARE))
        func.attributes[LIMIT] = i64_attr(most)
    return func.attributes[LIMIT].value


def drop_limit(func: ir.Operation) -> bool:
    """Remove the limit from a function; return whether there was one."""
    if LIMIT not in func.attributes:
        return False
    del func.attributes[LIMIT]
    return True


def small_together(candidates: Sequence[Candidate[T]], live: LiveBytes) -> list[T]:
    """Return the most valuable ones whose total size is small for a device; `live` records them."""
    chosen: list[T] = []
    taken = 0.0
    for each in sorted(candidates, key=lambda each: -each.worth):
        if taken + each.kept <= SMALL:
            taken += each.kept
            live.hold(each.spans)
            chosen.append(each.what)
    return chosen


def small_or_affordable(
    rewriter: Rewriter[KeptBytesOptions],
    candidates: Sequence[Candidate[T]],
    live: LiveBytes,
    may_be_small: Callable[[T], bool] = lambda _: True,
) -> list[T]:
    """Return the candidates that `may_be_small` and together are small for a device, and others that fit the budget."""
    small = small_together([each for each in candidates if may_be_small(each.what)], live)
    others = [each for each in candidates if all(each.what is not what for what in small)]
    return [*small, *affordable(rewriter, others, live)]


def within_remat_budget(
    rewriter: Rewriter[KeptBytesOptions],
    found: Sequence[T],
    candidate: Callable[[T, LiveBytes, Layouts], Candidate[T]],
) -> list[T]:
    """Return the affordable candidates among values that the program rematerializes."""
    if not found:
        return []
    live = LiveBytes(rewriter.func, rewriter.layouts)
    candidates = [candidate(each, live, rewriter.layouts) for each in found]
    return affordable(rewriter, candidates, live, is_thrown_away=True)


_VIEWS = frozenset({"stablehlo.optimization_barrier", "stablehlo.reshape", "sdy.all_slice", "sdy.reshard"})
"""Ops whose results are taken to be their operands."""

_MADE_IN_PLACE = ops_in_memory(Memory.FUSED)
"""Ops that are taken to be computed where their only user is."""

_WRITES = "stablehlo.dynamic_update_slice"


@dataclass(frozen=True)
class Span:
    """`bytes` are added from op `first` to op `last` of a block, both included; removed if negative."""

    block: ir.Block
    first: int
    last: int
    bytes: float


@dataclass
class _Timeline:
    """Live bytes at each op of a block, and inside the op."""

    ops: list[ir.Operation]
    held: np.ndarray
    inside: np.ndarray
    parent: tuple[ir.Block, int] | None
    children: dict[int, list[ir.Block]]

    @property
    def peak(self) -> float:
        return float((self.held + self.inside).max(initial=0.0))

    @cached_property
    def numbers(self) -> dict[Hashable, int]:
        """Return the positions of the ops."""
        return {identity(op): number for number, op in enumerate(self.ops)}


class LiveBytes:
    """The bytes that a device holds at each op of a function.

    A low estimate of XLA's buffers: values that elementwise ops make for one user are assumed to be fused, arguments of
    the program are not counted, a loop variable that the body writes to is one buffer. The order of ops is that of the
    text.
    """

    def __init__(self, func: ir.Operation, layouts: Layouts) -> None:
        from sdy.passes.costs.liveness import LastUses

        self._layouts = layouts
        self._blocks: dict[ir.Block, _Timeline] = {}
        self._main = func.regions[0].blocks[0]
        self._uses = LastUses(self._main, self._names())
        self._read(self._main, None)

    @property
    def peak(self) -> float:
        """The most that is held at any time."""
        return self._blocks[self._main].peak

    def peak_at(self, block: ir.Block) -> int:
        """The op of a block at which most is held."""
        timeline = self._blocks[block]
        return int((timeline.held + timeline.inside).argmax()) if timeline.ops else 0

    def number(self, op: ir.Operation, block: ir.Block) -> int:
        """Return the position in `block` of the op that is, or holds, `op`."""
        return self._blocks[block].numbers[identity(holder_in(op, block))]

    def last_use(self, values: Iterable[ir.OpResult], block: ir.Block) -> int:
        """Return the last op of `block` that uses one of the values, or a view of one.

        They are made in the block or deeper.
        """
        return max((self._uses.last(value, block) or 0 for value in values), default=0)

    def span(self, value: ir.OpResult, size: float) -> Span:
        """While the result of an op is held."""
        block = value.owner.operation.block
        return Span(block, self.number(value.owner.operation, block), self.last_use([value], block), size)

    def is_held(self, value: ir.OpResult) -> bool:
        """Return whether a result takes memory of its own."""
        return value in self._made(value.owner.operation)

    def size(self, value: ir.Value) -> float:
        if not is_tensor(value.type) or not value.type.has_static_shape:
            return 0.0
        return self._layouts.of_value(value).local_bytes

    def peak_with(self, spans: Sequence[Span]) -> float:
        """The peak if more is held."""
        self._add(spans, 1)
        peak = self.peak
        self._add(spans, -1)
        return peak

    def hold(self, spans: Sequence[Span]) -> None:
        """Add spans to the live bytes."""
        self._add(spans, 1)

    def _add(self, spans: Sequence[Span], sign: int) -> None:
        for span in spans:
            self._blocks[span.block].held[span.first : span.last + 1] += sign * span.bytes
            self._tell(span.block)

    def _tell(self, block: ir.Block) -> None:
        """Add the values held inside a block to the ops around it."""
        parent = self._blocks[block].parent
        while parent is not None:
            block, number = parent
            around = self._blocks[block]
            around.inside[number] = max(self._blocks[child].peak for child in around.children[number])
            parent = around.parent

    # Reading -----------------------------------------------------------------------------------------

    def _names(self) -> Names:
        """Results that are the same buffers as operands."""
        views = dict.fromkeys(_VIEWS, lambda op: zip(op.results, op.operands, strict=True))
        return {**views, _WRITES: lambda op: ((op.results[0], op.operands[0]),), WHILE: self._unchanged}

    def _unchanged(self, loop: ir.Operation) -> list[tuple[ir.Value, ir.Value]]:
        """The variables that the body of a loop leaves as they are."""
        unchanged = unchanged_variables(loop)
        triples = zip(loop.results, loop.operands, loop_body(loop).arguments, strict=True)
        return [(result, operand) for result, operand, variable in triples if variable in unchanged]

    def _read(self, block: ir.Block, parent: tuple[ir.Block, int] | None) -> None:
        from sdy.passes.costs.liveness import held_at

        ops, children = self._uses.ops[block], self._uses.inside[block]
        spans = [
            (n, self._last(value, block, n), self.size(value)) for n, op in enumerate(ops) for value in self._made(op)
        ]
        mine = self._blocks[block] = _Timeline(ops, held_at(len(ops), spans), np.zeros(len(ops)), parent, children)
        for number, inner in children.items():
            for child in inner:
                self._read(child, (block, number))
            mine.inside[number] = max(self._blocks[child].peak for child in inner)

    def _last(self, value: ir.OpResult, block: ir.Block, first: int) -> int:
        last = self._uses.last(value, block)
        return first if last is None else last

    def _made(self, op: ir.Operation) -> Sequence[ir.OpResult]:
        """Return the results that take their own memory."""
        name = op.name
        if name in _VIEWS or name == _WRITES or is_constant(op):
            return ()
        if name == WHILE:
            return [result for result in op.results if not self._uses.is_name(result)]
        made = list(op.results)
        is_passing = len(made) == 1 and (name in _MADE_IN_PLACE or is_elementwise(op))
        return () if is_passing and len([*made[0].uses]) <= 1 else made
