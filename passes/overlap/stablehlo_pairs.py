"""StableHLO's asynchronous operations: a start with an op in it, and a done (spec: async, 4.1)."""

from __future__ import annotations

from typing import Any

from sdy.dialect.asynchronous_pairs import STABLEHLO, operation_of
from sdy.dialect.hlo_async import async_builders
from sdy.dialect.hlo_async.chains import Chain
from sdy.dialect.hlo_async.declarations import IN_SHARDINGS, MAIN_THREAD
from sdy.mlir import ir

FROM_STABLEHLO = "sdy.from_stablehlo"
"""The attribute of a start of hlo_async that is to become one of StableHLO again."""

MOVES = frozenset(f"stablehlo.{name}" for name in ("slice", "dynamic_slice", "dynamic_update_slice"))
"""The ops that may be started with several operands."""

COLLECTIVES = frozenset(
    f"stablehlo.{name}"
    for name in ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute")
) | {"stablehlo.reduce_scatter"}
"""The ops that may be started with one operand."""


def obstacle_of(chain: Chain) -> str | None:
    """Why StableHLO cannot say what a chain of hlo_async does; None if it can."""
    name = chain.wrapped.name
    if chain.updates:
        return "has an update, which StableHLO has not"
    if chain.thread != MAIN_THREAD:
        return f'is for thread "{chain.thread}", and StableHLO has no threads'
    if name not in COLLECTIVES | MOVES:
        return f"starts '{name}', which StableHLO cannot start"
    operands, results = len(chain.start.operands), len(chain.done.results)
    if results != 1 or (operands != 1 and name not in MOVES):
        counts = f"{operands} operands and {results} results"
        return f"starts '{name}' with {counts}, and StableHLO starts it with one of each"
    return None


def to_stablehlo(chain: Chain) -> None:
    """Replaces a chain of hlo_async, to which there is no obstacle, by a pair of StableHLO, into which its op moves."""
    start, op, done = chain.start, chain.wrapped, chain.done
    type_ = op.results[0].type
    future = ir.Type.parse(f"!stablehlo.future<{type_}>", start.context)
    arguments = list(start.regions[0].blocks[0].arguments)
    dropped = ("thread", "computation", IN_SHARDINGS, FROM_STABLEHLO)
    kept = {name: start.attributes[name] for name in start.attributes if name not in dropped}
    here: dict[str, Any] = {"loc": start.location, "ip": ir.InsertionPoint(start)}
    made = ir.Operation.create(STABLEHLO.start, [future], list(start.operands), kept, regions=1, **here)
    attributes = {name: done.attributes[name] for name in done.attributes}
    at_done = ir.InsertionPoint(done)
    ended = ir.Operation.create(STABLEHLO.done, [type_], [made.results[0]], attributes, loc=done.location, ip=at_done)
    block = made.regions[0].blocks.append(
        *(each.type for each in arguments), arg_locs=[each.location for each in arguments]
    )
    for old, new in zip(arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
    returned, end = op.block.operations[1].operation.location, ir.InsertionPoint(block)
    op.move_before(ir.Operation.create(STABLEHLO.terminator, [], list(op.results), loc=returned, ip=end))
    done.results[0].replace_all_uses_with(ended.results[0])
    done.erase()
    start.erase()


def to_hlo_async(start: ir.Operation) -> ir.Operation:
    """Replaces a start of StableHLO, and its done, by ones of hlo_async; returns the new start.

    The pair is one that `checked_starts` lets pass.
    """
    done, op = next(iter(start.results[0].uses)).owner.operation, operation_of(start)
    arguments = list(start.regions[0].blocks[0].arguments)
    with ir.InsertionPoint(start), start.location:
        made = async_builders.start(list(start.operands), [result.type for result in op.results])
    for name in start.attributes:
        made.attributes[name] = start.attributes[name]
    with ir.InsertionPoint(done), done.location:
        ended = async_builders.done(made.results[0])
    for name in done.attributes:
        ended.attributes[name] = done.attributes[name]
    block = made.regions[0].blocks[0]
    for old, new in zip(arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
        new.set_location(old.location)
    terminator = op.block.operations[1].operation
    with ir.InsertionPoint(block), terminator.location:
        op.move_before(async_builders.return_(list(op.results)))
    for old, new in zip(done.results, ended.results, strict=True):
        old.replace_all_uses_with(new)
    done.erase()
    start.erase()
    return made
