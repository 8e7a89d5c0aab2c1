"""sdy-keep-across-loops: keeps what a loop sends for a later loop that would send the same once more.

    %0:2 = stablehlo.while(%x = ..., %i = %c0) ... do {
      %1 = sdy.all_reduce {"x"} %y out_sharding=<@mesh, [{}]> : tensor<8xf32>
      ...
    stablehlo.while(...) ... do {             // makes %y of round %back again, from rows that the first loop has left
      %2 = sdy.all_reduce {"x"} %y_again out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> %0:3 = stablehlo.while(%x = ..., %i = %c0, %kept = %zeros) ... do {
      %1 = sdy.all_reduce {"x"} %y out_sharding=<@mesh, [{}]> : tensor<8xf32>
      %2 = stablehlo.dynamic_update_slice %kept, (%1 as a row), %i, ... : tensor<4x8xf32>
      ...
    stablehlo.while(...) ... do {
      %3 = stablehlo.dynamic_slice %0#2, %back, ..., sizes = [1, 8]

So it is with layers that are scanned over and, as `jax.checkpoint` asks for, computed once more on the way back: what
comes before a collective then need not be computed either. Two values are taken to be equal if the same ops make them
of equal values; the first loop has to count from 0 and the second one to look at rows that the first one has written.
Cost model: the program threw this away to save memory, so that it is kept only while the device holds less than at its
peak anyway, unless `kept-bytes` are granted; what saves most for each byte comes first.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sdy.dialect import builders
from sdy.dialect.ir_builders.operand_slots import erase_unused, uses_of
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.value_numbers import ValueNumbers, has_no_effects, row_of, written_row
from sdy.dialect.values.sharding import CLOSED, TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_shape
from sdy.passes.partitioning.saving.analysis.kept_bytes import (
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    within_remat_budget,
)
from sdy.passes.partitioning.saving.analysis.sending import SENDING, sent_bytes
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import constant_number
from sdy.stablehlo.idioms.loops import (
    Counting,
    before_loops,
    counting,
    loop_around,
    loop_body,
    return_more,
    take_over,
    unchanged_variables,
    with_more_variables,
)
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.making.constants import elements_attribute


@dataclass(frozen=True)
class _Again:
    """A collective that gives what another loop has sent in round `index`."""

    collective: ir.Operation
    index: ir.Value


@dataclass
class _Kept:
    """A collective of `loop` whose result in each of its `rounds` is kept."""

    loop: ir.Operation
    collective: ir.Operation
    rounds: int
    again: list[_Again] = field(default_factory=list)


@pass_("sdy-keep-across-loops", on="func.func", options=KeptBytesOptions)
def keep_across_loops(func: ir.Operation, options: KeptBytesOptions) -> None:
    sending = _sending_loops(func)
    if len(sending) < 2:
        return
    chosen: dict[ir.Value, list[_Kept]] = {}
    for kept in within_remat_budget(func, _needed(_find(sending)), options, _candidate):
        chosen.setdefault(kept.loop.results[0], []).append(kept)
    for each in chosen.values():
        _keep(each[0].loop, each)
    replaced = [again.collective.results[0] for each in chosen.values() for kept in each for again in kept.again]
    erase_unused(replaced, has_no_effects)


def _candidate(kept: _Kept, live: LiveBytes, layouts: Layouts) -> Candidate[_Kept]:
    block = kept.loop.block
    last = max(live.number(again.collective, block) for again in kept.again)
    span = Span(block, live.number(kept.loop, block), last, kept.rounds * live.size(kept.collective.results[0]))
    saved = kept.rounds * len(kept.again) * sent_bytes(kept.collective, layouts)
    return Candidate(kept, saved, (span,))


# What is sent again ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sending:
    """A loop, with the collectives of its body whose results could be kept."""

    loop: ir.Operation
    collectives: list[ir.Operation]


class _First:
    """A loop that counts its rounds from 0; `rows` are results to which each round adds a row of its own.

    `sent` are its collectives by the number and the sharding of what they give.
    """

    def __init__(self, sending: _Sending, count: Counting, numbers: ValueNumbers) -> None:
        loop = self.loop = sending.loop
        self.rounds = count.rounds
        counter = loop_body(loop).arguments[count.number]
        written = _written_rows(loop, counter, count.rounds)
        self.rows = [loop.results[number] for number in written.values()]
        self.sent: dict[tuple[int, TensorSharding | None], ir.Operation] = {}
        if not written:
            return
        known = _known(loop, numbers) | {counter: numbers.index()}
        known |= {value: numbers.row(loop.results[number], numbers.index()) for value, number in written.items()}
        inside = ValueNumbers(known, numbers, loop_body(loop))
        self.sent.update((_key(op, inside), op) for op in reversed(sending.collectives))


def _sending_loops(func: ir.Operation) -> list[_Sending]:
    """The loops whose bodies send something, in order of their collectives."""
    found: dict[ir.Value, _Sending] = {}
    for op in ops_named(func, *sorted(SENDING)):
        loop = loop_around(op)
        if loop is not None and _may_be_kept(op.results[0]):
            found.setdefault(loop.results[0], _Sending(loop, [])).collectives.append(op)
    return list(found.values())


def _find(loops: Sequence[_Sending]) -> list[_Kept]:
    """What could be kept of what `loops` send."""
    numbers = ValueNumbers()
    first_of: dict[ir.Value, _First] = {}
    found: dict[ir.Value, _Kept] = {}
    for sending in loops:
        count = counting(sending.loop)
        if count is None or not count.rounds:
            continue
        for first, again, original in _sent_again(sending, count, first_of, numbers):
            value = original.results[0]
            if value not in found:
                found[value] = _Kept(first.loop, original, first.rounds)
            if all(each.collective != again.collective for each in found[value].again):
                found[value].again.append(again)
        if count.start == 0 and count.step == 1:
            first = _First(sending, count, numbers)
            first_of.update(dict.fromkeys(first.rows, first))
    return list(found.values())


def _sent_again(
    sending: _Sending, count: Counting, first_of: Mapping[ir.Value, _First], numbers: ValueNumbers
) -> Iterator[tuple[_First, _Again, ir.Operation]]:
    """Collectives of a loop that repeat one of a loop before it, with that loop and that collective."""
    loop = sending.loop
    for first, index in _looked_up(loop, count, first_of):
        inside = ValueNumbers(_known(loop, numbers) | {index: numbers.index()}, numbers, loop_body(loop))
        for op in sending.collectives:
            original = first.sent.get(_key(op, inside))
            if original is not None and _is_before(index, op):
                yield first, _Again(op, index), original


def _needed(found: Sequence[_Kept]) -> list[_Kept]:
    """Without what would be sent again only to make what need not be sent again either."""
    replaced = {again.collective.results[0] for kept in found for again in kept.again}
    return [kept for kept in found if any(_has_use(again.collective.results[0], replaced) for again in kept.again)]


def _has_use(value: ir.Value, replaced: Container[ir.Value]) -> bool:
    """Whether `value` is for something else than to make one of `replaced`."""
    pending, seen = [value], {value}
    while pending:
        for slot in uses_of(pending.pop()):
            if not has_no_effects(slot.user):
                return True
            made = [result for result in slot.user.results if result not in replaced and result not in seen]
            seen.update(made)
            pending += made
    return False


def _known(loop: ir.Operation, numbers: ValueNumbers) -> dict[ir.Value, int]:
    return {variable: numbers.of(before_loops(value)) for variable, value in unchanged_variables(loop).items()}


def _may_be_kept(value: ir.Value) -> bool:
    sharding = get_sharding(value)
    return (
        sharding is not None
        and not sharding.unreduced
        and value.type.has_static_shape
        and isinstance(value.type.element_type, (ir.FloatType, ir.IntegerType))
    )


def _key(op: ir.Operation, numbers: ValueNumbers) -> tuple[int, TensorSharding | None]:
    return numbers.of(op.results[0]), get_sharding(op.results[0])


def _written_rows(loop: ir.Operation, counter: ir.Value, rounds: int) -> dict[ir.Value, int]:
    """Values of a body that each round writes to its row of a loop variable, by the number of the variable."""
    found: dict[ir.Value, int] = {}
    body = loop_body(loop)
    returned = terminator(body).operands
    for number, (variable, value) in enumerate(zip(body.arguments, returned, strict=True)):
        row = written_row(value.owner.operation) if isinstance(value, ir.OpResult) else None
        is_own = row is not None and row[0] == variable and row[2] == counter and len(list(variable.uses)) == 1
        if row is not None and is_own and variable.type.shape[0] == rounds:
            found[row[1]] = number
    return found


def _looked_up(
    loop: ir.Operation, count: Counting, first_of: Mapping[ir.Value, _First]
) -> list[tuple[_First, ir.Value]]:
    """The loops whose rows a loop looks at, each with an index at which it does."""
    if not first_of:
        return []
    unchanged = unchanged_variables(loop)
    found: dict[tuple[_First, ir.Value], None] = {}
    for view in loop_body(loop).operations:
        row = row_of(view.operation)
        first = None if row is None else first_of.get(before_loops(unchanged.get(row[0], row[0])))
        if row is not None and first is not None:
            found[first, row[1]] = None
    return [(first, index) for first, index in found if _stays_within(index, loop, count, first.rounds)]


def _stays_within(index: ir.Value, loop: ir.Operation, count: Counting, rows: int) -> bool:
    """Whether an index, which grows or shrinks with the counter of its loop, is always that of a row."""
    counter = loop_body(loop).arguments[count.number]
    last = count.start + (count.rounds - 1) * count.step
    ends = [_at(index, counter, number) for number in (count.start, last)]
    return all(end is not None and 0 <= end < rows for end in ends)


def _at(value: ir.Value, counter: ir.Value, number: int) -> int | None:
    """What sums and differences of constants and the counter are if that is `number`; None for anything else."""
    if value == counter:
        return number
    op = value.owner.operation if isinstance(value, ir.OpResult) else None
    if op is None or op.name not in ("stablehlo.add", "stablehlo.subtract"):
        constant = constant_number(value)
        return None if constant is None else int(constant)
    lhs, rhs = (_at(operand, counter, number) for operand in op.operands)
    if lhs is None or rhs is None:
        return None
    return lhs + rhs if op.name == "stablehlo.add" else lhs - rhs


def _is_before(value: ir.Value, op: ir.Operation) -> bool:
    return isinstance(value, ir.BlockArgument) or value.owner.operation.is_before_in_block(op)


# Keeping it ------------------------------------------------------------------------------------------


def _keep(loop: ir.Operation, kept: Sequence[_Kept]) -> None:
    """Gives `loop` a variable for each collective that is kept, of whose last value others take rows."""
    count = counting(loop)
    assert count is not None
    stacks = [_stack(each.collective, count.rounds, loop) for each in kept]
    shardings = [get_sharding(stack) for stack in stacks]
    wider = _with_variables(loop, stacks)
    variables = list(loop_body(wider).arguments)[-len(kept) :]
    counter = loop_body(wider).arguments[count.number]
    rows = []
    for each, variable, sharding in zip(kept, variables, shardings, strict=True):
        rows.append(_write_row(each.collective, variable, counter, sharding))
    return_more(loop_body(wider), rows)
    for each, stack, sharding in zip(kept, list(wider.results)[-len(kept) :], shardings, strict=True):
        for again in each.again:
            _take_row(again, stack, sharding)


def _stack(collective: ir.Operation, rounds: int, loop: ir.Operation) -> ir.Value:
    """Zeros before the loop, for one result of the collective per round."""
    value = collective.results[0]
    type_ = with_shape(value.type, [rounds, *value.type.shape])
    stack = _constant(type_, Builder.before(loop))
    sharding = get_sharding(value)
    assert sharding is not None
    set_sharding(stack, sharding.with_dims([CLOSED, *sharding.dims]))
    return stack


def _constant(type_: ir.Type, builder: Builder) -> ir.Value:
    return builders.constant(elements_attribute(0, type_), loc=builder.location, ip=builder.ip)


def _with_variables(loop: ir.Operation, values: Sequence[ir.Value]) -> ir.Operation:
    """The loop with further variables, which are `values` before it; its body does not return them yet."""
    shardings = list(op_shardings(loop) or ())
    more = [sharding for value in values if (sharding := get_sharding(value)) is not None]
    if not shardings:
        shardings = [TensorSharding.closed(more[0].mesh_or_ref, _rank(result.type)) for result in loop.results]
    wider = with_more_variables(loop, values)
    set_op_shardings(wider, [*shardings, *more])
    for value in values:
        loop_body(loop).add_argument(value.type, loop.location)
    for old, new in zip(loop.results, wider.results, strict=False):
        old.replace_all_uses_with(new)
    take_over(loop, wider)
    return wider


def _rank(type_: ir.Type) -> int:
    return type_.rank if isinstance(type_, ir.RankedTensorType) else 0


def _write_row(
    collective: ir.Operation, variable: ir.Value, counter: ir.Value, sharding: TensorSharding | None
) -> ir.Value:
    """A loop variable with the result of the collective in the row of this round."""
    builder = Builder.after(collective)
    value = collective.results[0]
    row = _sharded(builder.reshape(value, [1, *value.type.shape]), sharding)
    zero = _constant(counter.type, builder)
    return _sharded(builder.dynamic_update_slice(variable, row, [counter, *[zero] * len(value.type.shape)]), sharding)


def _take_row(again: _Again, stack: ir.Value, sharding: TensorSharding | None) -> None:
    """Puts the row of `stack` in the place of a collective."""
    op, builder = again.collective, Builder.before(again.collective)
    shape = list(op.results[0].type.shape)
    zero = _constant(again.index.type, builder)
    row = _sharded(builder.dynamic_slice(stack, [again.index, *[zero] * len(shape)], [1, *shape]), sharding)
    value = _sharded(builder.reshape(row, shape), get_sharding(op.results[0]))
    op.results[0].replace_all_uses_with(value)


def _sharded(value: ir.Value, sharding: TensorSharding | None) -> ir.Value:
    assert sharding is not None
    set_sharding(value, sharding)
    return value
