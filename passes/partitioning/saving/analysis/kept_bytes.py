"""What may be kept on each device instead of being sent once more: one budget for all passes that keep something.

The budget is a limit of what a device holds at any time, as `LiveBytes` estimates it. What is kept while the device
holds less than at its peak is free; the rest may raise the peak up to the limit. What saves most for each byte comes
first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_facts import of_module
from sdy.mlir import ir
from sdy.passes.options import option
from sdy.passes.partitioning.partition_options import KEPT_BYTES, KEPT_BYTES_HELP
from sdy.passes.partitioning.saving.analysis.live_bytes import LiveBytes, Span

T = TypeVar("T")

LIMIT = "sdy.kept_bytes_limit"
"""The attribute of a function that says how many bytes a device may hold at any time for the sake of sending less."""

SMALL = 1 << 20
"""Bytes that fill no device."""

_SHARE = 50
"""By default the peak may grow by one part in so many."""


@dataclass(frozen=True)
class KeptBytesOptions:
    """Options of passes that keep what is sent."""

    kept_bytes: int = option(KEPT_BYTES, KEPT_BYTES_HELP)


@dataclass(frozen=True)
class Candidate(Generic[T]):
    """Something that could be kept for these spans, so that each device sends `saved` bytes less."""

    what: T
    saved: float
    spans: tuple[Span, ...]

    @property
    def kept(self) -> float:
        """Bytes that are kept, whatever is not held any more instead."""
        return sum(span.bytes for span in self.spans if span.bytes > 0)

    @property
    def worth(self) -> float:
        """Bytes that are saved for each byte that is kept."""
        return self.saved / self.kept if self.kept else self.saved


def affordable(
    func: ir.Operation,
    candidates: Sequence[Candidate[T]],
    live: LiveBytes,
    options: KeptBytesOptions,
    *,
    is_thrown_away: bool = False,
) -> list[T]:
    """What fits into the budget of a function, the most valuable first; what costs nothing always does.

    What the program has thrown away to compute it again `is_thrown_away`: unless bytes are granted for keeping, it is
    kept only where that costs nothing.
    """
    limit = _limit(func, live, options.kept_bytes)
    if is_thrown_away and options.kept_bytes < 0:
        limit = live.peak
    chosen: list[T] = []
    for each in sorted(candidates, key=lambda each: -each.worth):
        if live.peak_with(each.spans) <= max(limit, live.peak):
            live.hold(each.spans)
            chosen.append(each.what)
    return chosen


def small_together(candidates: Sequence[Candidate[T]], live: LiveBytes) -> list[T]:
    """The most valuable ones that, all of them together, take no more than what fills no device; `live` holds them."""
    chosen: list[T] = []
    taken = 0.0
    for each in sorted(candidates, key=lambda each: -each.worth):
        if taken + each.kept <= SMALL:
            taken += each.kept
            live.hold(each.spans)
            chosen.append(each.what)
    return chosen


def small_or_affordable(
    func: ir.Operation,
    candidates: Sequence[Candidate[T]],
    live: LiveBytes,
    options: KeptBytesOptions,
    may_be_small: Callable[[T], bool] = lambda _: True,
) -> list[T]:
    """Those that `may_be_small` and together fill no device, and of the others what fits into the budget."""
    small = small_together([each for each in candidates if may_be_small(each.what)], live)
    others = [each for each in candidates if all(each.what is not what for what in small)]
    return [*small, *affordable(func, others, live, options)]


def within_remat_budget(
    func: ir.Operation,
    found: Sequence[T],
    options: KeptBytesOptions,
    candidate: Callable[[T, LiveBytes, Layouts], Candidate[T]],
) -> list[T]:
    """What is affordable of things that the program has thrown away to compute them again."""
    if not found:
        return []
    layouts = Layouts(of_module(MeshTable, func))
    live = LiveBytes(func, layouts)
    candidates = [candidate(each, live, layouts) for each in found]
    return affordable(func, candidates, live, options, is_thrown_away=True)


def _limit(func: ir.Operation, live: LiveBytes, kept_bytes: int) -> float:
    """How many bytes a device may hold. The first who asks leaves that on the function for those that come later."""
    if LIMIT not in func.attributes:
        granted = kept_bytes if kept_bytes >= 0 else live.peak / _SHARE
        limit = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), int(live.peak + granted))
        func.attributes[LIMIT] = limit
    return func.attributes[LIMIT].value
