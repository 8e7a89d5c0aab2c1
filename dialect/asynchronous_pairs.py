"""Asynchronous operations: a start that holds the operation, and a done that waits for it (spec: async, 4.1, 10).

There are several families of ops for this. Each is declared once, by `asynchronous_family`; passes ask here.

    %f = "stablehlo.async_start"(%a) ({
    ^bb0(%x: tensor<8xf32>):
      %y = "stablehlo.all_gather"(%x) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
      stablehlo.return %y : tensor<16xf32>
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
    %g = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sdy.dialect.data_flow import EDGE
from sdy.dialect.hlo_async import declarations
from sdy.mlir import ir

MARK = "sdy.asynchronous"
"""On an op that is synchronous for the time being: what the asynchronous operation was like (spec: async, 17)."""


@dataclass(frozen=True, slots=True)
class AsynchronousFamily:
    """Names of the ops of one kind of pairs.

    The start has one region of one block, which holds the operation and a terminator, and one result: the handle. It is
    operand 0 of an update, whose result is the next handle, or of the done, whose results are those of the operation.
    `handle_prefix` is how the texts of types of handles begin.
    """

    start: str
    done: str
    terminator: str
    handle_prefix: str
    update: str | None = None


_families: dict[str, AsynchronousFamily] = {}


def asynchronous_family(family: AsynchronousFamily) -> AsynchronousFamily:
    """Declares a family; passes treat its ops as those of StableHLO from then on."""
    for name in (family.start, family.done, family.update):
        if name is not None:
            _families[name] = family
    return family


STABLEHLO = asynchronous_family(
    AsynchronousFamily("stablehlo.async_start", "stablehlo.async_done", "stablehlo.return", "!stablehlo.future<")
)

HLO_ASYNC = asynchronous_family(
    AsynchronousFamily(
        declarations.START, declarations.DONE, declarations.RETURN, "!hlo_async.bundle<", declarations.UPDATE
    )
)


def families() -> tuple[AsynchronousFamily, ...]:
    """All declared families, in order of declaration."""
    return tuple(dict.fromkeys(_families.values()))


def family_of(op: ir.Operation) -> AsynchronousFamily | None:
    """The family that a start, update or done belongs to."""
    return _families.get(op.name)


def is_start(op: ir.Operation) -> bool:
    found = _families.get(op.name)
    return found is not None and found.start == op.name


def is_done(op: ir.Operation) -> bool:
    found = _families.get(op.name)
    return found is not None and found.done == op.name


def is_update(op: ir.Operation) -> bool:
    found = _families.get(op.name)
    return found is not None and found.update == op.name


def is_handle(type_: ir.Type) -> bool:
    """Whether a type is what starts and updates result in."""
    if isinstance(type_, ir.ShapedType):
        return False
    text = str(type_)
    return any(text.startswith(family.handle_prefix) for family in families())


def operation_of(start: ir.Operation) -> ir.Operation:
    """The op that a start holds, besides which propagation may have put data-flow edges there."""
    return next(op.operation for op in start.regions[0].blocks[0].operations if op.operation.name != EDGE)


def chain(start: ir.Operation) -> Iterator[ir.Operation]:
    """What follows a start by its handle: its updates, then its done, as far as there are any.

    A handle that others use as well, or that leaves its block, ends the chain.
    """
    op = start
    while not is_done(op):
        users = [use.owner.operation for use in op.results[0].uses]
        if len(users) != 1 or users[0].block != start.block or not (is_done(users[0]) or is_update(users[0])):
            return
        op = users[0]
        yield op


def done_of(start: ir.Operation) -> ir.Operation | None:
    """The done of a start in the same block, None if there is none that is the only one."""
    found = list(chain(start))
    return found[-1] if found and is_done(found[-1]) else None


def start_of(done: ir.Operation) -> ir.Operation | None:
    """The start that a done or update leads back to, through updates; None if the handle comes from elsewhere."""
    op = done
    while not is_start(op):
        value = op.operands[0]
        if not isinstance(value, ir.OpResult):
            return None
        op = value.owner.operation
        if family_of(op) is None or is_done(op):
            return None
    return op


def problem_of_start(start: ir.Operation) -> str | None:
    """What keeps a start from having one done in its block; None if it has."""
    op = start
    while True:
        users = [use.owner.operation for use in op.results[0].uses]
        if len(users) != 1:
            return "has no done" if not users else f"has {len(users)} users, expected one done"
        user = users[0]
        if not (is_done(user) or is_update(user)):
            return f"is handed to '{user.name}', expected a done"
        if user.block != start.block:
            return "has its done in another block"
        if is_done(user):
            return None
        op = user


def problem_of_done(done: ir.Operation) -> str | None:
    """What keeps a done or update from following a start; None if it does."""
    return None if start_of(done) is not None else "waits for what no start has begun, but a value from elsewhere"


def unwrap_pair(start: ir.Operation) -> ir.Operation:
    """Puts the op that a start of StableHLO holds in its place, and does without its done; returns the op.

    There has to be a done (see `problem_of_start`).
    """
    op, behind = operation_of(start), list(chain(start))
    op.move_before(start)
    for argument, operand in zip(start.regions[0].blocks[0].arguments, start.operands, strict=True):
        argument.replace_all_uses_with(operand)
    for old, new in zip(behind[-1].results, op.results, strict=True):
        old.replace_all_uses_with(new)
    for each in reversed(behind):
        each.erase()
    start.erase()
    return op
