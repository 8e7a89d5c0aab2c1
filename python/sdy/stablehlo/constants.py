"""Constants of a program, and facts about the values that they define."""

from __future__ import annotations

import math

from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.stablehlo.attribute_readers import DenseInts, read_dense_ints
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.sizes import DYNAMIC

CONSTANTS = ("stablehlo.constant", "sdy.constant")

_KNOWN_TO_TYPES = frozenset(("stablehlo.constant", "arith.constant"))

_PASS_ON = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose", "slice"))


def constant_attribute(value: ir.Value | None) -> ir.Attribute | None:
    """Return the attribute of a constant value, in the form for type inference; None for any other value."""
    if not isinstance(value, ir.OpResult):
        return None
    owner = value.owner.operation
    return owner.attributes.get("value") if owner.name in _KNOWN_TO_TYPES else None


def repeated_attribute(constant: ir.Operation) -> ir.Attribute | None:
    """Return the splat value of a constant op.

    Returns None if it is not a splat, or is complex, which the bindings cannot read.
    """
    if isinstance(constant.results[0].type.element_type, ir.ComplexType):
        return None
    value = constant.attributes["value"]
    return repeated(value) if isinstance(value, ir.DenseElementsAttr) and value.is_splat else None


def repeated(attribute: ir.DenseElementsAttr) -> ir.IntegerAttr | ir.FloatAttr | ir.BoolAttr:
    """Return the value of an attribute that is a splat, and not of complex numbers."""
    return attribute.get_splat_value()


def splat_number(value: ir.Value) -> float | int | None:
    """Return the number that a constant repeats.

    Returns None for any other value, and for element types without Python numbers.
    """
    op = defining_op(value)
    if op is None or op.name not in CONSTANTS:
        return None
    number = repeated_attribute(op)
    return number.value if isinstance(number, (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr)) else None


def splat_integer(value: ir.Value) -> int | None:
    """Return the integer that a constant repeats; None for any other value."""
    number = splat_number(value)
    return int(number) if isinstance(number, int) else None


def constant_number(value: ir.Value) -> float | None:
    """Return the number that fills a real tensor; looks through ops that move elements, and quotients.

    None if it is unknown.
    """
    while (op := defining_op(value)) is not None:
        if op.name == "stablehlo.divide":
            return _quotient(*map(constant_number, op.operands))
        if op.name not in _PASS_ON:
            return splat_number(value)
        value = op.operands[0]
    return None


def is_zero(value: ir.Value) -> bool:
    """Return whether all elements of a real tensor are known to be 0."""
    return constant_number(value) == 0


def _quotient(dividend: float | None, divisor: float | None) -> float | None:
    if dividend is None or not divisor or not math.isfinite(divisor):
        return None
    return dividend / divisor


def known_value(op: OpFacts, index: int) -> DenseInts | None:
    """Return the value of a constant integer operand; None for any other."""
    constants = op.constants
    attribute = constant_attribute(op.value(index)) if constants is None else constants[index]
    if attribute is None or isinstance(attribute, DenseInts):
        return attribute
    return read_dense_ints(attribute, any_width=True)


def known_integer(op: OpFacts, index: int) -> int | None:
    """The value of a scalar integer operand that is a constant."""
    value = known_value(op, index)
    return value.values[0] if value is not None and value.values else None


_LARGEST_RANK = 1 << 16


def given_shape(op: OpFacts, index: int, constraint: str) -> tuple[int, ...]:
    """Return the sizes in an operand: its value if it is known, else as many unknown sizes as it has entries.

    Raises:
      InferenceError: a size is negative, or there are more than a type can have.
    """
    shape = op.tensor(index)
    known = known_value(op, index)
    rank = shape.dims[0] if shape.rank == 1 else 0
    if rank > _LARGEST_RANK:
        raise op.error(constraint, f"{shape} has more sizes than a type can have")
    if known is None:
        return (DYNAMIC,) * max(rank, 0)
    if any(size < 0 for size in known.values):
        raise op.error(constraint, f"sizes {list(known.values)} must not be negative")
    return known.values
