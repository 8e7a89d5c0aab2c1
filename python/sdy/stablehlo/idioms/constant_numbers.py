"""Values that are the same number everywhere, known before the program runs."""

from __future__ import annotations

import math

from sdy.mlir import ir
from sdy.stablehlo.idioms.reduction_bodies import splat_number

_PASS_ON = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose", "slice"))


def constant_number(value: ir.Value) -> float | None:
    """The number of which a real tensor consists, None if it is not known."""
    while isinstance(value, ir.OpResult):
        op = value.owner.operation
        if op.name == "stablehlo.divide":
            return _quotient(*map(constant_number, op.operands))
        if op.name not in _PASS_ON:
            return splat_number(value)
        value = op.operands[0]
    return None


def is_zero(value: ir.Value) -> bool:
    return constant_number(value) == 0


def _quotient(dividend: float | None, divisor: float | None) -> float | None:
    if dividend is None or not divisor or not math.isfinite(divisor):
        return None
    return dividend / divisor
