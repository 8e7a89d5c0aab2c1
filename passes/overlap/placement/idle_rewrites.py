"""all_to_alls that were rewritten to be asynchronous, and gain less from it than the rewriting costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect.asynchronous_pairs import operation_of
from sdy.mlir import ir
from sdy.mlir.walk import identity
from sdy.passes.overlap.leading_all_to_all import MARK, restore_all_to_all
from sdy.passes.overlap.pairs import make_synchronous
from sdy.passes.overlap.placement.block_graph import BlockGraph
from sdy.passes.overlap.placement.placing import NO_WORK, Begin, Block, End, Order, run


def is_rewritten(start: ir.Operation) -> bool:
    """Whether a start holds an all_to_all that moves parts along a dimension made for them."""
    return MARK in operation_of(start).attributes


def undo_idle_rewrites(graph: BlockGraph, order: Order) -> None:
    """Makes those of a block, whose nodes have durations, synchronous again that hide less than their transposes take.

    `order` is the one that the ops are in. They then stand where their dones stood; nothing changes if the block as a
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
    """The nodes that transpose what each of them gives."""
    numbers = {identity(op): number for number, op in enumerate(graph.ops)}
    found: dict[int, list[int]] = {}
    for number in rewritten:
        users = [use.owner.operation for use in graph.behind[number][-1].results[0].uses]
        found[number] = [numbers[identity(user)] for user in users if user.name == "stablehlo.transpose"]
    return found


def _total_without(block: Block, order: Order, idle: Sequence[int], transposes: dict[int, list[int]]) -> float:
    """What the block takes with those collectives synchronous, and without their transposes."""
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
