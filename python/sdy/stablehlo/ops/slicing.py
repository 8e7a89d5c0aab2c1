"""Parts of tensors, and tensors put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import TypeLike
from sdy.stablehlo.ops.making.structured_attributes import GatherDimensionNumbers
from sdy.stablehlo.ops.values import Value, listed, one

__all__ = ["concatenate", "dynamic_gather", "dynamic_pad", "dynamic_slice", "dynamic_update_slice", "gather", "pad"]
__all__ += ["real_dynamic_slice", "slice", "torch_index_select"]


def slice(
    operand: ir.Value,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
    **at: Unpack[At],
) -> Value:
    """Every `strides[i]`-th element from `start_indices[i]` to before `limit_indices[i]`; strides are 1 if missing."""
    attributes = {
        "start_indices": start_indices,
        "limit_indices": limit_indices,
        "strides": _filled(strides, 1, start_indices),
    }
    return one("stablehlo.slice", (operand,), attributes, **at)


def dynamic_slice(
    operand: ir.Value, start_indices: Sequence[ir.Value], slice_sizes: Sequence[int], **at: Unpack[At]
) -> Value:
    """`slice_sizes` elements from `start_indices`, one scalar for each dimension, clamped to what is there."""
    return one("stablehlo.dynamic_slice", (operand, *listed(start_indices)), {"slice_sizes": slice_sizes}, **at)


def dynamic_update_slice(
    operand: ir.Value, update: ir.Value, start_indices: Sequence[ir.Value], **at: Unpack[At]
) -> Value:
    """The operand with `update` in place of what is at `start_indices`, one scalar for each dimension."""
    return one("stablehlo.dynamic_update_slice", (operand, update, *listed(start_indices)), **at)


def real_dynamic_slice(
    operand: ir.Value,
    start_indices: ir.Value,
    limit_indices: ir.Value,
    strides: ir.Value,
    type: TypeLike,
    **at: Unpack[At],
) -> Value:
    """A slice whose limits are values, tensors with one dimension; `type` says what is known of the result."""
    operands = operand, start_indices, limit_indices, strides
    return one("stablehlo.real_dynamic_slice", operands, types=[type], **at)


def pad(
    operand: ir.Value,
    padding_value: ir.Value,
    low: Sequence[int],
    high: Sequence[int],
    interior: Sequence[int] | None = None,
    **at: Unpack[At],
) -> Value:
    """Puts copies of a scalar around and between the elements.

    Args:
      operand: a tensor.
      padding_value: a scalar of its element type.
      low, high: how many come before and after each dimension; negative ones take elements away.
      interior: how many come between neighbours; none if missing.
    """
    attributes = {
        "edge_padding_low": low,
        "edge_padding_high": high,
        "interior_padding": _filled(interior, 0, low),
    }
    return one("stablehlo.pad", (operand, padding_value), attributes, **at)


def dynamic_pad(
    operand: ir.Value,
    padding_value: ir.Value,
    low: ir.Value,
    high: ir.Value,
    interior: ir.Value,
    type: TypeLike,
    **at: Unpack[At],
) -> Value:
    """A `pad` whose sizes are values, tensors with one dimension; `type` says what is known of the result."""
    return one("stablehlo.dynamic_pad", (operand, padding_value, low, high, interior), types=[type], **at)


def concatenate(inputs: Sequence[ir.Value], dimension: int, **at: Unpack[At]) -> Value:
    """Tensors one after the other along a dimension."""
    return one("stablehlo.concatenate", inputs, {"dimension": dimension}, **at)


def gather(
    operand: ir.Value,
    start_indices: ir.Value,
    slice_sizes: Sequence[int],
    *,
    offset_dims: Sequence[int] = (),
    collapsed_slice_dims: Sequence[int] = (),
    operand_batching_dims: Sequence[int] = (),
    start_indices_batching_dims: Sequence[int] = (),
    start_index_map: Sequence[int] = (),
    index_vector_dim: int,
    indices_are_sorted: bool | None = None,
    **at: Unpack[At],
) -> Value:
    """A slice of the operand for each index.

    Args:
      operand: what slices are taken of.
      start_indices: integers, with vectors of indices along `index_vector_dim`.
      slice_sizes: sizes of a slice, one for each dimension of the operand.
      offset_dims: dimensions of the result that are those of a slice.
      collapsed_slice_dims: dimensions of size 1 of a slice that the result does not have.
      operand_batching_dims, start_indices_batching_dims: dimensions that go together.
      start_index_map: for each entry of a vector of indices the dimension of the operand.
      index_vector_dim: as above; the rank of the indices if each of them is a scalar.
      indices_are_sorted: a promise.
    """
    attributes = {
        "dimension_numbers": GatherDimensionNumbers(
            offset_dims,
            collapsed_slice_dims,
            operand_batching_dims,
            start_indices_batching_dims,
            start_index_map,
            index_vector_dim,
        ),
        "slice_sizes": slice_sizes,
        "indices_are_sorted": indices_are_sorted,
    }
    return one("stablehlo.gather", (operand, start_indices), attributes, **at)


def dynamic_gather(
    operand: ir.Value,
    start_indices: ir.Value,
    slice_sizes: ir.Value,
    dimension_numbers: GatherDimensionNumbers,
    indices_are_sorted: bool | None = None,
    **at: Unpack[At],
) -> Value:
    """A gather whose `slice_sizes` are a value, a tensor with one dimension."""
    attributes = {"dimension_numbers": dimension_numbers, "indices_are_sorted": indices_are_sorted}
    return one("stablehlo.dynamic_gather", (operand, start_indices, slice_sizes), attributes, **at)


def torch_index_select(operand: ir.Value, index: ir.Value, dim: int, batch_dims: int = 0, **at: Unpack[At]) -> Value:
    """The slices along `dim` whose numbers are in `index`, for each of `batch_dims` dimensions in front."""
    attributes = {"dim": dim, "batch_dims": batch_dims}
    return one("stablehlo.torch_index_select", (operand, index), attributes, **at)


def _filled(numbers: Sequence[int] | None, default: int, other: object) -> Sequence[int] | None:
    """The numbers; if missing the default as often as there are others."""
    if numbers is not None or not isinstance(other, Sequence):
        return numbers
    return [default] * len(other)
