"""Merges what is the same: collectives that send the same, ops that compute the same."""

from __future__ import annotations

from collections.abc import Hashable

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.value_numbers import has_no_effects, merge_equal, op_key
from sdy.mlir import ir
from sdy.mlir.rewriting import users
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity, pre_order
from sdy.passes.manager import run_upstream
from sdy.passes.partitioning.collectives.analysis.rematerialize_halo_concat import rematerialize_halo_concat
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo.idioms.loops import WHILE

_LOCAL_COLLECTIVES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)

_LOOP = "innermost_loop"
"""The attribute by which ops in a loop differ from those around it; only while ops are merged."""


@function_pattern("equal-collectives", *sorted(COLLECTIVES))
def merge_equal_collectives(func: ir.Operation, _: Rewriter) -> bool:
    """Send the same data the same way once, and nothing that no op reads.

    A collective replaces all later ones with the same operand and attributes in its block and in blocks inside of it.

    %1 = sdy.all_gather [{"x"}] %0 ...
    %2 = sdy.all_gather [{"x"}] %0 ...  ==>  %1
    """
    merged = merge_equal(ops_named(func, *sorted(COLLECTIVES)))
    erase_unused(op.results[0] for op in merged[0])
    return True


@function_pattern("equal-ops")
def merge_equal_ops(func: ir.Operation, _: Rewriter) -> bool:
    """Merge ops that compute the same, those in a loop among themselves.

    Upstream's `cse` would use what is before the loop in it, too. A device then held the transposed weight while the
    loop runs; in it, the transpose is mostly part of a product and takes no memory.
    """
    # An op in several loops gets the number of the innermost one, which comes last.
    loops = sorted(ops_named(func, WHILE), key=_depth)
    inside = [(number, op) for number, loop in enumerate(loops) for op in pre_order(loop) if op != loop]
    with func.context:
        numbers = [ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number) for number in range(len(loops))]
    for number, op in inside:
        op.attributes[_LOOP] = numbers[number]
    run_upstream("func.func(cse)", func)
    for loop in ops_named(func, WHILE):
        for op in pre_order(loop):
            if _LOOP in op.attributes:
                del op.attributes[_LOOP]
    return True


def _depth(op: ir.Operation) -> int:
    around = op.parent
    return 0 if around is None else 1 + _depth(around.operation)


@function_pattern("equal-local-collectives", *_LOCAL_COLLECTIVES)
def merge_equal_local_collectives(func: ir.Operation, _: Rewriter) -> bool:
    """Send the same data the same way once in the program of one device.

    Several exchanges may need the same rows of a neighbour: a convolution and the gradient of its kernel. Channels do
    not count; ops that then compute the same are merged, too, and collectives behind them. A concatenate with received
    rows that is used on both sides of the memory peak is rematerialized after it, if only these rows have to be kept.
    """
    while _merge_users(merge_equal(ops_named(func, *_LOCAL_COLLECTIVES), ignoring=("channel_handle",))[1]):
        pass
    rematerialize_halo_concat(func)
    return True


def _merge_users(shared: list[ir.Value]) -> bool:
    """Merge ops that compute the same of what is shared now, and so on; whether there are any."""
    pending, found = list(shared), False
    while pending:
        value = pending.pop()
        first: dict[Hashable, ir.Operation] = {}
        for op in {identity(user): user for user in users(value)}.values():
            if not has_no_effects(op) or len(op.regions) or len(op.results) != 1:
                continue
            earlier = first.setdefault((op_key(op), op.block), op)
            if earlier == op:
                continue
            if op.is_before_in_block(earlier):
                earlier.move_before(op)
            op.results[0].replace_all_uses_with(earlier.results[0])
            op.erase()
            pending.append(earlier.results[0])
            found = True
    return found
