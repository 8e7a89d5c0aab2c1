"""sdy-prefetch-in-loops: collectives of a loop that only need to know the round send for the next one meanwhile.

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

Works on local programs, on loops that count and have at least two rounds. A collective qualifies if its operand follows
from the counter and from what no round changes, by ops without effects: slices, converts, reshapes. As many bytes are
sent as before, and values stay the same; a device keeps one more result of each of these collectives, of which there
are at most `in-flight-bytes`: what is needed first in a round comes first. With a machine a collective is sent ahead
only if a round gets shorter by its model.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sdy.dialect.ir_builders.communication import max_channel
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_bytes import byte_size
from sdy.mlir.walk import identity
from sdy.passes.costs.machine import Machine, read_machine
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.costs.program_steps import Reader
from sdy.passes.options import option
from sdy.passes.overlap.new_channels import channels_from
from sdy.passes.overlap.pairs import has_elements, make_asynchronous
from sdy.passes.overlap.placement.placed_timeline import PlacedIn, Placing, Trial, check_placed
from sdy.passes.overlap.prefetching.counted_inputs import CountedInput, counted_input
from sdy.passes.overlap.prefetching.peeled_loop import run_last_round, stop_one_round_before, take_new_channels
from sdy.passes.overlap.prefetching.round_estimate import shortened
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import ops
from sdy.stablehlo.idioms.loop_variables import WHILE, loop_body, return_more, take_over, with_more_variables
from sdy.stablehlo.idioms.trip_count import Counting, counting
from sdy.stablehlo.ops.values import Value

_KINDS = tuple(f"stablehlo.{kind}" for kind in ("all_gather", "all_reduce", "reduce_scatter", "collective_permute"))


@dataclass(frozen=True)
class PrefetchInLoopsOptions:
    """Options of sdy-prefetch-in-loops."""

    machine: str = option("", "send ahead what shortens a round on this machine, such as 'flops=2e14 bandwidth=5e10'")
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
    """Whether anything is sent ahead."""
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
    """Those of a loop, what is needed first in a round first."""
    found: list[_Ahead] = []
    for view in loop_body(loop).operations:
        op = view.operation
        if op.name in _KINDS and len(op.operands) == 1 and op.results[0].type.has_static_shape and has_elements(op):
            source = counted_input(op.operands[0], loop, count)
            if source is not None and next(iter(op.results[0].uses), None) is not None:
                found.append(_Ahead(op, source))
    places = {identity(view.operation): number for number, view in enumerate(loop_body(loop).operations)}
    return sorted(found, key=lambda each: _first_use(each.op, places))


def _first_use(op: ir.Operation, places: Mapping[Hashable, int]) -> int:
    """Where in its block an op is needed first."""
    found = len(places)
    for use in op.results[0].uses:
        user = use.owner.operation
        while user.block != op.block:
            user = user.parent.operation
        found = min(found, places.get(identity(user), len(places)))
    return found


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
    """What the same collective makes of another tensor."""
    copy = op.clone(ip=where).operation
    copy.operands[0] = operand
    take_new_channels(copy, channels)
    return copy.results[0]


def _send_for_next_round(loop: ir.Operation, count: Counting, found: Sequence[_Ahead], *, asynchronous: bool) -> None:
    """In the body the collectives take the operands of the next round, and what they give becomes loop variables."""
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
