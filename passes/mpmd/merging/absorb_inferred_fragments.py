"""mpmd-absorb-inferred-fragments: Merge inferred fragments into user fragments next to them, transfers out of the way.

    %1 = mpmd.fragment<mesh="m1", origin=[]> (%0) ...
    %2 = mpmd.transfer %1 : (!m1) -> !m2
    %3 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) ...
    %4 = mpmd.fragment<mesh="m2", origin=["g"]> (%2) ...
==> %3:2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
    %2 = mpmd.transfer %3#0 : (!m1) -> !m2
    %4 = mpmd.fragment<mesh="m2", origin=["g"]> (%2) ...
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.greedy import Rewriter, apply_greedily
from sdy.mlir.rewriting import defining_op, holder_in, users
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    INFERRED_BY,
    TRANSFER,
    is_entry_point,
    is_fragment,
    is_inferred_fragment,
    is_mpmd_function,
    is_user_fragment,
    move_behind_operand,
    move_to_first_user,
)
from sdy.passes.mpmd.common.merging import may_be_one, merge, merged_passes
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION

_OWN = ("mesh_name", "origin", "stage_id", "in_shardings", "out_shardings")


@dataclass(frozen=True)
class Options:
    """Options under upstream's names."""

    absorb_on_entry_point_function: bool = option(False, "also in entry points, not in callees alone")


@pass_("mpmd-absorb-inferred-fragments", on=FUNCTION, options=Options)
def absorb_inferred_fragments(func: ir.Operation, options: Options) -> None:
    """Spec: mpmd, 4."""
    if is_mpmd_function(func) and (options.absorb_on_entry_point_function or not is_entry_point(func)):
        apply_greedily(func, {FRAGMENT: [_absorb_producer, _absorb_user]}, fold=True)


def _is_root(fragment: ir.Operation) -> bool:
    """Return whether other fragments merge into a fragment: it is a user's, or the first or last of a chain."""
    if is_user_fragment(fragment):
        return True
    has_users = any(is_fragment(user) for result in fragment.results for user in users(result))
    return not has_users or not any(is_fragment(defining_op(operand)) for operand in fragment.operands)


def _absorb_producer(root: ir.Operation, rewriter: Rewriter) -> bool:
    """Merge an inferred fragment into the first of its users."""
    if not _is_root(root):
        return False
    for producer in _distinct([defining_op(operand) for operand in root.operands]):
        if not is_inferred_fragment(producer) or not may_be_one(producer, root):
            continue
        _delay_transfers(producer, rewriter)
        using = [holder_in(user, root.block) for result in producer.results for user in users(result)]
        if not any(user.is_before_in_block(root) for user in using):
            _replace(producer, root, root, rewriter)
            return True
    return False


def _absorb_user(root: ir.Operation, rewriter: Rewriter) -> bool:
    """Merge an inferred fragment into the last of its producers."""
    if not _is_root(root):
        return False
    for user in _distinct([user for result in root.results for user in users(result)]):
        if not is_inferred_fragment(user) or not may_be_one(root, user):
            continue
        _hasten_transfers(user)
        makers = [defining_op(operand) for operand in user.operands]
        if not any(op is not None and op != root and root.is_before_in_block(op) for op in makers):
            _replace(root, user, root, rewriter)
            return True
    return False


def _distinct(ops: list[ir.Operation | None]) -> list[ir.Operation]:
    found: list[ir.Operation] = []
    for op in ops:
        if op is not None and op not in found:
            found.append(op)
    return found


def _delay_transfers(producer: ir.Operation, rewriter: Rewriter) -> None:
    """Move the transfers of a fragment directly in front of their first users; erase those without users."""
    for transfer in [user for result in producer.results for user in users(result) if user.name == TRANSFER]:
        if not move_to_first_user(transfer):
            rewriter.erase(transfer)


def _hasten_transfers(user: ir.Operation) -> None:
    """Move the transfers that a fragment takes directly behind the ops of their operands."""
    for transfer in [defining_op(operand) for operand in user.operands]:
        if transfer is not None and transfer.name == TRANSFER:
            move_behind_operand(transfer)


def _replace(first: ir.Operation, second: ir.Operation, root: ir.Operation, rewriter: Rewriter) -> None:
    """Merge two fragments at the position of one of them, whose discardable attributes stay."""
    kept = {name: root.attributes[name] for name in root.attributes if name not in _OWN}
    inferred = merged_passes(root, second if root == first else first)
    merged = merge(first, second, root, rewriter)
    for name in [name for name in merged.attributes if name not in _OWN]:
        del merged.attributes[name]
    for name, attr in kept.items():
        merged.attributes[name] = attr
    if inferred is not None:
        merged.attributes[INFERRED_BY] = inferred
