"""Operands whose values are known while a program is compiled (H13)."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import DenseInts, read_dense_ints
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.sizes import DYNAMIC
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
    dims = known.values if known is not None else (DYNAMIC,) * max(rank, 0)
    if any(size < 0 and size != DYNAMIC for size in dims):
        raise op.error(constraint, f"sizes {list(dims)} must not be negative")
    return dims
