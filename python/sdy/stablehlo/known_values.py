"""Operands whose values are known while a program is compiled (H13)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import DenseInts, read_dense_ints
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.unchecked import plain_name

_CONSTANTS = frozenset(("stablehlo.constant", "arith.constant"))


def known_value(op: OpFacts, index: int) -> DenseInts | None:
    """The value of an integer operand that is a constant; None for any other.

    `sdy.constant` does not count, as it does not for the reference: its users must not depend on it.
    """
    value = op.value(index)
    if value is None or isinstance(value.owner, ir.Block):
        return None
    owner = value.owner.operation
    if plain_name(owner.name) not in _CONSTANTS:
        return None
    return read_dense_ints(owner.attributes.get("value"), any_width=True)


def known_integer(op: OpFacts, index: int) -> int | None:
    """The value of a scalar integer operand that is a constant."""
    value = known_value(op, index)
    return value.values[0] if value is not None and value.values else None
