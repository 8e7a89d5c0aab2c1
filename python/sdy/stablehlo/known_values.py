"""Operands whose values types depend on, where constants make them (H13)."""

from __future__ import annotations

from sdy.mlir import address
from sdy.mlir.per_context import PerContext
from sdy.stablehlo.attribute_readers import DenseInts, read_dense_ints
from sdy.stablehlo.constants import constant_attribute
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.sizes import DYNAMIC

_MOST = 1 << 14

_integers: PerContext[dict[int, DenseInts | None]] = PerContext(dict)
"""By the address of an attribute the integers in it, None for another one; reading them takes microseconds."""


def known_value(op: OpFacts, index: int) -> DenseInts | None:
    """The value of an integer operand that is a constant; None for any other."""
    constants = op.constants
    attribute = constant_attribute(op.value(index)) if constants is None else constants[index]
    if attribute is None:
        return None
    known, key = _integers.of(attribute.context), address(attribute)
    if key not in known:
        if len(known) >= _MOST:
            known.clear()
        known[key] = read_dense_ints(attribute, any_width=True)
    return known[key]


def forget_integers() -> None:
    """Forgets all constants that were read, in all contexts."""
    _integers.clear()


def known_integer(op: OpFacts, index: int) -> int | None:
    """The value of a scalar integer operand that is a constant."""
    value = known_value(op, index)
    return value.values[0] if value is not None and value.values else None


_LARGEST_RANK = 1 << 16


def given_shape(op: OpFacts, index: int, constraint: str) -> tuple[int, ...]:
    """The sizes that an operand says: its value if it is known, else as many unknown sizes as it has entries.

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
