"""sdy-prefetch-in-loops: Start collectives of a loop one iteration ahead.

    stablehlo.while(%i = %c0, %x = %0) cond { %i < 4 } do {
      %1 = stablehlo.dynamic_slice %w, %i, %c0, sizes = [1, 8]
      %2 = "stablehlo.all_gather"(%1) ...
      %3 = stablehlo.dot_general %x, %2, ...
==> %1 = "stablehlo.all_gather"(...) ...                             // for the first round
    stablehlo.while(%i = %c0, %x = %0, %2 = %1) cond { %i < 3 } do {
      %4 = "stablehlo.async_start"(...) ...                          // for round %i + 1
      %3 = stablehlo.dot_general %x, %2, ...
      %5 = "stablehlo.async_done"(%4)
    ...                                                              // the last round, without the collective

Works on local programs, on counting loops with at least two rounds. A collective qualifies if its operand depends only
on the counter and on loop-invariant values, by ops without effects: slices, converts, reshapes. As many bytes are sent
as before, and values stay the same. A device keeps one more result of each of these collectives, at most
`in-flight-bytes` in total, by order of use in a round. With a machine a collective is sent ahead only if its model
predicts a shorter round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sdy.dialect.ir_builders.communication import max_channel
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.mlir.rewriting import clone_with, first_user, terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import byte_size
from sdy.mlir.walk import block_order, identity, pre_order
from sdy.passes.costs.machine import Machine, read_machine
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.costs.program_steps import Reader, Steps
from sdy.passes.costs.simulation import Done, Start, Step, simulate
from sdy.passes.options import option
from sdy.passes.overlap.pairs import channels_from, has_elements, make_asynchronous
from sdy.passes.overlap.placement.placing import PlacedIn, Placing, Trial, check_placed
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import ops
from sdy.stablehlo.idioms.loops import (
    WHILE,
    Counting,
    counting,
    loop_body,
    return_more,
    take_over,
    unchanged_variables,
    with_more_variables,
)
from sdy.stablehlo.ops.regions import Value

_WITHOUT_EFFECTS = frozenset(
    f"stablehlo.{name}"
    for name in ("dynamic_slice", "transpose", "concatenate", "pad", "reverse", "divide", "remainder")
)
"""Ops besides the pure ones: they run as often and on the same numbers as before, only earlier."""


@dataclass(frozen=True)
class CountedInput:
    """Value in a loop body that `chain` computes from the counter and loop invariants."""

    loop: ir.Operation
    counting: Counting
    value: ir.Value
    chain: tuple[ir.Operation, ...]

    def computed(self, counter: ir.Value, where: ir.InsertionPoint) -> ir.Value:
        """Return the value in the round with that counter; inside of the body, or before the loop for its start."""
        body = loop_body(self.loop)
        known: dict[ir.Value, ir.Value] = {}
        if where.block != body:
            known.update(zip(body.arguments, self.loop.operands, strict=True))
        known[body.arguments[self.counting.number]] = counter
        for op in self.chain:
            copy = clone_with(op, known, where)
            known.update(zip(op.results, copy.results, strict=True))
        return known.get(self.value, self.value)


def counted_input(value: ir.Value, loop: ir.Operation, counting: Counting) -> CountedInput | None:
    """None if the value depends on another value that changes in a round, or on an op that may have effects."""
    body = loop_body(loop)
    steady = {*unchanged_variables(loop), body.arguments[counting.number]}
    chain: dict[object, ir.Operation] = {}
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.BlockArgument):
            if each.owner == body and each not in steady:
                return None
            continue
        op = each.owner.operation
        if op.block != body or identity(op) in chain:
            continue
        if not _may_run_early(op):
            return None
        chain[identity(op)] = op
        pending += op.operands
    return CountedInput(loop, counting, value, tuple(sorted(chain.values(), key=block_order)))


def _may_run_early(op: ir.Operation) -> bool:
    return not len(op.regions) and (op.name in _WITHOUT_EFFECTS or is_pure(op) or is_constant(op))


_CHANNEL = "channel_handle"


def run_last_round(
    loop: ir.Operation, made: ir.Operation, known: Sequence[ir.Operation], channels: Iterator[int]
) -> None:
    """Put a copy of the body of `loop` behind `made`, which has run all other rounds, and use its results.

    The last results of `made` are the results of the ops `known` in this round. Its collectives get new channels.
    """
    places = {identity(op): number for number, op in enumerate(known)}
    last = list(made.results)[len(loop.results) :]
    originals = [view.operation for view in loop_body(loop).operations]
    copy = loop.clone(ip=ir.InsertionPoint(loop)).operation
    block = loop_body(copy)
    for argument, value in zip(block.arguments, list(made.results)[: len(loop.results)], strict=True):
        argument.replace_all_uses_with(value)
    *nested, terminator = [view.operation for view in block.operations]
    for original, op in zip(originals[:-1], nested, strict=True):
        place = places.get(identity(original))
        if place is None:
            op.move_before(copy)
            take_new_channels(op, channels)
        else:
            op.results[0].replace_all_uses_with(last[place])
    for result, value in zip(loop.results, list(terminator.operands), strict=True):
        result.replace_all_uses_with(value)
    copy.erase()


def take_new_channels(op: ir.Operation, channels: Iterator[int]) -> None:
    """Gives all collectives in and below `op` channels that no other one has."""
    for each in pre_order(op):
        if _CHANNEL in each.attributes:
            kind = stablehlo.ChannelHandle(each.attributes[_CHANNEL]).channel_type
            each.attributes[_CHANNEL] = stablehlo.ChannelHandle.get(next(channels), kind)


def stop_one_round_before(loop: ir.Operation, counting: Counting) -> None:
    """Make the loop end one round earlier: its condition compares with the value of the last round."""
    condition = loop.regions[0].blocks[0]
    end_of_round = terminator(condition)
    compare = end_of_round.operands[0].owner.operation
    counter = Value(condition.arguments[counting.number])
    end = counting.start + counting.step * (counting.rounds - 1)
    with ir.InsertionPoint(end_of_round), compare.location:
        limit = ops.constant(end, counter.type)
        end_of_round.operands[0] = counter < limit if counting.step > 0 else counter > limit


def shortened(steps: Steps, candidates: Sequence[ir.Operation], *, early: bool) -> list[ir.Operation]:
    """Return the candidates whose removal makes a round of these steps longer.

    Others start at their positions, or if `early` at the beginning of the round.
    """
    first = set(map(identity, candidates)) if early else set[object]()
    chosen = list(candidates)
    shortest = _seconds(steps, chosen, first)
    for op in reversed(candidates):
        others = [each for each in chosen if each is not op]
        total = _seconds(steps, others, first)
        if total <= shortest:
            chosen, shortest = others, total
    return chosen


def _seconds(steps: Steps, ahead: Sequence[ir.Operation], first: Collection[object]) -> float:
    return simulate(_with_ahead(steps, set(map(identity, ahead)), first)).total


def _with_ahead(steps: Steps, ahead: Collection[object], first: Collection[object]) -> list[Step]:
    """Return the steps of a round with some collectives, by `identity`, started at its beginning and ended at its end.

    Collectives of `first` that are not among them also start at the beginning, before the others.
    """
    urgent: list[Step] = []
    starts: list[Step] = []
    between: list[Step] = []
    dones: list[Step] = []
    for item in steps.items:
        is_ahead = identity(item.op) in ahead
        if not is_ahead and identity(item.op) in first and isinstance(item.step, Start):
            urgent.append(item.step)
        elif is_ahead and isinstance(item.step, Start):
            starts.append(item.step)
        elif is_ahead and isinstance(item.step, Done):
            dones.append(item.step)
        else:
            between.append(item.step)
    return [*urgent, *starts, *between, *dones]


_KINDS = tuple(f"stablehlo.{kind}" for kind in ("all_gather", "all_reduce", "reduce_scatter", "collective_permute"))


@dataclass(frozen=True)
class PrefetchInLoopsOptions:
    """Options of sdy-prefetch-in-loops."""

    machine: str = option(
        "", "send ahead where that shortens a round on this machine, such as 'flops=2e14 bandwidth=5e10'"
    )
    in_flight_bytes: int = option(0, "most bytes of results that are kept for the next round; 0: any number")
    placed: PlacedIn = option(
        PlacedIn.NO, "do nothing unless a step gets shorter by it once all collectives are placed in this mode"
    )
    asynchronous: bool = option(True, "as pairs of stablehlo.async_start and async_done")

    def __post_init__(self) -> None:
        if self.in_flight_bytes < 0:
            raise ValueError(f"option 'in-flight-bytes' is at least 0, not {self.in_flight_bytes}")
        check_placed(self.machine, self.placed)


@dataclass(frozen=True)
class _Ahead:
    """A collective that can be sent one round ahead."""

    op: ir.Operation
    input: CountedInput


@pass_("sdy-prefetch-in-loops", options=PrefetchInLoopsOptions)
def prefetch_in_loops(module: ir.Operation, options: PrefetchInLoopsOptions) -> object:
    machine = read_machine(options.machine) if options.machine else None
    if machine is None or options.placed is PlacedIn.NO:
        return None if _prefetch(module, machine, options) else UNCHANGED
    trial = Trial(module, Placing(machine, options.placed.value, options.in_flight_bytes))
    return None if _prefetch(module, machine, options) and trial.succeeds() else UNCHANGED


def _prefetch(module: ir.Operation, machine: Machine | None, options: PrefetchInLoopsOptions) -> bool:
    """Return whether anything is sent ahead."""
    reader = None if machine is None else Reader(module, local_mesh(module), machine)
    channels = channels_from(max_channel(module) + 1)
    changed = False
    for loop in ops_named(module, WHILE):  # inner ones first
        count = counting(loop)
        if count is None or count.rounds < 2:
            continue
        found = _that_fit(_candidates(loop, count), options.in_flight_bytes)
        if reader is not None:
            early = options.placed is not PlacedIn.NO
            chosen = shortened(reader.of_block(loop_body(loop)), [each.op for each in found], early=early)
            found = [each for each in found if each.op in chosen]
        if found:
            _send_ahead(loop, count, found, channels, asynchronous=options.asynchronous)
            changed = True
    return changed


def _candidates(loop: ir.Operation, count: Counting) -> list[_Ahead]:
    """Return the candidates of a loop, in order of first use in an iteration."""
    found: list[_Ahead] = []
    for view in loop_body(loop).operations:
        op = view.operation
        if op.name in _KINDS and len(op.operands) == 1 and op.results[0].type.has_static_shape and has_elements(op):
            source = counted_input(op.operands[0], loop, count)
            if source is not None and next(iter(op.results[0].uses), None) is not None:
                found.append(_Ahead(op, source))
    return sorted(found, key=lambda each: block_order(first_user(each.op) or each.op))


def _that_fit(found: Sequence[_Ahead], limit: int) -> list[_Ahead]:
    fitting, held = list[_Ahead](), 0
    for each in found:
        size = byte_size(each.op.results[0].type)
        if not limit or held + size <= limit:
            fitting.append(each)
            held += size
    return fitting


def _send_ahead(
    loop: ir.Operation, count: Counting, found: Sequence[_Ahead], channels: Iterator[int], *, asynchronous: bool
) -> None:
    before = ir.InsertionPoint(loop)
    first: list[ir.Value] = []
    for each in found:
        operand = each.input.computed(loop.operands[count.number], before)
        first.append(_again(each.op, operand, before, channels))
    made = with_more_variables(loop, first)
    run_last_round(loop, made, [each.op for each in found], channels)
    _send_for_next_round(loop, count, found, asynchronous=asynchronous)
    stop_one_round_before(loop, count)
    take_over(loop, made)


def _again(op: ir.Operation, operand: ir.Value, where: ir.InsertionPoint, channels: Iterator[int]) -> ir.Value:
    """Build the same collective of another tensor."""
    copy = op.clone(ip=where).operation
    copy.operands[0] = operand
    take_new_channels(copy, channels)
    return copy.results[0]


def _send_for_next_round(loop: ir.Operation, count: Counting, found: Sequence[_Ahead], *, asynchronous: bool) -> None:
    """Give the collectives in the body the operands of the next round; their results become loop variables."""
    body = loop_body(loop)
    start = body.operations[0].operation
    where = ir.InsertionPoint(start)
    with where, loop.location:
        counter = Value(body.arguments[count.number])
        following = counter + ops.constant(count.step, counter.type)
    operands = [each.input.computed(following, where) for each in found]
    unneeded = [each.op.operands[0] for each in found]
    for each, operand in zip(found, operands, strict=True):
        each.op.results[0].replace_all_uses_with(body.add_argument(each.op.results[0].type, each.op.location))
        each.op.operands[0] = operand
        if each.op != start:
            each.op.move_before(start)
    erase_unused(unneeded)
    sent = [each.op.results[0] for each in found]
    if asynchronous:
        dones = [make_asynchronous(each.op)[1] for each in found]
        for done in dones:
            done.move_before(terminator(body))
        sent = [done.results[0] for done in dones]
    return_more(body, sent)
