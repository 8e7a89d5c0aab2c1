"""sdy-insert-explicit-reshards: Insert the reshards and all-reduces with which every op can run on its shards.

The tensors of an op get common axes on each factor of its sharding rule; an axis on a reduction factor leaves partial
results, which are all-reduced. Values are resharded where they enter a loop, a branch, a computation or a call, and
where a function returns them. For an asynchronous operation, data moves before the start and behind the done.

    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
==> %0 = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
    %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>

where `%arg0` is sharded on "x".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.hlo_async.async_builders import Bundle, bundle_of
from sdy.dialect.hlo_async.chains import HLO_ASYNC, STABLEHLO, chain, done_of, operation_of
from sdy.dialect.hlo_async.declarations import IN_SHARDINGS
from sdy.dialect.shardings.attribute_shardings import arg_shardings, op_shardings, result_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, has_body
from sdy.mlir.rewriting import after_value, before, remade, terminator
from sdy.mlir.search import ops_named
from sdy.passes.exporting.explicit_reshards.op_reshards import (
    OpResharder,
    Treatment,
    match_call,
    match_data_flow,
    match_returns,
)
from sdy.passes.exporting.explicit_reshards.sharding_matcher import Kind, KnownShardings, ShardingMatcher, kind_of
from sdy.passes.exporting.explicit_reshards.worklist import WorklistFor
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

# What moves data for an asynchronous operation stands around it, since its body holds one op (spec: async, 17).
#
#     %s = hlo_async.start(%a) (%x: tensor<8xf32>) {
#       %r = sdy.reshard %x ...
#       %y = stablehlo.tanh %r
#       %z = sdy.all_reduce {"x"} %y ...
#       hlo_async.return %z
#     } ...
#     %0 = hlo_async.done %s
# ==> %r = sdy.reshard %a ...
#     %s = hlo_async.start(%r) (%x: tensor<8xf32>) {
#       %y = stablehlo.tanh %x
#       hlo_async.return %y
#     } ...
#     %1 = hlo_async.done %s
#     %0 = sdy.all_reduce {"x"} %1 ...
#
# Start and done keep their places.


_STARTS = (STABLEHLO.start, HLO_ASYNC.start)


def has_starts(module: ir.Operation) -> bool:
    """Return whether anything in a module is asynchronous."""
    return bool(ops_named(module, *_STARTS))


class AsynchronousOps:
    """The asynchronous operations of a function, as they are before a pass puts ops beside them."""

    def __init__(self, func: ir.Operation) -> None:
        self._ops = [(start, operation_of(start)) for start in ops_named(func, *_STARTS)]

    def leave_alone(self, matcher: ShardingMatcher, *, full: bool) -> None:
        """Skips all ops that are now beside the ops before the start, or behind the done.

        With `full` the users of a done then get its result in the sharding that they expected.

        Raises:
          DiagnosticError: a start has no done behind which ops can be inserted.
        """
        for start, op in self._ops:
            if len(start.regions[0].blocks[0].operations) > 2:
                _move_around(start, op, matcher, full=full)


def _move_around(start: ir.Operation, op: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    done = done_of(start)
    if done is None:
        raise DiagnosticError(start, "needs a done in its block, so that reshards can follow it")
    nested = [each.operation for each in start.regions[0].blocks[0].operations][:-1]
    place = nested.index(op)
    wanted = [matcher.known.of(result) for result in done.results]
    reached = _moved_behind(nested[place + 1 :], op, done)
    if full or place + 1 < len(nested):
        for inside, outside in zip(op.results, done.results, strict=True):
            matcher.known.put(outside, matcher.known.of(inside))
        set_op_shardings(done, op_shardings(op))
    if full:
        _as_wanted(reached, wanted, matcher)
    if place:
        _start_anew(start, op, _moved_before(nested[:place], start))


def _moved_behind(others: Sequence[ir.Operation], op: ir.Operation, done: ir.Operation) -> list[ir.Value]:
    """Move the ops after the op in the body behind the done; return the values that replace its results.

    The body returns what the op gives.
    """
    end = terminator(op.block)
    returned = list(end.operands)
    for other in reversed(others):
        other.move_after(done)
    reached: list[ir.Value] = []
    for index, (value, inside, outside) in enumerate(zip(returned, op.results, done.results, strict=True)):
        if value != inside:
            outside.replace_all_uses_with(value)
        for other in others:
            _replace(other, inside, outside)
        end.operands[index] = inside
        reached.append(outside if value == inside else value)
    return reached


def _as_wanted(values: Sequence[ir.Value], wanted: Sequence[TensorSharding | None], matcher: ShardingMatcher) -> None:
    """Reshard the values that replace the results of a done to the shardings that their users expect."""
    for value, sharding in zip(values, wanted, strict=True):
        if matcher.needs_match(value, sharding, full=True):
            ends = [use.owner.operation for use in value.uses]
            moved = matcher.matched(value, sharding, after_value(value), full=True)
            for user in ends:
                _replace(user, value, moved)


def _moved_before(others: Iterable[ir.Operation], start: ir.Operation) -> list[list[ir.Value]]:
    """Move the ops before the op in the body in front of the start; return the new values of each operand."""
    arguments = list(start.regions[0].blocks[0].arguments)
    number_of: dict[ir.Value, int] = {argument: number for number, argument in enumerate(arguments)}
    made: list[list[ir.Value]] = [[] for _ in arguments]
    for other in others:
        number = number_of[other.operands[0]]
        number_of.update((result, number) for result in other.results)
        made[number] += other.results
        other.move_before(start)
        _replace(other, arguments[number], start.operands[number])
    return made


def _start_anew(start: ir.Operation, op: ir.Operation, made: Sequence[Sequence[ir.Value]]) -> None:
    """Make a new start with the new operands; an operand that was replaced by several adds operands."""
    body = start.regions[0].blocks[0]
    taken = list(op.operands)
    inside: list[ir.Value] = []
    for argument, values in zip(body.arguments, made, strict=True):
        needed = [value for value in values if value in taken]
        is_used = any(True for _ in argument.uses)
        inside += [argument, *needed] if is_used or not needed else needed
    given: dict[ir.Value, ir.Value] = dict(zip(body.arguments, start.operands, strict=True))
    operands = [given.get(value, value) for value in inside]
    new = _like(start, operands)
    block = new.regions[0].blocks.append(*(each.type for each in operands), arg_locs=[each.location for each in inside])
    for value, argument in zip(inside, block.arguments, strict=True):
        if value in given:
            value.replace_all_uses_with(argument)
        else:
            _replace(op, value, argument)
    for each in (op, terminator(body)):
        block.append(each)
    for link in chain(start):
        link.operands[0] = new.results[0] if link.operands[0] == start.results[0] else link.operands[0]
    start.erase()


def _like(start: ir.Operation, operands: Sequence[ir.Value]) -> ir.Operation:
    """Make a start with other operands; the users of its handle get the new type."""
    type_ = start.results[0].type
    kept = {name: start.attributes[name] for name in start.attributes}
    if start.name == HLO_ASYNC.start:
        bundle = bundle_of(type_)
        type_ = Bundle(tuple(each.type for each in operands), bundle.results, bundle.contexts).type()
        shardings = [get_sharding(value) for value in operands]
        known = tuple(each for each in shardings if each is not None)
        kept.pop(IN_SHARDINGS, None)
        if known and len(known) == len(shardings):
            kept[IN_SHARDINGS] = attributes.attr_of(ShardingPerValue(known))
        for link in chain(start):
            for result in link.results if link.name == HLO_ASYNC.update else ():
                result.set_type(type_)
    return remade(start, operands, [type_], kept)


def _replace(op: ir.Operation, old: ir.Value, new: ir.Value) -> None:
    for index, operand in enumerate(op.operands):
        if operand == old:
            op.operands[index] = new


@dataclass(frozen=True)
class Options:
    enable_full_version: bool = option(
        False, "reshard all ops; otherwise most ops only get all-reduces of unreduced axes"
    )
    mark_partial_result_with_unreduced_axes: bool = option(
        False, "mark all-reduced results as unreduced along the reduced axes"
    )
    reshard_custom_rule_ops: bool = option(
        False, "reshard ops with a custom sharding rule like any other op instead of skipping them"
    )


@pass_("sdy-insert-explicit-reshards", on="func.func", options=Options)
def insert_explicit_reshards(func: ir.Operation, options: Options) -> object:
    """Spec: export-passes, section 5.

    Expects closed shardings, and no data-flow edges or sharding constraints.
    """
    if not has_body(func):
        return UNCHANGED
    matcher = ShardingMatcher(KnownShardings(func), of_module(MeshTable, func))
    _check_boundary(func, matcher)
    treatment = Treatment(
        full=options.enable_full_version,
        mark_partial=options.mark_partial_result_with_unreduced_axes,
        custom_rules=options.reshard_custom_rule_ops,
    )
    work = of_module(WorklistFor(treatment), func)
    plain = work.is_plain(func)
    resharder = OpResharder(matcher, work.plans, plain=plain)
    asynchronous = AsynchronousOps(func) if of_module(has_starts, func) else None
    symbols: ModuleSymbols | None = None
    kinds: dict[str, Kind] = {}
    for op, plan in work.of(func, is_plain=plain):
        if plan is not None:
            resharder.follow(plan, op)
            continue
        name = op.name
        kind = kinds.get(name) or kinds.setdefault(name, kind_of(op))
        if kind is Kind.ORDINARY:
            resharder.visit(op)
        elif kind is Kind.DATA_FLOW:
            match_data_flow(op, matcher, full=options.enable_full_version)
        elif kind is Kind.CALL:
            symbols = symbols or of_module(ModuleSymbols, func)
            match_call(op, symbols.callee(op), matcher)
        elif kind is Kind.RESHARD and not _make_unreduced(op, matcher):
            resharder.visit(op)
    match_returns(func, matcher, full=options.enable_full_version)
    if asynchronous is not None and matcher.has_changed:
        asynchronous.leave_alone(matcher, full=options.enable_full_version)
    return None if matcher.has_changed else UNCHANGED


def _check_boundary(func: ir.Operation, matcher: ShardingMatcher) -> None:
    """Refuses arguments and results that live on a single device."""
    for what, shardings in (("argument", arg_shardings(func)), ("result", result_shardings(func))):
        for index, sharding in enumerate(shardings):
            if matcher.is_on_single_device(sharding):
                raise DiagnosticError(func, f"{what} {index} is sharded to a single device, which is not supported")


def _make_unreduced(op: ir.Operation, matcher: ShardingMatcher) -> bool:
    """Replaces a reshard to further unreduced axes by ops that create them; False if it is none."""
    value = op.results[0]
    target = matcher.known.of(value)
    if target is None or not target.unreduced:
        return False
    new = matcher.made_unreduced(op.operands[0], target, before(op))
    if new is None:
        return False
    matcher.known.forget(value)
    value.replace_all_uses_with(new)
    op.erase()
    return True
