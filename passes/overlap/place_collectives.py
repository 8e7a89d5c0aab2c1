"""sdy-place-collectives: starts asynchronous collectives early and ends them late, so that others run meanwhile.

    %f = "stablehlo.async_start"(%a) ...
    %0 = "stablehlo.async_done"(%f) ...
    %1 = stablehlo.dot_general %b, %c, ...
    %2 = stablehlo.add %0, %1
==> %f = "stablehlo.async_start"(%a) ...
    %1 = stablehlo.dot_general %b, %c, ...
    %0 = "stablehlo.async_done"(%f) ...
    %2 = stablehlo.add %0, %1

Works on local programs, block by block. With `mode=keep` only starts and dones move, which never makes a step slower
than with synchronous collectives, whatever it runs on. With `mode=list` all ops move, by their durations on a
`machine`; that order is taken if the machine is predicted to be faster with it, and its values take less than
`in-flight-bytes` more. At most `in-flight-bytes` are held by collectives between start and done, but for one alone.
For a machine, an all_to_all that `sdy-async-collectives` has rewritten becomes what it was if that gains nothing.

Nothing moves past an op with effects, and collectives on one channel handle start in the order that they have. Values
stay the same bit for bit. `sdy-async-collectives` makes the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from sdy.dialect.shardings.meshes import enclosing_module
from sdy.mlir import ir
from sdy.passes.costs.machine import read_machine
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.costs.program_steps import Reader
from sdy.passes.options import option
from sdy.passes.overlap.pairs import checked_starts
from sdy.passes.overlap.placement.block_graph import BlockGraph, blocks_of, graph_of
from sdy.passes.overlap.placement.idle_rewrites import is_rewritten, undo_idle_rewrites
from sdy.passes.overlap.placement.keep_order import keep_order
from sdy.passes.overlap.placement.list_schedule import list_schedule
from sdy.passes.overlap.placement.order_of_effects import OrderOfEffects
from sdy.passes.overlap.placement.pinning import pin
from sdy.passes.overlap.placement.placing import UNLIMITED, Order, peak_live_bytes, run
from sdy.passes.registry import UNCHANGED, pass_


class Mode(Enum):
    """What moves."""

    KEEP = "keep"
    LIST = "list"


@dataclass(frozen=True)
class PlaceCollectivesOptions:
    """Options of sdy-place-collectives."""

    machine: str = option("", "what to place for, such as 'flops=2e14 bandwidth=5e10'; needed for mode=list")
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
    """What knows durations, if they matter."""
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
    """`keep`, or `list` if that is faster on the machine and takes little more."""
    limit = options.in_flight_bytes
    kept = keep_order(graph.block, limit)
    if options.mode is Mode.KEEP:
        return kept
    listed = list_schedule(graph.block, limit)
    if run(graph.block, listed).total >= run(graph.block, kept).total:
        return kept
    growth = peak_live_bytes(graph.block, listed) - peak_live_bytes(graph.block, kept)
    return listed if limit == UNLIMITED or growth < limit else kept
