"""Builders whose arguments differ from those declared by their ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import Numbers, TypeLike
from sdy.stablehlo.ops.making.structured_attributes import DotAlgorithm, DotDimensionNumbers
from sdy.stablehlo.ops.values import Value, one, several

__all__ = ["constant", "dot_general", "rng_bit_generator"]

Pair = tuple[Sequence[int], Sequence[int]]
"""Dimensions of the left and of the right operand."""


def constant(value: Numbers | ir.Attribute, type: TypeLike | None = None, **at: Unpack[At]) -> Value:
    """A constant.

    Args:
      value: a number, nested lists of numbers, an array of NumPy's, or a dense attribute.
      type: element type, or tensor type, which a single number fills; types of the bindings or their text. Without it
        the one of the array; Python's numbers are `i32`, `f32`, `complex<f32>` and `i1`.
    """
    given = value if isinstance(value, ir.Attribute) else (value, type)
    types = [type] if type is not None and isinstance(value, ir.Attribute) else None
    return one("stablehlo.constant", (), {"value": given}, types=types, **at)


def rng_bit_generator(
    initial_state: ir.Value, type: TypeLike, rng_algorithm: str = "DEFAULT", **at: Unpack[At]
) -> tuple[Value, Value]:
    """The next state of a generator, and random bits.

    Args:
      initial_state: a tensor with one dimension.
      type: the static tensor type of the bits.
      rng_algorithm: DEFAULT, THREE_FRY or PHILOX.
    """
    types = [getattr(initial_state, "type", None), type]
    attributes = {"rng_algorithm": rng_algorithm}
    state, bits = several("stablehlo.rng_bit_generator", (initial_state,), attributes, types=types, **at)
    return state, bits


def dot_general(
    lhs: ir.Value,
    rhs: ir.Value,
    *,
    contracting: Pair,
    batching: Pair = ((), ()),
    precision: str | Sequence[str] | None = None,
    algorithm: DotAlgorithm | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Value:
    """Sums of products over the contracting dimensions.

    Args:
      lhs: the left factor. The result has the batching dimensions, then its own, then those of `rhs`.
      rhs: the right factor.
      contracting: dimensions that are summed over.
      batching: dimensions that go together.
      precision: DEFAULT, HIGH or HIGHEST, for both operands or for each.
      algorithm: how the products are computed.
      element_type: that of the result, by default the one of `lhs`.
    """
    attributes = {
        "dot_dimension_numbers": _dot_dimensions(contracting, batching),
        "precision_config": precision,
        "algorithm": algorithm,
    }
    return one("stablehlo.dot_general", (lhs, rhs), attributes, element=element_type, **at)


def _dot_dimensions(contracting: Pair, batching: Pair) -> DotDimensionNumbers | tuple[Pair, Pair]:
    """Return the dimension numbers, or the given object if it is not a list of pairs."""
    if not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in (contracting, batching)):
        return contracting, batching
    return DotDimensionNumbers(*batching, *contracting)
