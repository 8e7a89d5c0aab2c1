"""Backward fragments split in two, and forward fragments computed again in front of them (spec: mpmd, 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.dialect.mpmd import mpmd_builders
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, holder_in, remade, use_instead, users
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity, pre_order
from sdy.passes.mpmd.common.fragment_editing import set_returned
from sdy.passes.mpmd.common.fragments import (
    CALL_COUNTER,
    FRAGMENT,
    REMAT,
    SPLIT_DROP,
    SPLIT_KEEP,
    TRANSFER,
    block_of,
    call_counter,
    fragments_in,
    is_mpmd_function,
    mesh_name_of,
    next_on_mesh,
    returned,
    split_type,
    stage_of,
    transpose_count,
)
from sdy.passes.mpmd.common.merging import merge
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


@pass_("mpmd-split-bwd-fragments", on=FUNCTION)
def split_bwd_fragments(func: ir.Operation) -> None:
    """mpmd-split-bwd-fragments: Split backward fragments into transferred results and the rest.

        %1:2 = mpmd.fragment<mesh="m2", origin=["f"(1)]> (%0) ...  // %1#0 is transferred, %1#1 is not
    ==> %1:2 = mpmd.fragment<mesh="m2", origin=["f"(1)]> (%0) {split_keep_transferred} ...
        %2 = mpmd.fragment<mesh="m2", origin=["f"(1)]> (%0, %1#1) {split_drop_transferred} ...

    The first half passes intermediate values to the second by additional results; nothing is computed twice.

    Spec: mpmd, 5.
    """
    for fragment in ops_named(func, FRAGMENT):
        if transpose_count(fragment) == 1 and split_type(fragment) is None:
            pulled = [result for result in fragment.results if not _is_transferred(result)]
            if 0 < len(pulled) < len(fragment.results):
                _split(fragment, [result.result_number for result in pulled])


def _is_transferred(result: ir.Value) -> bool:
    return any(user.name == TRANSFER for user in users(result))


def _split(fragment: ir.Operation, pulled: Sequence[int]) -> None:
    """Move the results of these numbers to a second fragment."""
    block, old = block_of(fragment), list(fragment.results)
    values = returned(fragment)
    kept = [number for number in range(len(old)) if number not in pulled]
    in_first = _slice(block, [values[number] for number in kept])
    residuals = _boundary(block, [values[number] for number in pulled], in_first)
    mesh = mesh_name_of(fragment)
    types = [mpmd_builders.mesh_tensor(mesh, value.type) for value in residuals]
    first = remade(fragment, list(fragment.operands), [*(old[number].type for number in kept), *types])
    operands = [*fragment.operands, *list(first.results)[len(kept) :]]
    second = remade(fragment, operands, [old[number].type for number in pulled])
    first.attributes[SPLIT_KEEP] = second.attributes[SPLIT_DROP] = ir.UnitAttr.get()
    _move_rest(block, second, in_first, residuals, [values[number] for number in pulled])
    block.append_to(first.regions[0])
    set_returned(first, [*(values[number] for number in kept), *residuals])
    for numbers, half in ((kept, first), (pulled, second)):
        for number, result in zip(numbers, half.results, strict=False):
            old[number].replace_all_uses_with(result)
    fragment.erase()


def _slice(block: ir.Block, values: Sequence[ir.Value]) -> set[object]:
    """The identities of the ops of a block that values depend on."""
    found, pending = set[object](), list(values)
    while pending:
        op = defining_op(pending.pop())
        if op is None:
            continue
        op = holder_in(op, block)
        if identity(op) not in found:
            found.add(identity(op))
            pending += _used(op)
    return found


def _used(op: ir.Operation) -> list[ir.Value]:
    """Return the operands of an op and of the ops in its regions."""
    return [operand for each in pre_order(op) for operand in each.operands]


def _boundary(block: ir.Block, values: Sequence[ir.Value], in_first: set[object]) -> list[ir.Value]:
    """Return the arguments and results of the first half that values depend on, in the order of a stack."""
    found, seen, pending = list[ir.Value](), set[ir.Value](), list(values)
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = defining_op(value)
        is_inner = op is not None and holder_in(op, block) != op
        if is_inner or (op is None and value.owner != block):
            continue
        if op is None or identity(op) in in_first:
            found.append(value)
        else:
            pending += _used(op)
    return found


def _move_rest(
    block: ir.Block,
    second: ir.Operation,
    in_first: set[object],
    residuals: Sequence[ir.Value],
    values: Sequence[ir.Value],
) -> None:
    """Move the other ops to the second half, with arguments for the values of the first half."""
    types = [each.type for each in (*block.arguments, *residuals)]
    new = second.regions[0].blocks.append(*types, arg_locs=[second.location] * len(types))
    end = ir.Operation.create("mpmd.return", operands=list(values), loc=second.location, ip=ir.InsertionPoint(new))
    rest = [view.operation for view in block.operations][:-1]
    for op in rest:
        if identity(op) not in in_first:
            op.move_before(end)
    count = len(block.arguments)
    given = dict(zip(block.arguments, list(new.arguments)[:count], strict=True))
    given |= dict(zip(residuals, list(new.arguments)[count:], strict=True))
    _drop_ops_on(new, in_first, given)
    for view in new.operations:
        use_instead(view.operation, given)


def _drop_ops_on(block: ir.Block, in_first: set[object], given: Mapping[ir.Value, ir.Value]) -> None:
    """Erase ops that need other values of the first half; their results are unused."""
    dropped: list[ir.Operation] = []
    missing = set(in_first)
    for op in [view.operation for view in block.operations][:-1]:
        makers = [defining_op(value) for value in _used(op) if value not in given]
        if any(maker is not None and identity(maker) in missing for maker in makers):
            missing.add(identity(op))
            dropped.append(op)
    for op in reversed(dropped):
        op.erase()


@dataclass(frozen=True)
class RematOptions:
    """Options under upstream's names."""

    merge_remat_fragments: bool = option(False, "merge rematerialized fragments into the backward fragment")


@pass_("mpmd-remat-fragment", on=FUNCTION, options=RematOptions)
def remat_fragment(func: ir.Operation, options: RematOptions) -> None:
    """mpmd-remat-fragment: Recompute forward fragments in front of their backward fragments, to save memory.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        ...
        %5 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1, %4) ...
    ==> %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        ...
        %5 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {remat} ...
        %6 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%5, %4) ...

    Spec: mpmd, 5.
    """
    if not is_mpmd_function(func):
        return
    for forward in [op for op in fragments_in(func) if transpose_count(op) == 0]:
        following = next_on_mesh(forward)
        for backward in _backward_users(forward):
            if backward != following:
                _remat(forward, backward, is_merged=options.merge_remat_fragments)


def _backward_users(forward: ir.Operation) -> list[ir.Operation]:
    """The backward fragments of the same microbatch and stage that use a fragment, in program order."""
    using = {identity(user) for result in forward.results for user in users(result)}
    return [
        op
        for op in fragments_in(forward.parent.operation)
        if identity(op) in using
        and transpose_count(op) == 1
        and call_counter(op) == call_counter(forward) is not None
        and stage_of(op) == stage_of(forward)
    ]


def _remat(forward: ir.Operation, backward: ir.Operation, *, is_merged: bool) -> None:
    clone = forward.clone(ip=ir.InsertionPoint(backward)).operation
    use_instead(backward, dict(zip(forward.results, clone.results, strict=True)))
    if not is_merged:
        clone.attributes[REMAT] = ir.UnitAttr.get()
        return
    counter = backward.attributes.get(CALL_COUNTER)
    merged = merge(clone, backward, backward)
    merged.attributes[REMAT] = ir.UnitAttr.get()
    if counter is not None:
        merged.attributes[CALL_COUNTER] = counter
