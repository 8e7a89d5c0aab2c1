"""Analysis of whether the exact bits of a number matter: -0.0 or 0.0, or tiny values that may become zero.

The sign of zero has no effect in sums, in sums of products, and in comparisons. XLA, too, replaces `x + 0.0` by `x`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.ops.model import is_contraction
from sdy.mlir import ir
from sdy.mlir.rewriting import terminator
from sdy.stablehlo import views
from sdy.stablehlo.idioms.loops import WHILE
from sdy.stablehlo.idioms.reduction_bodies import combining_ops


def _stablehlo(names: str) -> frozenset[str]:
    return frozenset(f"stablehlo.{name}" for name in names.split())


_TAKE_EITHER = _stablehlo("add cosine exponential is_finite log logistic subtract")
"""Ops that give the same for both, or sums in which a zero's sign does not survive."""

_KEEP = frozenset({"sdy.all_gather", "sdy.all_slice", "sdy.all_to_all", "sdy.collective_permute", "sdy.reshard"}) | (
    _stablehlo(
        "broadcast_in_dim concatenate dynamic_slice dynamic_update_slice gather pad reshape reverse slice transpose"
    )
    | _stablehlo("abs convert maximum minimum multiply negate select tanh")
)
"""Ops with results of which the same can be asked."""

_KEEP_FIRST = _stablehlo("divide scatter")
"""Ops of which the same can be asked of the first operand."""

_REDUCING = _stablehlo("reduce reduce_window scatter")


def bits_matter(value: ir.Value) -> bool:
    """Return whether some user distinguishes numbers that are equal in arithmetic."""
    waiting, seen = [value], {value}
    while waiting:
        for use in waiting.pop().uses:
            op, number = use.owner.operation, use.operand_number
            if op.name in _TAKE_EITHER or is_contraction(op) or _compares(op) or _adds_up(op, number):
                continue
            found = list(_results(op, number))
            if not found:
                return True
            waiting += [each for each in found if each not in seen]
            seen.update(found)
    return False


def _compares(op: ir.Operation) -> bool:
    """Return whether an op compares numbers by their value, not in a total order of their bits."""
    compare = views.Compare.match(op)
    return compare is not None and compare.compare_type != "TOTALORDER"


def _adds_up(op: ir.Operation, number: int) -> bool:
    """Return whether operand `number` is added to others; the target of a scatter may keep its zeros."""
    is_added = op.name in _REDUCING and (number > 0 or op.name != "stablehlo.scatter")
    return is_added and combining_ops(op.regions[0]) == ["stablehlo.add"]


def _results(op: ir.Operation, number: int) -> Iterator[ir.Value]:
    """Return the values that operand `number` becomes; none if unknown."""
    if op.name == "stablehlo.return":
        yield from _carried(op, number)
    elif op.name == WHILE:
        yield op.results[number]
        for region in op.regions:
            yield region.blocks[0].arguments[number]
    elif op.name == "stablehlo.optimization_barrier":
        yield op.results[number]
    elif op.name in _KEEP or (op.name in _KEEP_FIRST and not number):
        yield op.results[0]


def _carried(end: ir.Operation, number: int) -> Iterator[ir.Value]:
    """Yield the loop values that carry operand `number` of the terminator of a loop body."""
    loop = None if end.parent is None else views.While.match(end.parent.operation)
    if loop is not None and terminator(loop.body) == end:
        yield loop.results[number]
        yield loop.body.arguments[number]
