"""Loop variables of `stablehlo.while`."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import remade, terminator

WHILE = "stablehlo.while"


def loop_body(loop: ir.Operation) -> ir.Block:
    return loop.regions[1].blocks[0]


def loop_around(op: ir.Operation) -> ir.Operation | None:
    """The loop whose body `op` is in, not deeper; None if there is none."""
    holder = op.parent
    if holder is None or holder.operation.name != WHILE or op.block != loop_body(holder.operation):
        return None
    return holder.operation


def unchanged_variables(loop: ir.Operation) -> dict[ir.Value, ir.Value]:
    """What the loop variables are before the loop that the body returns as they are."""
    body = loop_body(loop)
    returned = terminator(body).operands
    triples = zip(body.arguments, returned, loop.operands, strict=True)
    return {variable: before for variable, after, before in triples if after == variable}


def before_loop(value: ir.Value, loop: ir.Operation) -> ir.Value | None:
    """What a value of the body is before the loop if no round changes it: itself if it is from outside, else None."""
    body = loop_body(loop)
    block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
    return unchanged_variables(loop).get(value) if block == body else value


def before_loops(value: ir.Value) -> ir.Value:
    """`value` itself, or if it is the result of a loop that does not change it, what it is before that loop."""
    while isinstance(value, ir.OpResult) and value.owner.operation.name == WHILE:
        loop = value.owner.operation
        unchanged = unchanged_variables(loop)
        variable = loop_body(loop).arguments[ir.OpResult(value).result_number]
        if variable not in unchanged:
            break
        value = unchanged[variable]
    return value


def with_more_variables(loop: ir.Operation, first: Sequence[ir.Value]) -> ir.Operation:
    """Return a loop in front of `loop` that will have its regions and more variables, which start as `first`."""
    return remade(loop, [*loop.operands, *first], [value.type for value in (*loop.results, *first)])


def return_more(body: ir.Block, values: Sequence[ir.Value]) -> None:
    """Let a loop's body return `values` as well, behind the others."""
    old = terminator(body)
    remade(old, [*old.operands, *values], [])
    old.erase()


def take_over(loop: ir.Operation, made: ir.Operation) -> None:
    """Give the regions of `loop` to `made`, which stands for it from now on; its condition takes all variables."""
    condition = loop.regions[0].blocks[0]
    for result in list(made.results)[len(loop.results) :]:
        condition.add_argument(result.type, loop.location)
    for source, target in zip(loop.regions, made.regions, strict=True):
        source.blocks[0].append_to(target)
    loop.erase()
