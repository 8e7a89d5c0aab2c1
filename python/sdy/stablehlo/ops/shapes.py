"""Builders of constants and other sources, and of ops that rearrange elements or convert them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import Numbers, ResultType, Shape, TypeLike, as_tensor_type
from sdy.stablehlo.ops.values import Value, one, several, unary

__all__ = ["bitcast_convert", "broadcast", "broadcast_in_dim", "constant", "convert", "dynamic_broadcast_in_dim"]
__all__ += ["dynamic_iota", "dynamic_reshape", "get_dimension_size", "iota", "optimization_barrier", "partition_id"]
__all__ += ["replica_id", "reshape", "reverse", "rng", "rng_bit_generator", "set_dimension_size", "transpose"]
__all__ += ["uniform_dequantize", "uniform_quantize"]


def reshape(operand: ir.Value, shape: Shape | TypeLike, **at: Unpack[At]) -> Value:
    """The same elements, in row-major order, in another shape.

    Args:
      operand: a tensor.
      shape: the new sizes, or a type, which bounded sizes and axes of quantization need.
    """
    return one("stablehlo.reshape", (operand,), types=[_shaped(operand, shape)], **at)


def dynamic_reshape(operand: ir.Value, output_shape: ir.Value, shape: Shape | TypeLike, **at: Unpack[At]) -> Value:
    """A reshape to the sizes in `output_shape`, of which `shape` (or a type) says what is known."""
    types = [_shaped(operand, shape)]
    return one("stablehlo.dynamic_reshape", (operand, output_shape), types=types, **at)


def broadcast(operand: ir.Value, broadcast_sizes: Sequence[int], **at: Unpack[At]) -> Value:
    """Copies of the operand along new dimensions in front."""
    return one("stablehlo.broadcast", (operand,), {"broadcast_sizes": broadcast_sizes}, **at)


def broadcast_in_dim(
    operand: ir.Value, shape: Shape | TypeLike, broadcast_dimensions: Sequence[int] = (), **at: Unpack[At]
) -> Value:
    """Copies of the operand along dimensions of size 1 and new ones.

    Args:
      operand: a tensor.
      shape: sizes of the result, or its type.
      broadcast_dimensions: for each dimension of the operand the one of the result.
    """
    attributes = {"broadcast_dimensions": broadcast_dimensions}
    types = [_shaped(operand, shape)]
    return one("stablehlo.broadcast_in_dim", (operand,), attributes, types=types, **at)


def dynamic_broadcast_in_dim(
    operand: ir.Value,
    output_dimensions: ir.Value,
    shape: Shape | TypeLike,
    broadcast_dimensions: Sequence[int] = (),
    known_expanding_dimensions: Sequence[int] | None = None,
    known_nonexpanding_dimensions: Sequence[int] | None = None,
    **at: Unpack[At],
) -> Value:
    """A `broadcast_in_dim` to the sizes in `output_dimensions`, of which `shape` (or a type) says what is known.

    The known dimensions are those of the operand that are, or are not, of size 1 and copied.
    """
    attributes = {
        "broadcast_dimensions": broadcast_dimensions,
        "known_expanding_dimensions": known_expanding_dimensions,
        "known_nonexpanding_dimensions": known_nonexpanding_dimensions,
    }
    operands, types = (operand, output_dimensions), [_shaped(operand, shape)]
    return one("stablehlo.dynamic_broadcast_in_dim", operands, attributes, types=types, **at)


def transpose(operand: ir.Value, permutation: Sequence[int], **at: Unpack[At]) -> Value:
    """Dimension i of the result is dimension `permutation[i]` of the operand."""
    return one("stablehlo.transpose", (operand,), {"permutation": permutation}, **at)


def reverse(operand: ir.Value, dimensions: Sequence[int], **at: Unpack[At]) -> Value:
    """The elements in reverse order along these dimensions."""
    return one("stablehlo.reverse", (operand,), {"dimensions": dimensions}, **at)


def get_dimension_size(operand: ir.Value, dimension: int, **at: Unpack[At]) -> Value:
    """The size of a dimension, as an `i32` scalar."""
    return one("stablehlo.get_dimension_size", (operand,), {"dimension": dimension}, **at)


def set_dimension_size(operand: ir.Value, size: ir.Value, dimension: int, **at: Unpack[At]) -> Value:
    """The first `size` (an `i32` scalar) elements along a dimension, whose size so far becomes its bound."""
    return one("stablehlo.set_dimension_size", (operand, size), {"dimension": dimension}, **at)


def optimization_barrier(operands: Sequence[ir.Value], **at: Unpack[At]) -> tuple[Value, ...]:
    """The operands, all of which are computed before any of the results is used."""
    return several("stablehlo.optimization_barrier", operands, **at)


# Other element types -------------------------------------------------------------------------------------------------


def convert(operand: ir.Value, element_type: TypeLike, **at: Unpack[At]) -> Value:
    """The elements as values of another type."""
    return one("stablehlo.convert", (operand,), element=element_type, **at)


def bitcast_convert(operand: ir.Value, type: TypeLike, **at: Unpack[At]) -> Value:
    """The bits of the elements as elements of another width, in a tensor of type `type`."""
    return one("stablehlo.bitcast_convert", (operand,), types=[type], **at)


def uniform_quantize(operand: ir.Value, element_type: TypeLike, **at: Unpack[At]) -> Value:
    """The elements as values of a quantized type."""
    return one("stablehlo.uniform_quantize", (operand,), element=element_type, **at)


uniform_dequantize = unary("stablehlo.uniform_dequantize", "Quantized elements as the floats that they stand for.")


def _shaped(operand: ir.Value, shape: Shape | TypeLike) -> ResultType:
    """A type, or one with the operand's elements once there is a context."""
    if isinstance(shape, (str, ir.Type)) or not isinstance(getattr(operand, "type", None), ir.ShapedType):
        return shape
    return lambda: as_tensor_type(shape, operand.type.element_type)


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
