"""Values that go in and out of a function, and when fragments and transfers run (spec: mpmd, 6 and 7)."""

from __future__ import annotations

from collections import Counter

from sdy.dialect.mpmd import mpmd_builders
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.rewriting import before, terminator
from sdy.passes.mpmd.common.fragment_editing import keep_operands, keep_results
from sdy.passes.mpmd.common.fragments import (
    INFERRED_BY,
    TRANSFER,
    block_of,
    fragments_in,
    in_host_memory,
    is_entry_point,
    is_inferred_fragment,
    is_mpmd_function,
    is_on_host,
    mesh_tensor_of,
    move_to_first_user,
    ops_in,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION

_TOKEN = "!stablehlo.token"


@dataclass(frozen=True)
class UniquifyOptions:
    """Options under upstream's names."""

    use_transfer_instead_of_fragment: bool = option(False, "make transfers, through which shardings propagate")


@pass_("mpmd-uniquify-function-inputs-outputs", on=FUNCTION, options=UniquifyOptions)
def uniquify_function_inputs_outputs(func: ir.Operation, options: UniquifyOptions) -> None:
    """mpmd-uniquify-function-inputs-outputs: Return no argument, and no value twice.

        return %arg0, %1, %1 : !m1, !m1, !m1
    ==> %2:3 = mpmd.fragment<mesh="m1", origin=[]> (%arg0, %1) (%a: T, %b: T) { mpmd.return %a, %b, %b : T, T, T }
        return %2#0, %2#1, %2#2 : !m1, !m1, !m1

    Spec: mpmd, 7.
    """
    if not is_mpmd_function(func):
        return
    end = terminator(body(func))
    if options.use_transfer_instead_of_fragment:
        _copy_by_transfers(end)
    else:
        _copy_by_fragments(end)


def _copy_by_transfers(end: ir.Operation) -> None:
    seen: set[ir.Value] = set()
    for number, value in enumerate(end.operands):
        if isinstance(value, ir.BlockArgument) or value in seen:
            end.operands[number] = mpmd_builders.transfer(value, value.type, loc=value.location, ip=before(end))
        seen.add(value)


def _copy_by_fragments(end: ir.Operation) -> None:
    """Return one fragment for each mesh, in order of first appearance."""
    counts = Counter(end.operands)
    numbers: dict[str, list[int]] = {}
    for number, value in enumerate(end.operands):
        found = mesh_tensor_of(value)
        if found is not None and (isinstance(value, ir.BlockArgument) or counts[value] > 1):
            numbers.setdefault(found.mesh_name, []).append(number)
    for mesh, listed in numbers.items():
        first = {value: number for number, value in reversed(list(enumerate(end.operands)))}
        listed.sort(key=lambda number: first[end.operands[number]])
        values = [end.operands[number] for number in listed]
        copies = identity_fragment(mesh, values, "uniquify", end)
        for number, copy in zip(listed, copies.results, strict=True):
            end.operands[number] = copy


def identity_fragment(mesh: str, values: list[ir.Value], why: str, place: ir.Operation) -> ir.Operation:
    """Make an inferred fragment in front of `place` that returns `values`, each as often as it occurs."""
    distinct = list(dict.fromkeys(values))
    fragment = mpmd_builders.fragment(
        mesh,
        [],
        distinct,
        [value.type for value in values],
        lambda *arguments: [arguments[distinct.index(value)] for value in values],
        loc=place.location,
        ip=before(place),
    )
    fragment.attributes[INFERRED_BY] = ir.ArrayAttr.get([ir.StringAttr.get(why)])
    return fragment


@pass_("mpmd-delay-inferred-fragments", on=FUNCTION)
def delay_inferred_fragments(func: ir.Operation) -> None:
    """mpmd-delay-inferred-fragments: Move each inferred fragment right in front of its first user.

        %1 = mpmd.fragment<mesh="m1", origin=[]> (%0) ...
        %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        %3 = mpmd.fragment<mesh="m1", origin=["g"]> (%1) ...
    ==> %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        %1 = mpmd.fragment<mesh="m1", origin=[]> (%0) ...
        %3 = mpmd.fragment<mesh="m1", origin=["g"]> (%1) ...

    Spec: mpmd, 7.
    """
    if is_entry_point(func):
        for op in reversed(fragments_in(func)):
            if is_inferred_fragment(op):
                move_to_first_user(op)


@pass_("mpmd-delay-transfers-from-cpu", on=FUNCTION)
def delay_transfers_from_cpu(func: ir.Operation) -> None:
    """mpmd-delay-transfers-from-cpu: Move each transfer from a host right in front of its first user.

        %1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1/cpu", T>) -> !m1
        %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg1) ...
        %3 = mpmd.fragment<mesh="m1", origin=["g"]> (%1) ...
    ==> %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg1) ...
        %1 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1/cpu", T>) -> !m1
        %3 = mpmd.fragment<mesh="m1", origin=["g"]> (%1) ...

    Spec: mpmd, 7.
    """
    if not is_entry_point(func):
        return
    for op in ops_in(func, TRANSFER):
        found = mesh_tensor_of(op.operands[0])
        if found is not None and (is_on_host(found.mesh_name) or in_host_memory(op.operands[0])):
            move_to_first_user(op)


@pass_("mpmd-sink-create-token-into-fragments", on=FUNCTION)
def sink_create_token_into_fragments(func: ir.Operation) -> None:
    """mpmd-sink-create-token-into-fragments: Make tokens inside of fragments, so that none goes in or out.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%token) (%t: !stablehlo.token) ...
    ==> %1 = mpmd.fragment<mesh="m1", origin=["f"]> () { %t = stablehlo.create_token ...

    Spec: mpmd, 7.
    """
    if not is_mpmd_function(func):
        return
    for op in fragments_in(func):
        _sink_tokens(op)
    # Nobody uses tokens of fragments any more.
    for op in fragments_in(func):
        keep_results(op, lambda result: str(result.type) != _TOKEN)


def _sink_tokens(fragment: ir.Operation) -> None:
    block = block_of(fragment)
    tokens = [number for number, each in enumerate(fragment.operands) if str(each.type) == _TOKEN]
    for number in tokens:
        argument = block.arguments[number]
        start = ir.InsertionPoint.at_block_begin(block)
        made = ir.Operation.create("stablehlo.create_token", results=[argument.type], loc=fragment.location, ip=start)
        argument.replace_all_uses_with(made.results[0])
    kept = {number for number in range(len(fragment.operands)) if number not in tokens}
    keep_operands(fragment, kept)
