"""Ops that make values of nothing: constants, counters, random numbers, ids."""

from __future__ import annotations

from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
from sdy.stablehlo.ops.making.constants import Numbers
from sdy.stablehlo.ops.making.type_writers import TypeLike
from sdy.stablehlo.ops.values import Value, one, several


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


def iota(type: TypeLike, iota_dimension: int, **at: Unpack[At]) -> Value:
    """Counts from 0 along a dimension.

    Args:
      type: the static tensor type of the result.
      iota_dimension: the dimension along which the numbers rise.
    """
    return one("stablehlo.iota", (), {"iota_dimension": iota_dimension}, types=[type], **at)


def dynamic_iota(output_shape: ir.Value, iota_dimension: int, type: TypeLike, **at: Unpack[At]) -> Value:
    """Counts from 0 along a dimension of a tensor whose sizes are in `output_shape`; `type` is that of the result."""
    attributes = {"iota_dimension": iota_dimension}
    return one("stablehlo.dynamic_iota", (output_shape,), attributes, types=[type], **at)


def rng(a: ir.Value, b: ir.Value, shape: ir.Value, rng_distribution: str, **at: Unpack[At]) -> Value:
    """Random numbers.

    Args:
      a, b: scalars: the limits, or mean and standard deviation.
      shape: sizes of the result, a tensor with one dimension.
      rng_distribution: UNIFORM or NORMAL.
    """
    return one("stablehlo.rng", (a, b, shape), {"rng_distribution": rng_distribution}, **at)


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


def partition_id(**at: Unpack[At]) -> Value:
    """The id of the partition that runs the program."""
    return one("stablehlo.partition_id", (), **at)


def replica_id(**at: Unpack[At]) -> Value:
    """The id of the replica that runs the program."""
    return one("stablehlo.replica_id", (), **at)
