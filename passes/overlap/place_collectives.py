"""sdy-place-collectives: Start asynchronous collectives early and end them late.

    %f = "stablehlo.async_start"(%a) ...
    %0 = "stablehlo.async_done"(%f) ...
    %1 = stablehlo.dot_general %b, %c, ...
    %2 = stablehlo.add %0, %1
==> %f = "stablehlo.async_start"(%a) ...
    %1 = stablehlo.dot_general %b, %c, ...
    %0 = "stablehlo.async_done"(%f) ...
    %2 = stablehlo.add %0, %1

Works on local programs, block by block. With `mode=keep` only starts and dones move, which never makes a step slower
than with synchronous collectives, on any machine. With `mode=list` all ops move, by their durations on a `machine`.
That order is used if the machine is predicted to be faster with it, and its values take less than `in-flight-bytes`
more. Collectives hold at most `in-flight-bytes` between start and done, except for a single one. With a machine, an
all_to_all rewritten by `sdy-async-collectives` is restored if the rewrite gains nothing.

Nothing moves past an op with effects, and collectives on one channel handle keep their order of starts. Values stay the
same bit for bit. `sdy-async-collectives` makes the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from sdy.dialect.hlo_async.chains import operation_of
from sdy.dialect.shardings.meshes import enclosing_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.walk import identity
from sdy.passes.costs.machine import read_machine
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.costs.program_steps import Reader
from sdy.passes.options import option
from sdy.passes.overlap.pairs import MARK, checked_starts, make_synchronous, restore_all_to_all
from sdy.passes.overlap.placement.block_graph import BlockGraph, OrderOfEffects, blocks_of, graph_of, pin
from sdy.passes.overlap.placement.list_schedule import keep_order, list_schedule
from sdy.passes.overlap.placement.placing import NO_WORK, UNLIMITED, Begin, Block, End, Order, peak_live_bytes, run
from sdy.passes.registry import UNCHANGED, pass_


def is_rewritten(start: ir.Operation) -> bool:
    """Return whether a start holds an all_to_all that moves parts along a dimension made for them."""
    return MARK in operation_of(start).attributes


def undo_idle_rewrites(graph: BlockGraph, order: Order) -> None:
    """Make collectives of a block synchronous again if they hide less time than their transposes take.

    `order` is the current order of the ops. They then stand where their dones stood; nothing changes if the block as a
    whole would not be faster.
    """
    rewritten = [number for number in graph.behind if is_rewritten(graph.ops[number])]
    if not rewritten:
        return
    transposes = _transposes(graph, rewritten)
    before = run(graph.block, order)
    idle: list[int] = []
    for number in rewritten:
        flight, cost = before.flights[number], (graph.block.nodes[node].work.compute for node in transposes[number])
        if flight.seconds - flight.wait <= sum(cost):
            idle.append(number)
    if idle and _total_without(graph.block, order, idle, transposes) < before.total:
        for number in idle:
            _undo(graph, number)


def _transposes(graph: BlockGraph, rewritten: Sequence[int]) -> dict[int, list[int]]:
    """Return the nodes that transpose the result of each of them."""
    numbers = {identity(op): number for number, op in enumerate(graph.ops)}
    found: dict[int, list[int]] = {}
    for number in rewritten:
        users = [use.owner.operation for use in graph.behind[number][-1].results[0].uses]
        found[number] = [numbers[identity(user)] for user in users if user.name == "stablehlo.transpose"]
    return found


def _total_without(block: Block, order: Order, idle: Sequence[int], transposes: dict[int, list[int]]) -> float:
    """Return the seconds of the block with those collectives synchronous, without their transposes."""
    nodes = list(block.nodes)
    for number in idle:
        for node in transposes[number]:
            nodes[node] = replace(nodes[node], work=NO_WORK)
    left_out = set(idle)
    changed: Order = []
    for place in order:
        if place.node not in left_out:
            changed.append(place)
        elif isinstance(place, End):
            changed += [Begin(place.node), place]
    return run(Block(tuple(nodes), block.returned), changed).total


def _undo(graph: BlockGraph, number: int) -> None:
    start = graph.ops[number]
    start.move_before(graph.behind.pop(number)[-1])
    restore_all_to_all(make_synchronous(start))


class Mode(Enum):
    """Ops that may move."""

    KEEP = "keep"
    LIST = "list"


@dataclass(frozen=True)
class PlaceCollectivesOptions:
    """Options of sdy-place-collectives."""

    machine: str = option("", "target machine, such as 'flops=2e14 bandwidth=5e10'; needed for mode=list")
    in_flight_bytes: int = option(UNLIMITED, "most bytes of operands and results in flight on a device; 0: any number")
    mode: Mode = option(Mode.KEEP, "keep the order of all but starts and dones, or list all")
    pin: bool = option(False, "tie starts and dones to the ops beside them by optimization barriers")

    def __post_init__(self) -> None:
        if self.in_flight_bytes < 0:
            raise ValueError(f"option 'in-flight-bytes' is at least 0, not {self.in_flight_bytes}")
        if self.mode is Mode.LIST and not self.machine:
            raise ValueError("option 'mode=list' needs a 'machine'")
        if self.machine:
            read_machine(self.machine)


@pass_("sdy-place-collectives", on="func.func", options=PlaceCollectivesOptions)
def place_collectives(func: ir.Operation, options: PlaceCollectivesOptions) -> str | None:
    starts = checked_starts(func)
    if not starts:
        return UNCHANGED
    module = enclosing_module(func)
    effects = OrderOfEffects(module)
    reader = _reader(module, starts, options)
    for block in list(blocks_of(func)):
        graph = graph_of(block, effects, counts_bytes=options.in_flight_bytes != UNLIMITED, reader=reader)
        if graph.has_pairs:
            _place(graph, options, reader)
    return None


def _reader(module: ir.Operation, starts: Sequence[ir.Operation], options: PlaceCollectivesOptions) -> Reader | None:
    """Return the reader of durations, if they matter."""
    if options.mode is Mode.LIST or (options.machine and any(map(is_rewritten, starts))):
        return Reader(module, local_mesh(module), read_machine(options.machine))
    return None


def _place(graph: BlockGraph, options: PlaceCollectivesOptions, reader: Reader | None) -> None:
    order = _order(graph, options)
    graph.apply(order)
    if reader is not None:
        undo_idle_rewrites(graph, order)
    if options.pin:
        pin(graph)


def _order(graph: BlockGraph, options: PlaceCollectivesOptions) -> Order:
    """Return `keep`, or `list` if that is faster on the machine and takes little more memory."""
    limit = options.in_flight_bytes
    kept = keep_order(graph.block, limit)
    if options.mode is Mode.KEEP:
        return kept
    listed = list_schedule(graph.block, limit)
    if run(graph.block, listed).total >= run(graph.block, kept).total:
        return kept
    growth = peak_live_bytes(graph.block, listed) - peak_live_bytes(graph.block, kept)
    return listed if limit == UNLIMITED or growth < limit else kept
