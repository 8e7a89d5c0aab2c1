"""Uses of values, places of insertion, and ops moved out of regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.walk import block_order, pre_order


def defining_op(value: ir.Value) -> ir.Operation | None:
    """Return the op that `value` is a result of; None for an argument of a block."""
    return value.owner.operation if isinstance(value, ir.OpResult) else None


def users(value: ir.Value) -> list[ir.Operation]:
    """Return the users in the order of the use list; an op with two uses occurs twice."""
    return [use.owner.operation for use in value.uses]


def has_one_use(value: ir.Value) -> bool:
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def has_no_use(value: ir.Value) -> bool:
    return next(iter(value.uses), None) is None


def is_visible(earlier: ir.Operation, op: ir.Operation) -> bool:
    """Return whether `op` may use results of an earlier op, which must be in its block or an enclosing one."""
    block = op.block
    while block != earlier.block:
        holder = block.owner.operation
        if holder.name in ("func.func", "sdy.manual_computation"):
            return False
        block = holder.block
    return True


def is_unused(op: ir.Operation) -> bool:
    """Return whether no result of an op is used."""
    return all(map(has_no_use, op.results))


def holder_in(op: ir.Operation, block: ir.Block) -> ir.Operation:
    """Return the op of `block` that is `op` or contains it."""
    while op.block != block:
        op = op.block.owner.operation
    return op


def first_user(op: ir.Operation) -> ir.Operation | None:
    """Return the first op of the block that uses a result of `op`, or contains such an op; None without any."""
    holders = [holder_in(user, op.block) for result in op.results for user in users(result)]
    return min(holders, key=block_order, default=None)


class At(TypedDict, total=False):
    """Named arguments of op builders: the location `loc` and the insertion point `ip`.

    The current location and insertion point replace missing ones and None.
    """

    loc: ir.Location | None
    ip: ir.InsertionPoint | None


def before(op: ir.Operation) -> ir.InsertionPoint:
    """Return the insertion point directly before `op`."""
    return ir.InsertionPoint(op)


def after(op: ir.Operation) -> ir.InsertionPoint:
    """Return the insertion point directly behind `op`."""
    return ir.InsertionPoint.after(op)


def after_value(value: ir.Value) -> ir.InsertionPoint:
    """Return the insertion point behind the op that defines `value`, or at the start of its block."""
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
    """Replace all uses of `value` by `new`, except those by `user`."""
    value.replace_all_uses_except(new, [user])


def remade(
    op: ir.Operation,
    operands: Sequence[ir.Value],
    types: Sequence[ir.Type],
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    ip: ir.InsertionPoint | None = None,
    with_blocks: bool = False,
) -> ir.Operation:
    """Build an op of the same kind and location in front of `op`, with empty regions, or with its blocks.

    It has the attributes of `op` or the given ones.

    Nothing is inferred: attributes may be of any dialect, and the contents of regions are moved in later.
    """
    kept = {name: op.attributes[name] for name in op.attributes} if attributes is None else dict(attributes)
    where = ir.InsertionPoint(op) if ip is None else ip
    new = ir.Operation.create(op.name, list(types), list(operands), kept, None, len(op.regions), op.location, where)
    for old, region in zip(op.regions, new.regions, strict=True) if with_blocks else ():
        old.blocks[0].append_to(region)
    return new


def replace(op: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Replace the results of `op` by `values`, and erase it."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def values_from_above(op: ir.Operation) -> list[ir.Value]:
    """Return the outer values used in the regions of `op`, each once, in the order in which they come."""
    inside: set[ir.Value] = set()
    found: dict[ir.Value, None] = {}
    for each in pre_order(op):
        inside.update(each.results)
        inside.update(argument for region in each.regions for block in region.blocks for argument in block.arguments)
    for each in pre_order(op)[1:]:
        found.update(dict.fromkeys(operand for operand in each.operands if operand not in inside))
    return list(found)


def use_instead(op: ir.Operation, values: Mapping[ir.Value, ir.Value]) -> None:
    """Let an op, and the ops in its regions, take the values of a mapping instead of its keys."""
    for each in pre_order(op) if len(op.regions) else (op,):
        for number, operand in enumerate(each.operands):
            if operand in values:
                each.operands[number] = values[operand]


def clone_with(op: ir.Operation, values: Mapping[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Operation:
    """Return a clone of an op that takes the values of a mapping instead of its keys."""
    clone = op.clone(ip=ip).operation
    use_instead(clone, values)
    return clone


def move_out(block: ir.Block, operands: Sequence[ir.Value], place: ir.Operation) -> list[ir.Value]:
    """Move the ops of `block` in front of `place`, with `operands` for its arguments; return its results.

    The op that ends the block stays in it.
    """
    for argument, operand in zip(block.arguments, operands, strict=True):
        argument.replace_all_uses_with(operand)
    *nested, terminator = [view.operation for view in block.operations]
    for op in nested:
        op.move_before(place)
    return list(terminator.operands)


def inline(op: ir.Operation) -> None:
    """Replace an op with one block by its body, such as a named computation."""
    replace(op, move_out(op.regions[0].blocks[0], list(op.operands), op))


def inline_call(call: ir.Operation, callee: ir.Operation) -> None:
    """Replace `call` by a copy of the one-block body of `callee`; locations include that of the call."""
    copy = callee.clone(ip=False).operation
    for op in body(copy).operations:
        for each in pre_order(op.operation):
            each.location = ir.Location.callsite(each.location, [call.location])
    inline_last_call(call, copy)


def inline_last_call(call: ir.Operation, callee: ir.Operation) -> None:
    """Replace `call` by the one-block body of `callee`, which is erased; locations stay unchanged."""
    replace(call, move_out(body(callee), list(call.operands), call))
    callee.erase()
