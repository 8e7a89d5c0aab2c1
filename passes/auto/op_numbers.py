"""Numbers of ops, by which those of a copy are found in the program that it is of."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.mlir import ir
from sdy.mlir.walk import pre_order

NUMBER = "sdy.auto_number"
"""The attribute that holds the number."""


def number_ops(module: ir.Operation) -> list[ir.Operation]:
    """Gives every op its number as an attribute; returns the ops."""
    ops = pre_order(module)
    type_ = ir.IntegerType.get_signless(64, module.context)
    for number, op in enumerate(ops):
        op.attributes[NUMBER] = ir.IntegerAttr.get(type_, number)
    return ops


def forget_numbers(ops: Iterable[ir.Operation]) -> None:
    """Takes the numbers off."""
    for op in ops:
        if NUMBER in op.attributes:
            del op.attributes[NUMBER]


def number_of(op: ir.Operation) -> int | None:
    """None for an op that has none."""
    attribute = op.attributes.get(NUMBER)
    return None if attribute is None else ir.IntegerAttr(attribute).value
