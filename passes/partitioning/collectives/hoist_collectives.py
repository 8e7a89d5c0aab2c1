"""Sends loop-invariant values once, before the loop.

    stablehlo.while(%x = %0, ...) do {
      %1 = sdy.all_gather [{"x"}] %x out_sharding=<@mesh, [{}]> : tensor<8xf32>
      ...
      stablehlo.return %x, ...
==> %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    stablehlo.while(%x = %0, ...) do {
      ...
      stablehlo.return %x, ...

The operand of a collective may be an outer value, an unchanged loop variable, or depend on those by ops on elements and
shapes, which move with it. Cost model: a loop is assumed to run more than once; the result lives as long as the loop.
All results together may take a mebibyte, which fills no device; beyond that they have to fit into the budget shared
with other passes (see `LiveBytes`), chosen by saving per byte.
"""

from __future__ import annotations

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.value_numbers import ValueNumbers, has_no_effects
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import is_visible
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.analysis.memory_budget import (
    SMALL,
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    small_or_affordable,
    within_remat_budget,
)
from sdy.passes.partitioning.collectives.sum_patterns import FREE, SENDING, sent_bytes
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.idioms.loops import WHILE, loop_body, trip_count, unchanged_variables

_MOVABLE = frozenset({"stablehlo.transpose", *FREE})

_ROUNDS = 2
"""Assumed trip count of loops with unknown trip count."""


@dataclass(frozen=True)
class _Invariant:
    """A collective in the body of a loop that sends the same in every round."""

    loop: ir.Operation
    op: ir.Operation


@function_pattern("hoist-collectives", WHILE)
def hoist_collectives(func: ir.Operation, rewriter: Rewriter[KeptBytesOptions]) -> bool:
    """Hoist loop-invariant collectives out of loops, as far as memory allows."""
    found = [each for loop in ops_named(func, WHILE) for each in _invariants(loop)]
    for each in _worth_it(rewriter, found):
        _hoist(each)
    return bool(found)


def _invariants(loop: ir.Operation) -> list[_Invariant]:
    body, outside = loop_body(loop), unchanged_variables(loop)
    sending = [view.operation for view in body.operations if view.operation.name in SENDING]
    return [_Invariant(loop, op) for op in sending if _is_invariant(op.operands[0], body, outside)]


def _worth_it(rewriter: Rewriter[KeptBytesOptions], found: list[_Invariant]) -> list[_Invariant]:
    """Return the candidates whose results may be kept while their loops run."""
    if not found:
        return []
    layouts = rewriter.layouts
    if sum(layouts.of_value(each.op.results[0]).local_bytes for each in found) <= SMALL:
        return found
    live = LiveBytes(rewriter.func, layouts)
    candidates = [_candidate(each, live, layouts) for each in found]
    chosen = small_or_affordable(rewriter, candidates, live)
    return [each for each in found if any(each is one for one in chosen)]


def _candidate(each: _Invariant, live: LiveBytes, layouts: Layouts) -> Candidate[_Invariant]:
    """The result is live for the whole loop, instead of a part of each round."""
    result, block = each.op.results[0], each.loop.block
    size, at = live.size(result), live.number(each.loop, block)
    saved = ((trip_count(each.loop) or _ROUNDS) - 1) * sent_bytes(each.op, layouts)
    return Candidate(each, saved, (Span(block, at, at, size), live.span(result, -size)))


def _hoist(each: _Invariant) -> None:
    body, result = loop_body(each.loop), each.op.results[0]
    result.replace_all_uses_with(_moved(result, each.loop, body, unchanged_variables(each.loop)))
    each.op.erase()


def _is_invariant(value: ir.Value, body: ir.Block, outside: dict[ir.Value, ir.Value]) -> bool:
    """Return whether `value` can be had before the loop."""
    if value in outside:
        return True
    if isinstance(value, ir.BlockArgument):
        return value.owner != body
    op = value.owner.operation
    if op.block != body:
        return True
    if op.name not in _MOVABLE and op.name not in COLLECTIVES and not is_pure(op) and not is_constant(op):
        return False
    return all(_is_invariant(operand, body, outside) for operand in op.operands)


def _moved(value: ir.Value, loop: ir.Operation, body: ir.Block, outside: dict[ir.Value, ir.Value]) -> ir.Value:
    """A copy of an invariant value before the loop."""
    if value in outside:
        return outside[value]
    if isinstance(value, ir.BlockArgument) or value.owner.operation.block != body:
        return value
    op = value.owner.operation
    operands = [_moved(operand, loop, body, outside) for operand in op.operands]
    copy = op.clone(ip=ir.InsertionPoint(loop)).operation
    for number, operand in enumerate(operands):
        copy.operands[number] = operand
    return copy.results[ir.OpResult(value).result_number]


@function_pattern("keep-across-barriers", "stablehlo.optimization_barrier")
def keep_across_barriers(func: ir.Operation, rewriter: Rewriter[KeptBytesOptions]) -> bool:
    """Reuse the results of collectives behind a barrier."""
    replaced: list[ir.Value] = []
    for first, again in within_remat_budget(rewriter, _sent_again(func), _kept_candidate):
        for op in again:
            op.results[0].replace_all_uses_with(first.results[0])
            replaced.append(op.results[0])
    erase_unused(replaced, has_no_effects)
    return bool(replaced)


_Repeated = tuple[ir.Operation, list[ir.Operation]]
"""A collective, and later ones that give the same."""


def _kept_candidate(repeated: _Repeated, live: LiveBytes, layouts: Layouts) -> Candidate[_Repeated]:
    first, again = repeated
    block, size = first.block, live.size(first.results[0])
    start = live.last_use(first.results, block)
    kept = Span(block, start + 1, live.last_use([op.results[0] for op in again], block), size)
    instead = [Span(op.block, live.number(op, op.block), live.last_use(op.results, op.block), -size) for op in again]
    return Candidate(repeated, len(again) * sent_bytes(first, layouts), (kept, *instead))


def _sent_again(func: ir.Operation) -> list[_Repeated]:
    """Return the collectives that later ones repeat, and the later ones."""
    numbers = ValueNumbers()
    firsts: dict[tuple[int, TensorSharding | None], list[tuple[ir.Operation, list[ir.Operation]]]] = {}
    for op in ops_named(func, *sorted(SENDING)):
        value = op.results[0]
        known = firsts.setdefault((numbers.of(value), get_sharding(value)), [])
        again = next((again for first, again in known if is_visible(first, op)), None)
        if again is None:
            known.append((op, []))
        else:
            again.append(op)
    return [each for known in firsts.values() for each in known if each[1]]
