"""Passes that merge fragments with fragments that use them, and functions with their calls (spec: mpmd, 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import body, callee_name, funcs, symbol_name
from sdy.mlir.rewriting import defining_op, holder_in, is_unused, move_out, replace, users
from sdy.mlir.search import ops_named
from sdy.mlir.walk import in_textual_order
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    SPLIT_DROP,
    SPLIT_KEEP,
    call_counter,
    fragments_in,
    is_user_fragment,
    next_on_mesh,
    origins_of,
    stage_of,
    transpose_count,
)
from sdy.passes.mpmd.common.merging import may_be_one, merge
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION

Accepts = Callable[[ir.Operation, ir.Operation], bool]
"""Predicate: a producer may be merged into a consumer."""

Candidates = Callable[[ir.Operation], Sequence[ir.Operation]]
"""The fragments that a producer may be merged with, in the order in which they are tried."""


def merge_with_candidates(func: ir.Operation, candidates: Candidates, accepts: Accepts) -> None:
    """Merge each fragment of a function, last first, as long as a candidate accepts it.

    A fragment without uses and effects is erased.
    """
    for fragment in reversed(fragments_in(func)):
        current: ir.Operation | None = fragment
        while current is not None:
            if is_unused(current) and is_effect_free(current):
                current.erase()
                break
            current = _merge_once(current, candidates(current), accepts)


def _merge_once(producer: ir.Operation, candidates: Sequence[ir.Operation], accepts: Accepts) -> ir.Operation | None:
    for consumer in candidates:
        if may_be_one(producer, consumer) and accepts(producer, consumer):
            place = _place(producer, consumer)
            if place is not None:
                return merge(producer, consumer, place)
    return None


def _place(producer: ir.Operation, consumer: ir.Operation) -> ir.Operation | None:
    """Return the fragment of two at which they can be merged; None if uses or operands prevent it."""
    block = producer.block
    using = [holder_in(user, block) for result in producer.results for user in users(result)]
    if not any(user.is_before_in_block(consumer) for user in using):
        return consumer
    makers = [defining_op(operand) for operand in consumer.operands]
    others = [op for op in makers if op is not None and op.block == block and op != producer]
    return producer if all(op.is_before_in_block(producer) for op in others) else None


def _fragment_users(producer: ir.Operation) -> list[ir.Operation]:
    """The fragments in the block of a fragment that use it, in program order."""
    found: list[ir.Operation] = []
    for result in producer.results:
        for user in users(result):
            if user.name == FRAGMENT and user.block == producer.block and user not in found:
                found.append(user)
    return in_textual_order(found, producer.parent.operation)


def _closest_user(producer: ir.Operation) -> list[ir.Operation]:
    return _fragment_users(producer)[:1]


def _next_on_mesh(producer: ir.Operation) -> list[ir.Operation]:
    """The next fragment in the block on the same mesh."""
    found = next_on_mesh(producer)
    return [] if found is None else [found]


@dataclass(frozen=True)
class MergeInferredOptions:
    """Options under upstream's names."""

    merge_any_consumer: bool = option(False, "try all users, not only the closest one")
    merge_sideways: bool = option(False, "merge with the next fragment of the mesh, whether it is a user or not")

    def __post_init__(self) -> None:
        if self.merge_any_consumer and self.merge_sideways:
            raise ValueError("'merge-any-consumer' and 'merge-sideways' exclude each other")


@pass_("mpmd-merge-inferred-fragments", on=FUNCTION, options=MergeInferredOptions)
def merge_inferred_fragments(func: ir.Operation, options: MergeInferredOptions) -> None:
    """mpmd-merge-inferred-fragments: Merge fragments with their users where one of the two is inferred.

        %1 = mpmd.fragment<mesh="m1", origin=[]> (%0) ...
        %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%1) ...
    ==> %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...

    Spec: mpmd, 4.
    """
    candidates = _closest_user
    if options.merge_sideways:
        candidates = _next_on_mesh
    elif options.merge_any_consumer:
        candidates = _fragment_users
    merge_with_candidates(func, candidates, _is_inferred_merge)


def _is_inferred_merge(producer: ir.Operation, consumer: ir.Operation) -> bool:
    if is_user_fragment(producer) and is_user_fragment(consumer):
        return False
    return not (SPLIT_KEEP in producer.attributes and SPLIT_DROP in consumer.attributes)


@pass_("mpmd-merge-user-fragments-into-scheduling-units", on=FUNCTION)
def merge_user_fragments(func: ir.Operation) -> None:
    """mpmd-merge-user-fragments-into-scheduling-units: Merge user fragments of one microbatch, direction and stage.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 1 : ui32} ...
        %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%1) {call_counter = 1 : ui32} ...
    ==> %2 = mpmd.fragment<mesh="m1", origin=["f", "g"]> (%0) {call_counter = 1 : ui32} ...

    Spec: mpmd, 4.
    """
    merge_with_candidates(func, _closest_user, _is_one_unit)


def _is_one_unit(producer: ir.Operation, consumer: ir.Operation) -> bool:
    if not (is_user_fragment(producer) and is_user_fragment(consumer)):
        return False
    for fragment in (producer, consumer):
        if transpose_count(fragment) is None:
            raise DiagnosticError(fragment, "has computations of several transpose counts")
    counters = call_counter(producer), call_counter(consumer)
    stages = stage_of(producer), stage_of(consumer)
    return transpose_count(producer) == transpose_count(consumer) and all(
        None in pair or pair[0] == pair[1] for pair in (counters, stages)
    )


@pass_("mpmd-merge-forward-with-backward", on=FUNCTION)
def merge_forward_with_backward(func: ir.Operation) -> None:
    """mpmd-merge-forward-with-backward: Merge a forward fragment with the backward one that follows on its mesh.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        %2 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1) ...
    ==> %2 = mpmd.fragment<mesh="m1", origin=["f", "f"(1)]> (%0) ...

    Spec: mpmd, 4.
    """
    merge_with_candidates(func, _closest_user, _is_forward_and_backward)


def _is_forward_and_backward(producer: ir.Operation, consumer: ir.Operation) -> bool:
    if {origin.transpose_count for origin in origins_of(producer)} != {0}:
        return False
    if {origin.transpose_count for origin in origins_of(consumer)} != {1}:
        return False
    return next_on_mesh(producer) == consumer


# Calls -------------------------------------------------------------------------------------------

_CALL = "mpmd.call"
_TAKE_ATTRIBUTES = (FRAGMENT, "mpmd.fragment_call")


@pass_("mpmd-call-inline")
def call_inline(module: ir.Operation) -> object:
    """mpmd-call-inline: Inline the calls of functions of several meshes; their call counters go to the fragments.

        %1 = mpmd.call @f(%0) {call_counter = 1 : ui32} : (!m1) -> !m1
    ==> %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) {call_counter = 1 : ui32} ...

    Spec: mpmd, 4.
    """
    callees = {symbol_name(func): func for func in funcs(module)}
    calls = ops_named(module, _CALL)
    for call in calls:
        copy = callees[callee_name(call)].clone(ip=False).operation
        kept = {name: call.attributes[name] for name in call.attributes if name != "callee"}
        for view in body(copy).operations:
            if view.operation.name in _TAKE_ATTRIBUTES:
                for name, attr in kept.items():
                    view.operation.attributes[name] = attr
        replace(call, move_out(body(copy), list(call.operands), call))
        copy.erase()
    return None if calls else UNCHANGED
