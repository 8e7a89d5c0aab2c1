"""Giving the users of a value another one, while new users of the old value appear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
