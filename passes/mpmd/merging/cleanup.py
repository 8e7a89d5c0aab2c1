"""Passes that drop unused or duplicate values of fragments, and unneeded transfers (spec: mpmd, 4)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.functions import has_body
from sdy.mlir.greedy import apply_greedily, erase_dead_ops
from sdy.mlir.rewriting import defining_op, has_no_use, is_unused, replace
from sdy.passes.mpmd.common.fragment_editing import keep_operands, keep_results, used_arguments
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    TRANSFER,
    block_of,
    fragments_in,
    in_host_memory,
    move_behind_operand,
    ops_in,
    returned,
)
from sdy.passes.mpmd.common.simplification import simplify_at_boundary
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


@pass_("mpmd-fragment-dedup", on=FUNCTION)
def fragment_dedup(func: ir.Operation) -> None:
    """mpmd-fragment-dedup: Use the first of equal operands and results of a fragment; duplicates stay, unused.

        %1:2 = mpmd.fragment<...> (%0, %0) (%a: T, %b: T) { mpmd.return %b, %b : T, T }
    ==> %1:2 = mpmd.fragment<...> (%0, %0) (%a: T, %b: T) { mpmd.return %a, %a : T, T }  // and uses of %1#1 are of %1#0

    Spec: mpmd, 4.
    """
    for fragment in fragments_in(func):
        first_argument: dict[ir.Value, ir.Value] = {}
        for operand, argument in zip(fragment.operands, block_of(fragment).arguments, strict=True):
            kept = first_argument.setdefault(operand, argument)
            if kept != argument:
                argument.replace_all_uses_with(kept)
        first_result: dict[tuple[ir.Value, ir.Type], ir.Value] = {}
        for value, result in zip(returned(fragment), fragment.results, strict=True):
            kept = first_result.setdefault((value, result.type), result)
            if kept != result:
                result.replace_all_uses_with(kept)


@pass_("mpmd-fragment-dce", on=FUNCTION)
def fragment_dce(func: ir.Operation) -> None:
    """mpmd-fragment-dce: Drop unused results and operands of fragments, the ops behind them, and unused transfers.

        %1:2 = mpmd.fragment<...> (%0, %2) (%a: T, %b: T) { mpmd.return %a, %b : T, T }  // %1#1 is unused
    ==> %1 = mpmd.fragment<...> (%0) (%a: T) { mpmd.return %a : T }

    Spec: mpmd, 4.
    """
    for op in reversed(ops_in(func, FRAGMENT, TRANSFER)):
        if op.name == TRANSFER:
            if is_unused(op):
                op.erase()
            continue
        fragment = keep_results(op, lambda result: not has_no_use(result))
        erase_dead_ops(fragment.regions[0])
        fragment = keep_operands(fragment, used_arguments(fragment))
        if not len(fragment.results) and len(block_of(fragment).operations) == 1:
            fragment.erase()


@pass_("mpmd-remove-transfer-cycles", on=FUNCTION)
def remove_transfer_cycles(func: ir.Operation) -> None:
    """mpmd-remove-transfer-cycles: Replace a transfer back to a value's own type by the value.

        %1 = mpmd.transfer %0 : (!m1) -> !m2
        %2 = mpmd.transfer %1 : (!m2) -> !m1
    ==> %0 stands for %2

    Spec: mpmd, 4.
    """
    for op in reversed(ops_in(func, TRANSFER)):
        value = _value_before_cycle(op)
        if value is not None:
            replace(op, [value])


def _value_before_cycle(transfer: ir.Operation) -> ir.Value | None:
    """The closest value of the type of the result in the chain of operands in the memory of devices."""
    wanted = transfer.results[0].type
    if in_host_memory(transfer.results[0]):
        return None
    value = transfer.operands[0]
    while not in_host_memory(value):
        if value.type == wanted:
            return value
        op = defining_op(value)
        if op is None or op.name != TRANSFER:
            return None
        value = op.operands[0]
    return None


@pass_("mpmd-move-transfers-to-producer", on=FUNCTION)
def move_transfers_to_producer(func: ir.Operation) -> None:
    """mpmd-move-transfers-to-producer: Move each transfer right behind the op of its operand.

        %1 = mpmd.fragment<...> (%0) ...
        %2 = mpmd.fragment<...> (%0) ...
        %3 = mpmd.transfer %1
    ==> %1 = mpmd.fragment<...> (%0) ...
        %3 = mpmd.transfer %1
        %2 = mpmd.fragment<...> (%0) ...

    A transfer of an argument moves to the start of the function.

    Spec: mpmd, 4.
    """
    if not has_body(func):
        return
    for op in ops_in(func, TRANSFER):
        move_behind_operand(op)


@pass_("mpmd-simplify-program", on=FUNCTION)
def simplify_program(func: ir.Operation) -> None:
    """mpmd-simplify-program: Remove operands and results of fragments that are unused, equal or passed through.

        %1:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0, %0) (%a: T, %b: T) { mpmd.return %a, %b : T, T }
    ==> %0 stands for %1#0 and %1#1

    Dead ops go, and constants move to the start of their fragment, each once.

    Spec: mpmd, 6.
    """
    apply_greedily(func, {name: [simplify_at_boundary] for name in ("mpmd.named_computation", FRAGMENT)}, fold=True)
