"""Ops on their way to a module of StableHLO alone."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.forms import Several
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.dialect.values.rule import ShardingPerValue
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import return_instead
from sdy.mlir.rewriting import remade, terminator
from sdy.mlir.search import ops_named
from sdy.passes import options as shared
from sdy.passes.interchange import strings
from sdy.passes.interchange.exporting.op_forms import (
    EDGES,
    RESHARDS,
    custom_call,
    forward,
    write_constant,
    write_reshard,
)
from sdy.passes.interchange.sites import CALLBACKS, CUSTOM_CALL, TEXT, calls_of, text_in
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION
from sdy.stablehlo.idioms.loops import WHILE, loop_body


@dataclass(frozen=True)
class ExportOpsOptions:
    keep_hlo_sharding_constraints: bool = option(*shared.KEEP_HLO_SHARDING_CONSTRAINTS)
    keep_open_dims: bool = option(False, "list open dimensions on the calls of @Sharding")


@pass_("xla-sdy-export-ops", options=ExportOpsOptions)
def export_ops(module: ir.Operation, options: ExportOpsOptions) -> object:
    """xla-sdy-export-ops: Convert the remaining ops of the dialect to ops that XLA's partitioner knows.

        %0 = sdy.reshard %x <@mesh, [{"a"}]> : tensor<8xf32>
    ==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}

    Collectives of the dialect become reshards to their result's sharding; barriers and groups are dropped. With
    `keep-open-dims` the calls list open dimensions, which tiles cannot express, as `unspecified_dims`.

    Spec: interchange, 8.1.
    """
    found = ops_named(module, *RESHARDS, *_OTHERS)
    for op in found:
        if op.name in _OTHERS:
            _OTHERS[op.name](op)
        else:
            write_reshard(op, as_call=options.keep_hlo_sharding_constraints, keep_open_dims=options.keep_open_dims)
        op.erase()
    return None if found else UNCHANGED


_OTHERS: dict[str, Callable[[ir.Operation], object]] = {
    "sdy.propagation_barrier": forward,
    **dict.fromkeys(EDGES, forward),
    "sdy.sharding_group": lambda op: None,
    "sdy.constant": write_constant,
}


@pass_("xla-sdy-round-trip-export-ops")
def round_trip_export_ops(module: ir.Operation) -> object:
    """xla-sdy-round-trip-export-ops: Convert constraints, groups, barriers and constants to ops that XLA keeps.

        %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
        sdy.sharding_group %0 group_id=1 : tensor<8xf32>
    ==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
        stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
          mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8xf32>) -> ()

    Reshards and collectives of a propagated program become constraints, too; import reads them as constraints.

    Spec: interchange, 6 and 8.1.
    """
    found = ops_named(module, *_EXPORTERS)
    for op in found:
        _EXPORTERS[op.name](op)
        op.erase()
    return None if found else UNCHANGED


def _group(op: ir.Operation) -> None:
    entries = {strings.GROUP_ID: ir.StringAttr.get(f"{ir.IntegerAttr(op.attributes['group_id']).value} : i64")}
    custom_call(strings.GROUP, op.operands, [], op, side_effect=True, frontend=entries)


def _barrier(op: ir.Operation) -> None:
    direction = ir.IntegerAttr(op.attributes["allowed_direction"]).value
    entries = {strings.DIRECTION: ir.StringAttr.get(f"{direction} : i32")}
    call = custom_call(strings.BARRIER, op.operands, [op.results[0].type], op, side_effect=True, frontend=entries)
    op.results[0].replace_all_uses_with(call.results[0])


_EXPORTERS: dict[str, Callable[[ir.Operation], None]] = {
    **dict.fromkeys(RESHARDS, write_reshard),
    **dict.fromkeys(EDGES, forward),
    "sdy.sharding_group": _group,
    "sdy.propagation_barrier": _barrier,
    "sdy.constant": write_constant,
}


_LAYOUTS = "result_layouts"


@pass_("xla-sdy-stablehlo-round-trip-export-callback-custom-calls")
def stablehlo_round_trip_export_callback_custom_calls(module: ir.Operation) -> object:
    """xla-sdy-stablehlo-round-trip-export-callback-custom-calls: Drop the unused results of callbacks.

        %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true,
          mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> tensor<i32>
    ==> stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true,
          mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> ()

    XLA recognizes by this that a callback on one device has no result to send to the others.

    Spec: interchange, 8.1.
    """
    found = [op for op in calls_of(module, *CALLBACKS) if len(op.results) and not _is_used(op)]
    for op in found:
        _drop_results(op)
    return None if found else UNCHANGED


def _is_used(op: ir.Operation) -> bool:
    return any(True for result in op.results for _ in result.uses)


def _drop_results(op: ir.Operation) -> None:
    given = dict(op.attributes.items())
    if _LAYOUTS in given:
        given[_LAYOUTS] = ir.ArrayAttr.get([])
    text = text_in(given)
    if text is not None and isinstance(found := read(text), Several):
        given[TEXT] = ir.StringAttr.get(str(found.leaves[0]))
    ir.Operation.create(
        CUSTOM_CALL,
        results=[],
        operands=list(op.operands),
        attributes=given,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.erase()


@dataclass(frozen=True)
class CaptureOptions:
    before_propagation: bool = option(False, "loops without shardings instead of those with shardings")


@pass_("sdy-capture-loop-invariants", on=FUNCTION, options=CaptureOptions)
def capture_loop_invariants(func: ir.Operation, options: CaptureOptions) -> object:
    """sdy-capture-loop-invariants: Drop loop variables that a loop with shardings does not change.

        %0:2 = stablehlo.while(%i = %a, %n = %b) {sdy.sharding = ...} ... do {
          %1 = stablehlo.add %n, %i
          stablehlo.return %i, %1
    ==> %0 = stablehlo.while(%n = %b) {sdy.sharding = ...} ... do {
          %1 = stablehlo.add %n, %a
          stablehlo.return %1

    XLA does so when it converts a loop to HLO, and expects the shardings of the results after that.

    With `before-propagation` it applies to loops without shardings. XLA's propagation also works without such
    variables: a weight that a loop reads is sharded by its uses inside, independently of its sharding around the loop.

    Spec: interchange, 8.2.
    """
    # Those inside of others come first: what they do not change, the others may not change, either.
    found = [loop for loop in ops_named(func, WHILE) if (SHARDING in loop.attributes) != options.before_propagation]
    changed = [_capture(loop) for loop in found]
    return None if any(changed) else UNCHANGED


def _capture(loop: ir.Operation) -> bool:
    invariant = _invariants(loop)
    if not invariant:
        return False
    if len(invariant) == len(loop.operands):
        return True  # it runs never, or for ever, and stays as it is
    kept = [number for number in range(len(loop.operands)) if number not in invariant]
    values = terminator(loop_body(loop)).operands
    return_instead(loop_body(loop), [values[number] for number in kept])
    given = dict(loop.attributes.items())
    if SHARDING in given:
        shardings = list(attributes.get(loop, SHARDING))
        given[SHARDING] = attributes.attr_of(ShardingPerValue(tuple(shardings[number] for number in kept)))
    types = [loop.results[number].type for number in kept]
    new = remade(loop, [loop.operands[number] for number in kept], types, given, with_blocks=True)
    for region in new.regions:
        for number in sorted(invariant, reverse=True):
            region.blocks[0].erase_argument(number)
    for number, result in zip(kept, new.results, strict=True):
        loop.results[number].replace_all_uses_with(result)
    loop.erase()
    return True


def _invariants(loop: ir.Operation) -> set[int]:
    """Return the variables that the loop does not change, each with its value before the loop."""
    found: set[int] = set()
    body = loop_body(loop)
    returned = terminator(body)
    while True:
        new = {
            number
            for number, before in enumerate(loop.operands)
            if number not in found and returned.operands[number] in (before, body.arguments[number])
        }
        if not new:
            return found
        for number in new:
            before = loop.operands[number]
            for region in loop.regions:
                region.blocks[0].arguments[number].replace_all_uses_with(before)
            loop.results[number].replace_all_uses_with(before)
        found |= new
