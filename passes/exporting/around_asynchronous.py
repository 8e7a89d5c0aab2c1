"""What moves data for an asynchronous operation stands around it, since its body holds one op (spec: async, 17).

    %s = hlo_async.start(%a) (%x: tensor<8xf32>) {
      %r = sdy.reshard %x ...
      %y = stablehlo.tanh %r
      %z = sdy.all_reduce {"x"} %y ...
      hlo_async.return %z
    } ...
    %0 = hlo_async.done %s
==> %r = sdy.reshard %a ...
    %s = hlo_async.start(%r) (%x: tensor<8xf32>) {
      %y = stablehlo.tanh %x
      hlo_async.return %y
    } ...
    %1 = hlo_async.done %s
    %0 = sdy.all_reduce {"x"} %1 ...

Start and done keep their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.hlo_async.async_builders import Bundle, bundle_of
from sdy.dialect.hlo_async.chains import HLO_ASYNC, STABLEHLO, chain, done_of, operation_of
from sdy.dialect.hlo_async.declarations import IN_SHARDINGS
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import after_value, remade, terminator
from sdy.mlir.search import ops_named
from sdy.passes.exporting.explicit_reshards.sharding_matcher import ShardingMatcher

_STARTS = (STABLEHLO.start, HLO_ASYNC.start)


def has_starts(module: ir.Operation) -> bool:
    """Whether anything in a module is asynchronous."""
    return bool(ops_named(module, *_STARTS))


class AsynchronousOps:
    """The asynchronous operations of a function, as they are before a pass puts ops beside them."""

    def __init__(self, func: ir.Operation) -> None:
        self._ops = [(start, operation_of(start)) for start in ops_named(func, *_STARTS)]

    def leave_alone(self, matcher: ShardingMatcher, *, full: bool) -> None:
        """Moves all that now stands beside the ops before the start, or behind the done.

        With `full` the users of a done then get its result as they have taken it to be sharded.

        Raises:
          DiagnosticError: a start has no done that something could stand behind.
        """
        for start, op in self._ops:
            if len(start.regions[0].blocks[0].operations) > 2:
                _move_around(start, op, matcher, full=full)


def _move_around(start: ir.Operation, op: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    done = done_of(start)
    if done is None:
        raise DiagnosticError(start, "needs a done in its block, behind which sharded values can be moved")
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
    """Moves what follows the op in the body behind the done; returns what then stands for the results of that.

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
    """Reshards what stands for the results of a done to what their users have taken them for."""
    for value, sharding in zip(values, wanted, strict=True):
        if matcher.needs_match(value, sharding, full=True):
            ends = [use.owner.operation for use in value.uses]
            moved = matcher.matched(value, sharding, after_value(value), full=True)
            for user in ends:
                _replace(user, value, moved)


def _moved_before(others: Iterable[ir.Operation], start: ir.Operation) -> list[list[ir.Value]]:
    """Moves what precedes the op in the body before the start; for each operand of that, the values made of it."""
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
    """Hands the op by way of the start what has been made of its operands: one more where it takes several of one."""
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
    """A start of other operands in the place of one; what goes on with its handle gets the type of that."""
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
