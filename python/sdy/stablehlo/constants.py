"""Values that are known before a program runs: constants, and what repeats one number.

Which ops count: `stablehlo.constant` and `sdy.constant`, in whatever the partitioner does with a program. For the types
of results `arith.constant` does and `sdy.constant` does not, as for the reference: nothing may depend on what it holds.
"""

from __future__ import annotations

import math

from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.stablehlo.unchecked import plain_name

CONSTANTS = ("stablehlo.constant", "sdy.constant")

_KNOWN_TO_TYPES = frozenset(("stablehlo.constant", "arith.constant"))

_PASS_ON = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose", "slice"))


def constant_attribute(value: ir.Value | None) -> ir.Attribute | None:
    """The attribute of the constant that makes a value, as type inference knows it; None for any other value."""
    if not isinstance(value, ir.OpResult):
        return None
    owner = value.owner.operation
    name = owner.name
    is_known = name in _KNOWN_TO_TYPES or plain_name(name) in _KNOWN_TO_TYPES
    return owner.attributes.get("value") if is_known else None


def repeated_attribute(constant: ir.Operation) -> ir.Attribute | None:
    """What a constant op repeats; None if it holds several numbers, or complex ones, which the bindings cannot read."""
    if isinstance(constant.results[0].type.element_type, ir.ComplexType):
        return None
    value = constant.attributes["value"]
    return value.get_splat_value() if isinstance(value, ir.DenseElementsAttr) and value.is_splat else None


def splat_number(value: ir.Value) -> float | int | None:
    """The number that a constant repeats; None for any other value, and for element types without Python numbers."""
    op = defining_op(value)
    if op is None or op.name not in CONSTANTS:
        return None
    number = repeated_attribute(op)
    return number.value if isinstance(number, (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr)) else None


def splat_integer(value: ir.Value) -> int | None:
    """The integer that a constant repeats; None for any other value."""
    number = splat_number(value)
    return int(number) if isinstance(number, int) else None


def constant_number(value: ir.Value) -> float | None:
    """The number of which a real tensor consists, by constants, what moves their elements and quotients.

    None if it is not known.
    """
    while (op := defining_op(value)) is not None:
        if op.name == "stablehlo.divide":
            return _quotient(*map(constant_number, op.operands))
        if op.name not in _PASS_ON:
            return splat_number(value)
        value = op.operands[0]
    return None


def is_zero(value: ir.Value) -> bool:
    """Whether all elements of a real tensor are known to be 0."""
    return constant_number(value) == 0


def _quotient(dividend: float | None, divisor: float | None) -> float | None:
    if dividend is None or not divisor or not math.isfinite(divisor):
        return None
    return dividend / divisor
