"""Passes on constants and single elements that go from one mesh to another (spec: mpmd, 7)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.op_properties import is_constant
from sdy.mlir import ir
from sdy.mlir.rewriting import after, before, defining_op, remade, terminator, users
from sdy.mlir.walk import identity
from sdy.passes.mpmd.common.fragment_editing import add_result, replace_results
from sdy.passes.mpmd.common.fragments import (
    FRAGMENT,
    TRANSFER,
    block_of,
    fragments_in,
    in_host_memory,
    is_on_host,
    mesh_tensor_of,
    on_mesh,
    returned,
)
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION
from sdy.stablehlo import ops


@pass_("mpmd-copy-constants", on=FUNCTION)
def copy_constants(func: ir.Operation) -> None:
    """mpmd-copy-constants: Make constants in the fragments that use them, in place of operands from other fragments.

        %1 = mpmd.fragment<mesh="m1", ...> (...) { %c = stablehlo.constant ... mpmd.return %c : T }
        %2 = mpmd.transfer %1 : (!m1) -> !m2
        %3 = mpmd.fragment<mesh="m2", ...> (%2) (%a: T) ...
    ==> %3 = mpmd.fragment<mesh="m2", ...> (%2) (%a: T) { %c = stablehlo.constant ...  // %c in place of %a

    Spec: mpmd, 7.
    """
    for fragment in reversed(fragments_in(func)):
        for operand, argument in zip(fragment.operands, block_of(fragment).arguments, strict=True):
            constant = _constant_behind(operand)
            if constant is not None:
                clone = constant.clone(ip=ir.InsertionPoint.at_block_begin(block_of(fragment)))
                argument.replace_all_uses_with(clone.results[0])


def _constant_behind(value: ir.Value) -> ir.Operation | None:
    """The constant in another fragment that a value is, through transfers."""
    op = defining_op(value)
    while op is not None and op.name == TRANSFER:
        value = op.operands[0]
        op = defining_op(value)
    if op is None or op.name != FRAGMENT:
        return None
    made = defining_op(returned(op)[ir.OpResult(value).result_number])
    return made if made is not None and is_constant(made) else None


@pass_("mpmd-merge-transfers", on=FUNCTION)
def merge_transfers(func: ir.Operation) -> None:
    """mpmd-merge-transfers: Merge the transfers of single elements from one fragment to another.

        %2 = mpmd.transfer %1#0 : (!m1_scalar) -> !m2_scalar
        %3 = mpmd.transfer %1#1 : (!m1_scalar) -> !m2_scalar
        %4 = mpmd.fragment<mesh="m2", ...> (%2, %3) ...
    ==> %2 = mpmd.transfer {concat_transfer} %1#2 : (!m1_vector) -> !m2_vector
        %4 = mpmd.fragment<mesh="m2", ...> (..., %2) ...

    Unused operands stay.

    Spec: mpmd, 7.
    """
    # Fragments are made anew on the way; their numbers stay.
    for number in range(len(fragments_in(func))):
        for (_, _, consumer), members in _groups(func, number).items():
            if len(members) > 1:
                fragments = fragments_in(func)
                _transfer_together(fragments[number], fragments[consumer], members)


_Group = tuple[ir.Type, ir.Type, int]
"""Types on both sides of transfers, and the number of the fragment that takes their results."""


def _groups(func: ir.Operation, number: int) -> dict[_Group, list[tuple[int, ir.Operation]]]:
    """The transfers of single elements from a fragment, with the numbers of its results, by group."""
    fragments = fragments_in(func)
    number_of = {identity(op): index for index, op in enumerate(fragments)}
    groups: dict[_Group, list[tuple[int, ir.Operation]]] = {}
    for result in filter(_is_single_element, fragments[number].results):
        for transfer in [user for user in users(result) if user.name == TRANSFER]:
            moved = transfer.results[0]
            using = dict.fromkeys(identity(user) for user in users(moved) if user.name == FRAGMENT)
            for user in using:
                if user in number_of:
                    key = result.type, moved.type, number_of[user]
                    groups.setdefault(key, []).append((result.result_number, transfer))
    return groups


def _is_single_element(value: ir.Value) -> bool:
    """Return whether a value has one element, replicated on its mesh."""
    found, type_ = mesh_tensor_of(value), sharded_type(value.type)
    if found is None or not isinstance(type_, ir.RankedTensorType) or prod(type_.shape) != 1:
        return False
    is_host = in_host_memory(value) or is_on_host(found.mesh_name)
    return not is_host and (found.sharding is None or found.sharding.is_fully_replicated)


def _transfer_together(
    producer: ir.Operation, consumer: ir.Operation, members: Sequence[tuple[int, ir.Operation]]
) -> None:
    """Concatenate results, transfer them, and slice them in the consumer."""
    end = terminator(block_of(producer))
    element = ir.RankedTensorType(end.operands[members[0][0]].type)
    where = {"loc": producer.location, "ip": before(end)}
    values = [end.operands[number] for number, _ in members]
    pieces = [ops.reshape(each, [1, *element.shape], loc=each.location, ip=before(end)) for each in values]
    joined = ops.concatenate(pieces, 0, **where)
    ends = members[0][1].operands[0], members[0][1].results[0]
    types = [mpmd_builders.mesh_tensor(on_mesh(each).mesh_name, joined.type) for each in ends]
    producer = add_result(producer, [joined], [types[0]])
    moved = mpmd_builders.transfer(
        producer.results[len(producer.results) - 1], types[1], loc=producer.location, ip=after(producer)
    )
    moved.owner.operation.attributes["concat_transfer"] = ir.UnitAttr.get()
    _take_apart(consumer, moved, [transfer.results[0] for _, transfer in members])


def _take_apart(consumer: ir.Operation, moved: ir.Value, values: Sequence[ir.Value]) -> None:
    """Give a fragment the vector `moved`, whose elements replace the operands `values`."""
    operands = list(consumer.operands)
    new = remade(consumer, [*operands, moved], [result.type for result in consumer.results], with_blocks=True)
    block = block_of(new)
    vector = block.add_argument(sharded_type(moved.type), new.location)
    start = ir.InsertionPoint.at_block_begin(block)
    shape = list(vector.type.shape)[1:]
    for index, value in enumerate(values):
        for number in [number for number, operand in enumerate(operands) if operand == value][::-1]:
            limits = [index + 1, *shape]
            piece = ops.slice(vector, [index, *[0] * len(shape)], limits, loc=new.location, ip=start)
            piece = ops.reshape(piece, shape, loc=new.location, ip=start)
            block.arguments[number].replace_all_uses_with(piece)
    replace_results(consumer, new)
