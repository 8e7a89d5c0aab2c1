"""The regions of an op that one device alone executes: the others do not come there, so nothing may communicate."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import pre_order

_HARMLESS = frozenset({"sdy.reshard", "sdy.constant", "sdy.return"})


def leave_to_one_device(op: ir.Operation, is_on_one: Callable[[TensorSharding], bool]) -> list[ir.Operation]:
    """Makes the ops in the regions of `op`, which stands in a branch that one device takes, those of that device.

    Values from around that are brought there are taken from where they come, which every device has whole, and those
    that are sharded are gathered in front of the branches. `is_on_one` says whether a sharding is that of one device.

    Returns:
      The reshards outside of `op` whose results its regions used.

    Raises:
      DiagnosticError: at an op inside that is sharded, or takes partial values.
    """
    before = op.parent.operation
    inside = [each for each in pre_order(op) if each != op]
    own = {value for each in (op, *inside) for region in each.regions for b in region.blocks for value in b.arguments}
    own |= {result for each in inside for result in each.results}
    whole: dict[ir.Value, ir.Value] = {}
    passed: list[ir.Operation] = []
    for each in inside:
        _check(each, is_on_one)
        for number, operand in enumerate(list(each.operands)):
            if operand in own:
                continue
            if operand not in whole:
                whole[operand] = _whole(operand, each, before, is_on_one, passed)
            each.operands[number] = whole[operand]
        if SHARDING in each.attributes:
            del each.attributes[SHARDING]
    for each in reversed(inside):
        if each.name == "sdy.reshard":
            each.results[0].replace_all_uses_with(each.operands[0])
            each.erase()
    return passed


def _whole(
    value: ir.Value,
    user: ir.Operation,
    before: ir.Operation,
    is_on_one: Callable[[TensorSharding], bool],
    passed: list[ir.Operation],
) -> ir.Value:
    """`value` as every device has it whole; a reshard that only brings it to the device is added to `passed`."""
    maker = value.owner
    if not isinstance(maker, ir.Block) and maker.operation.name == "sdy.reshard":
        reshard = maker.operation
        if is_on_one(attributes.get(reshard, "sharding")):
            passed.append(reshard)
            return reshard.operands[0]
    sharding = get_sharding(value)
    if sharding is None or is_on_one(sharding):
        return value
    if sharding.unreduced:
        raise DiagnosticError(user, "takes partial values, in an op that a single device executes")
    if sharding.is_fully_replicated:
        return value
    closed = TensorSharding.closed(sharding.mesh_or_ref, sharding.rank)
    return builders.all_gather(value, sharding.dim_axes, closed, loc=before.location, ip=ir.InsertionPoint(before))


def _check(op: ir.Operation, is_on_one: Callable[[TensorSharding], bool]) -> None:
    """Refuses what takes several devices."""
    is_reshard = op.name == "sdy.reshard"
    shardings = (attributes.get(op, "sharding"),) if is_reshard else op_shardings(op) or ()
    is_collective = op.name.startswith("sdy.") and op.name not in _HARMLESS
    if is_collective or not all(is_on_one(each) or each.is_fully_replicated for each in shardings):
        raise DiagnosticError(op, "is sharded, in an op that a single device executes")
