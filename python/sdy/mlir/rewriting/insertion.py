"""Putting new ops where the values are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from sdy.mlir import ir


class At(TypedDict, total=False):
    """The named arguments `loc` and `ip` of what makes an op: where it comes from, and where it goes.

    The current location and insertion point stand for those that are missing or None.
    """

    loc: ir.Location | None
    ip: ir.InsertionPoint | None


def before(op: ir.Operation) -> ir.InsertionPoint:
    """Directly before `op`."""
    return ir.InsertionPoint(op)


def after(op: ir.Operation) -> ir.InsertionPoint:
    """Directly behind `op`."""
    return ir.InsertionPoint.after(op)


def after_value(value: ir.Value) -> ir.InsertionPoint:
    """Directly behind the op that defines `value`, or at the start of the block that it is an argument of."""
    owner = value.owner
    return ir.InsertionPoint.at_block_begin(owner) if isinstance(owner, ir.Block) else after(owner.operation)


def terminator(block: ir.Block) -> ir.Operation:
    """The last op of `block`, which ends it."""
    try:
        last = ir.InsertionPoint.at_block_terminator(block).ref_operation
    except ValueError:
        last = None
    # The bindings do not take one of an unknown dialect for a terminator. To number ops is to count all before them.
    return (last or block.operations[len(block.operations) - 1]).operation


def redirect_other_uses(value: ir.Value, new: ir.Value, user: ir.Operation) -> None:
    """All uses of `value` but those by `user` become uses of `new`."""
    value.replace_all_uses_except(new, [user])


def remade(
    op: ir.Operation,
    operands: Sequence[ir.Value],
    types: Sequence[ir.Type],
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    ip: ir.InsertionPoint | None = None,
) -> ir.Operation:
    """An op of the same kind and location in front of `op`, with its attributes or those given, and empty regions.

    Nothing is inferred: the attributes may be of any dialect, and what the regions hold is moved into them later.
    """
    kept = {name: op.attributes[name] for name in op.attributes} if attributes is None else dict(attributes)
    where = ir.InsertionPoint(op) if ip is None else ip
    return ir.Operation.create(op.name, list(types), list(operands), kept, None, len(op.regions), op.location, where)
