"""Giving the users of a value another one, while new users of the old value appear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdy.dialect import builders
from sdy.dialect.ir_builders.unused import erase_unused
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir


class OperandSlot(NamedTuple):
    """Operand `number` of `user`."""

    user: ir.Operation
    number: int


def uses_of(value: ir.Value) -> list[OperandSlot]:
    """The operands that are `value`, as a snapshot."""
    return [OperandSlot(use.owner.operation, use.operand_number) for use in value.uses]


def use_instead(slots: Sequence[OperandSlot], value: ir.Value) -> None:
    """Makes all of `slots` use `value`."""
    for slot in slots:
        slot.user.operands[slot.number] = value


def replace_resharded(op: ir.Operation, value: ir.Value, sharding: TensorSharding) -> None:
    """Puts `value` in the place of the only result of `op`, which is gone, with what made its first operand if unused.

    Users that reshard the result reshard the new value, the others get it in `sharding`.
    """
    others = [slot for slot in uses_of(op.results[0]) if slot.user.name != "sdy.reshard"]
    if others and get_sharding(value) != sharding:
        use_instead(others, builders.reshard(value, sharding, loc=op.location, ip=ir.InsertionPoint(op)))
    op.results[0].replace_all_uses_with(value)
    before = op.operands[0]
    op.erase()
    erase_unused([before])
